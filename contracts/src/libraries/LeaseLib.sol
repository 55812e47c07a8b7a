// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {EndCause, LeaseClock} from "../Types.sol";

/// @title LeaseLib
/// @notice Clocks of leases and of the auction between them. Intervals are half-open: at the boundary it is over.
library LeaseLib {
    /// @notice When a live lease ends by itself, and why. At a tie it expires rather than stalls.
    function passiveEnd(LeaseClock memory clock, uint256 segmentTimeout)
        internal
        pure
        returns (EndCause cause, uint40 endsAt)
    {
        uint256 stallsAt = stallTime(clock, segmentTimeout);
        // forge-lint: disable-next-line(unsafe-typecast)
        if (stallsAt != 0 && stallsAt < clock.expiresAt) return (EndCause.Stalled, uint40(stallsAt));
        return (EndCause.Expired, clock.expiresAt);
    }

    /// @notice When the lease stalls unless it commits; 0: the clock stands still.
    function stallTime(LeaseClock memory clock, uint256 segmentTimeout) internal pure returns (uint256) {
        return clock.segmentStart == 0 ? 0 : clock.segmentStart + segmentTimeout;
    }

    /// @notice The reverse Dutch auction: what a provider may ask at most, rising from 0 to `maxPrice` over `ramp` seconds.
    function priceCeiling(uint256 openSince, uint256 time, uint256 ramp, uint256 maxPrice)
        internal
        pure
        returns (uint256)
    {
        uint256 waited = time - openSince;
        return waited >= ramp ? maxPrice : maxPrice * waited / ramp;
    }

    /// @notice The next step that is due after `parentStep`.
    function dueStep(uint256 parentStep, uint256 interval, uint256 totalSteps) internal pure returns (uint256) {
        uint256 next = (parentStep / interval + 1) * interval;
        return next < totalSteps ? next : totalSteps;
    }
}
