// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IJobsWork} from "../interfaces/IJobsWork.sol";
import "../libraries/Constants.sol";
import "../Types.sol";
import {SeatKeeping} from "./SeatKeeping.sol";

/// @title Replacements
/// @notice A seat that is silent, leaving or suspended passes to another verifier, in two calls with an anchor of its own.
abstract contract Replacements is SeatKeeping, IJobsWork {
    /// @inheritdoc IJobsWork
    function replaceSeat(uint256 jobId, uint8 seat) external {
        JobState storage s = _jobs[jobId];
        if (seat >= SEATS || !s.panel.drawn) revert SeatNotReplaceable(jobId, seat);
        if (s.job.status == JobStatus.Settled) revert WrongStatus(jobId, uint8(JobStatus.Settled));
        if (s.panel.replacing != 0) {
            if (s.panel.replacing != seat + 1) revert ReplacementUnderWay(s.panel.replacing - 1);
            _drawReplacement(jobId, s, seat);
            return;
        }
        Member memory member = _member(s, s.panel.seats[seat]);
        bool silent = _silent(s, seat, s.job.verdictTimeout);
        if (!silent && !_registry().isLeaving(member.verifierId)) revert SeatNotReplaceable(jobId, seat);
        if (s.panel.memberCount == type(uint8).max) revert SeatNotReplaceable(jobId, seat);
        s.panel.replacing = seat + 1;
        _anchor(jobId, s, s.clock.fence, seat, 1);
        if (silent) {
            _registry()
                .slashVerifier(
                    member.verifier,
                    _treasury(s),
                    MIN_VERIFIER_BOND * MISSED_SEAT_BPS / BPS,
                    SlashKind.MissedSeat,
                    _id(jobId, s.queue.cursor)
                );
        }
    }

    function _drawReplacement(uint256 jobId, JobState storage s, uint8 seat) private {
        Panel memory panel = _panel(s);
        if (block.number <= panel.anchorBlock) revert AnchorTooRecent(panel.anchorBlock);
        bytes32 hash = blockhash(panel.anchorBlock);
        if (hash == 0 && !_nobodyToReplace(jobId, s)) {
            _anchor(jobId, s, panel.anchorFence, seat, 1);
            return;
        }
        s.panel.replacing = 0;
        s.panel.anchorBlock = 0;
        Member[] memory drawn = hash == 0
            ? new Member[](0)
            : _registry().draw(_request(jobId, s, keccak256(abi.encode(hash, seat)), panel, 1));
        if (drawn.length == 0) {
            emit ReplacementAbandoned(jobId, seat);
            return;
        }
        Member memory previous = _member(s, panel.seats[seat]);
        s.members[panel.memberCount] = drawn[0];
        s.panel.seats[seat] = panel.memberCount;
        s.panel.memberCount = panel.memberCount + 1;
        emit SeatReplaced(jobId, seat, previous.verifier, drawn[0].verifier);
    }
}
