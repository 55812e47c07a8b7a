// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Outcome} from "../Types.sol";
import "./Constants.sol";

/// @title VotesLib
/// @notice A checkpoint's votes: up to three of 16 bits in cast order. Each: member index (8), seat (2), metTarget (1),
/// outcome (2; 0: no vote).
library VotesLib {
    uint256 private constant WIDTH = 16;
    uint256 private constant MASK = 0xffff;

    function get(uint48 votes, uint256 i)
        internal
        pure
        returns (uint256 member, uint256 seat, Outcome outcome, bool metTarget)
    {
        uint256 vote = (votes >> (i * WIDTH)) & MASK;
        return (vote >> 5, (vote >> 3) & 3, Outcome(vote & 3), vote & 4 != 0);
    }

    function count(uint48 votes) internal pure returns (uint256 n) {
        while (n < SEATS && (votes >> (n * WIDTH)) & MASK != 0) ++n;
    }

    function hasSeat(uint48 votes, uint256 seat) internal pure returns (bool) {
        for (uint256 i = 0; i < SEATS; ++i) {
            uint256 vote = (votes >> (i * WIDTH)) & MASK;
            if (vote != 0 && (vote >> 3) & 3 == seat) return true;
        }
        return false;
    }

    /// @notice Appends a vote. The caller checks that the seat has none, so at most three fit.
    function add(uint48 votes, uint256 member, uint256 seat, Outcome outcome, bool metTarget)
        internal
        pure
        returns (uint48)
    {
        uint256 vote = (member << 5) | (seat << 3) | (metTarget ? 4 : 0) | uint256(outcome);
        // forge-lint: disable-next-line(unsafe-typecast)
        return votes | uint48(vote << (count(votes) * WIDTH));
    }

    /// @notice Two equal (outcome, metTarget) decide. Of three different ones: two Accepts that differ in `metTarget` are an
    /// Accept that did not meet it, so that work which two judges accept is paid; else Unavailable. Fewer: `None`.
    function decide(uint48 votes) internal pure returns (Outcome, bool metTarget) {
        uint256 a = votes & 7;
        uint256 b = (votes >> WIDTH) & 7;
        uint256 c = (votes >> (2 * WIDTH)) & 7;
        uint256 won;
        if (b != 0 && (a == b || b == c)) won = b;
        else if (c != 0 && a == c) won = c;
        else if (c != 0) won = uint256(_twoAccept(a & 3, b & 3, c & 3) ? Outcome.Accept : Outcome.Unavailable);
        return (Outcome(won & 3), won & 4 != 0);
    }

    function _twoAccept(uint256 a, uint256 b, uint256 c) private pure returns (bool) {
        uint256 accept = uint256(Outcome.Accept);
        return (a == accept && (b == accept || c == accept)) || (b == accept && c == accept);
    }
}
