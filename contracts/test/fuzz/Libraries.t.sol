// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Test} from "forge-std/Test.sol";
import {DrawLib} from "src/libraries/DrawLib.sol";
import {LeaseLib} from "src/libraries/LeaseLib.sol";
import {TermsLib} from "src/libraries/TermsLib.sol";
import {VotesLib} from "src/libraries/VotesLib.sol";
import "src/Types.sol";

contract LibrariesTest is Test {
    using DrawLib for DrawLib.Shuffle;
    using VotesLib for uint48;

    // ----- votes -----------------------------------------------------------------------------------------------------

    function testFuzz_VotesKeepWhatWasCast(uint8[3] memory members, uint8[3] memory outcomes, bool[3] memory met)
        external
        pure
    {
        uint48 votes;
        for (uint256 i = 0; i < 3; ++i) {
            Outcome outcome = Outcome(bound(outcomes[i], 1, 3));
            assertFalse(votes.hasSeat(i));
            votes = votes.add(members[i], i, outcome, met[i]);
            assertTrue(votes.hasSeat(i));
            assertEq(votes.count(), i + 1);
            (uint256 member, uint256 seat, Outcome o, bool m) = votes.get(i);
            assertEq(member, members[i]);
            assertEq(seat, i);
            assertEq(uint8(o), uint8(outcome));
            assertEq(m, met[i]);
        }
    }

    /// @dev Against the rule spelled out: two equal pairs win; three without are Unavailable; fewer wait.
    function testFuzz_VotesDecide(uint8 n, uint8[3] memory outcomes, bool[3] memory met) external pure {
        n = uint8(bound(n, 0, 3));
        uint48 votes;
        uint8[3] memory pairs;
        for (uint8 i = 0; i < n; ++i) {
            Outcome outcome = Outcome(bound(outcomes[i], 1, 3));
            votes = votes.add(i, i, outcome, met[i]);
            pairs[i] = uint8(outcome) * 2 + (met[i] ? 1 : 0);
        }
        uint8 expected;
        for (uint8 i = 0; i < n; ++i) {
            for (uint8 j = i + 1; j < n; ++j) {
                if (pairs[i] == pairs[j]) expected = pairs[i];
            }
        }
        if (expected == 0 && n == 3) {
            uint256 accepts;
            for (uint256 i = 0; i < 3; ++i) {
                if (pairs[i] / 2 == uint8(Outcome.Accept)) ++accepts;
            }
            expected = uint8(accepts == 2 ? Outcome.Accept : Outcome.Unavailable) * 2;
        }
        (Outcome outcome_, bool met_) = votes.decide();
        assertEq(uint8(outcome_) * 2 + (met_ ? 1 : 0), expected);
    }

    // ----- draws -----------------------------------------------------------------------------------------------------

    function testFuzz_ShuffleVisitsEachOnce(bytes32 seed, uint8 size) external pure {
        DrawLib.Shuffle memory s = DrawLib.shuffle(seed, size);
        bool[] memory seen = new bool[](size);
        for (uint256 i = 0; i < size; ++i) {
            assertFalse(s.done());
            uint256 at_ = s.visit();
            assertLt(at_, size);
            assertFalse(seen[at_], "visited twice");
            seen[at_] = true;
        }
        assertTrue(s.done());
    }

    /// @dev Each of five is drawn first about as often: within a tenth over 4,000 seeds (deterministic).
    function test_ShuffleIsFair() external pure {
        uint256[5] memory firsts;
        for (uint256 i = 0; i < 4_000; ++i) {
            DrawLib.Shuffle memory s = DrawLib.shuffle(keccak256(abi.encode(i)), 5);
            ++firsts[s.visit()];
        }
        for (uint256 i = 0; i < 5; ++i) {
            assertApproxEqAbs(firsts[i], 800, 80);
        }
    }

    // ----- leases ----------------------------------------------------------------------------------------------------

    function testFuzz_CeilingRisesToTheMaximum(uint32 waited, uint16 ramp, uint32 maxPrice) external pure {
        uint256 c = LeaseLib.priceCeiling(1_000, 1_000 + uint256(waited), ramp, maxPrice);
        assertLe(c, maxPrice);
        if (waited >= ramp) assertEq(c, maxPrice);
        else assertEq(c, uint256(maxPrice) * waited / ramp);
        assertGe(LeaseLib.priceCeiling(1_000, 1_001 + uint256(waited), ramp, maxPrice), c);
    }

    function testFuzz_DueStep(uint24 parent, uint24 interval, uint24 total) external pure {
        total = uint24(bound(total, 1, 1e7));
        interval = uint24(bound(interval, 1, total));
        parent = uint24(bound(parent, 0, total - 1));
        uint256 due = LeaseLib.dueStep(parent, interval, total);
        assertGt(due, parent);
        assertLe(due, total);
        assertTrue(due % interval == 0 || due == total);
        assertLe(due - parent, interval);
    }

    function testFuzz_PassiveEndIsTheEarlier(uint40 expiresAt, uint40 segmentStart, uint24 timeout) external pure {
        LeaseClock memory c;
        c.expiresAt = uint40(bound(expiresAt, 1, 1e12 - 1));
        c.segmentStart = uint40(bound(segmentStart, 0, 1e12 - 1));
        (EndCause cause, uint40 endsAt) = LeaseLib.passiveEnd(c, timeout);
        uint256 stall = uint256(c.segmentStart) + timeout;
        bool stalls = c.segmentStart != 0 && stall < c.expiresAt;
        assertEq(uint8(cause), uint8(stalls ? EndCause.Stalled : EndCause.Expired));
        assertEq(endsAt, stalls ? stall : c.expiresAt);
    }

    // ----- terms -----------------------------------------------------------------------------------------------------

    function worst(JobTerms calldata t) external pure returns (uint256) {
        return TermsLib.maxLiability(t);
    }

    function testFuzz_MaxLiability(uint32 steps, uint32 interval, uint64 price, uint64 fee) external view {
        JobTerms memory t;
        t.totalSteps = uint32(bound(steps, 1, 1e7));
        t.checkpointInterval = uint32(bound(interval, 1, t.totalSteps));
        t.maxPricePerStep = uint64(bound(price, 1, 1_000e6));
        t.verifierFee = uint64(bound(fee, 1, 100e6));
        uint256 work = uint256(t.totalSteps) * t.maxPricePerStep;
        uint256 n = t.totalSteps / t.checkpointInterval + (t.totalSteps % t.checkpointInterval == 0 ? 0 : 1);
        assertEq(this.worst(t), work + work * 8 / 100 + n * 3 * t.verifierFee);
        assertLe(work + work * 8 / 100, type(uint64).max);
    }
}
