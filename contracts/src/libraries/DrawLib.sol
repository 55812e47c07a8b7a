// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @title DrawLib
/// @notice Visits `0 … n − 1` in a random order without building it: a Fisher–Yates shuffle over an array that starts
/// implicit. A visit costs the same for twelve as for three.
library DrawLib {
    struct Shuffle {
        bytes32 seed;
        uint256 next;
        uint256 size;
        /// Entry j holds (what the shuffle moved to j) + 1; 0: j itself.
        uint16[] moved;
    }

    function shuffle(bytes32 seed, uint256 size) internal pure returns (Shuffle memory) {
        return Shuffle(seed, 0, size, new uint16[](size));
    }

    function done(Shuffle memory s) internal pure returns (bool) {
        return s.next == s.size;
    }

    /// @notice The next index of the order. The caller checks `done` first.
    function visit(Shuffle memory s) internal pure returns (uint256 index) {
        uint256 i = s.next++;
        // Unbiased enough: 2^256 modulo at most 2^16.
        uint256 j = i + uint256(keccak256(abi.encode(s.seed, i))) % (s.size - i);
        index = _at(s, j);
        // forge-lint: disable-next-line(unsafe-typecast)
        s.moved[j] = uint16(_at(s, i) + 1);
    }

    function _at(Shuffle memory s, uint256 j) private pure returns (uint256) {
        uint256 moved = s.moved[j];
        return moved == 0 ? j : moved - 1;
    }
}
