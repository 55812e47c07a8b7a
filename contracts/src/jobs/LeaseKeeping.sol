// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {LeaseLib} from "../libraries/LeaseLib.sol";
import "../libraries/Constants.sol";
import "../Types.sol";
import {SeatKeeping} from "./SeatKeeping.sol";

/// @title LeaseKeeping
/// @notice How leases end, and what an end costs.
abstract contract LeaseKeeping is SeatKeeping {
    /// @dev No acquire and no renewal; one last commit.
    function _draining(JobState storage s) internal view returns (bool) {
        return s.job.cancelled || s.job.contested;
    }

    /// @dev Writes down what time alone has done.
    function _endIfOver(uint256 jobId, JobState storage s) internal returns (LeaseClock memory clock) {
        clock = _clock(s);
        if (!clock.live) return clock;
        (EndCause cause, uint40 endsAt) = LeaseLib.passiveEnd(clock, s.job.segmentTimeout);
        if (block.timestamp < endsAt) return clock;
        // A drain that runs out is nobody's fault.
        _endLease(jobId, s, clock, _draining(s) ? EndCause.JobClosed : cause, endsAt);
    }

    /// @dev Ends the live lease `clock` and stores it.
    function _endLease(uint256 jobId, JobState storage s, LeaseClock memory clock, EndCause cause, uint40 endedAt)
        internal
    {
        clock.live = false;
        clock.openSince = endedAt;
        _saveClock(s, clock);
        LeaseRecord storage record = s.leases[clock.fence];
        record.cause = cause;
        if (clock.committed) record.lastIndex = s.queue.count;
        address provider = record.provider;
        emit LeaseEnded(jobId, clock.fence, provider, cause, endedAt, endedAt);

        bool empty = !clock.committed && !_draining(s);
        if (cause == EndCause.Evicted) {
            Standing storage standing = s.standings[provider];
            if (standing.evictions != type(uint8).max) ++standing.evictions;
            if (standing.evictions > 1) _cool(jobId, s, provider, endedAt + SHORT_COOL_DOWN);
        } else if (cause == EndCause.Expired || cause == EndCause.Stalled || cause == EndCause.Unavailable) {
            _cool(jobId, s, provider, endedAt + LONG_COOL_DOWN);
        } else if (cause == EndCause.Released && empty) {
            uint256 twiceRamp = 2 * uint256(s.job.auctionRamp);
            _cool(jobId, s, provider, endedAt + (twiceRamp > SHORT_COOL_DOWN ? twiceRamp : SHORT_COOL_DOWN));
        }

        if (empty && _squatted(clock, cause)) {
            // forge-lint: disable-next-line(unsafe-typecast)
            record.feesTaken += uint8(ROUND_FEES);
            _escrow()
                .slash(
                    provider,
                    _treasury(s),
                    ROUND_FEES * s.job.verifierFee,
                    true,
                    SlashKind.Squat,
                    _id(jobId, clock.fence)
                );
        }
    }

    /// @dev A dead provider is evicted, which costs nothing. Who seems alive and lets the lease run out has squatted on it, unless
    /// it could not commit behind a full queue.
    function _squatted(LeaseClock memory clock, EndCause cause) private pure returns (bool) {
        if (cause == EndCause.Expired) return clock.segmentStart != 0;
        return cause == EndCause.Stalled || cause == EndCause.Released;
    }

    /// @dev The job is ending. If its committee was drawn, or could be foreseen, and nothing is ever committed, a round is due:
    /// who drops a draw pays for it, however it does so. (Once something is committed the seats live by their verdicts.)
    function _oweRound(uint256 jobId, JobState storage s) internal {
        Panel memory panel = _anchoredPanel(s);
        _seatAll(jobId, s, panel);
        // In the anchor's own block nobody knows its hash.
        bool foreseen = s.clock.fence != 0 && (panel.drawn || block.number > panel.anchorBlock);
        s.job.cancelFeeDue = foreseen && s.queue.count == 0;
    }

    function _cool(uint256 jobId, JobState storage s, address provider, uint256 until) internal {
        // forge-lint: disable-next-line(unsafe-typecast)
        s.standings[provider].coolingUntil = uint40(until);
        // forge-lint: disable-next-line(unsafe-typecast)
        emit ProviderCooling(jobId, provider, uint40(until));
    }
}
