// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {VotesLib} from "../libraries/VotesLib.sol";
import "../libraries/Constants.sol";
import "../Types.sol";
import {LeaseKeeping} from "./LeaseKeeping.sol";

/// @title QueueKeeping
/// @notice The accepted chain and what waits behind it: a checkpoint is judged only while its parent is the head and nothing
/// earlier is pending. Also what a checkpoint earns or costs.
abstract contract QueueKeeping is LeaseKeeping {
    using VotesLib for uint48;

    // ----- the queue after a decision ----------------------------------------------------------------------------------

    /// @dev Nothing pending will be judged any more.
    function _voidPending(uint256 jobId, JobState storage s) internal {
        Queue memory queue = _queue(s);
        for (uint32 i = queue.cursor; queue.pending != 0; ++i) {
            if (s.checkpoints[i].status != CheckpointStatus.Pending) continue;
            --queue.pending;
            _strike(jobId, s, i, false);
        }
        _next(jobId, s, queue, queue.count);
    }

    function _strike(uint256 jobId, JobState storage s, uint32 i, bool orphan) internal {
        s.checkpoints[i].status = orphan ? CheckpointStatus.Orphaned : CheckpointStatus.Void;
        if (orphan) emit CheckpointOrphaned(_id(jobId, i));
        else emit CheckpointVoided(_id(jobId, i));
    }

    /// @dev Turns to the next that waits, and starts its clock.
    function _next(uint256 jobId, JobState storage s, Queue memory queue, uint32 index) internal {
        uint32 cursor = index + 1;
        if (queue.pending == 0) {
            (queue.cursor, queue.tail, queue.tailStep) = (queue.count + 1, queue.head, queue.headStep);
            queue.forked = false;
        } else {
            if (queue.forked) {
                while (s.checkpoints[cursor].status != CheckpointStatus.Pending) ++cursor;
            }
            (queue.cursor, queue.judgeableAt) = (cursor, _now());
            emit CheckpointJudgeable(_id(jobId, cursor), _now());
        }
        _saveQueue(s, queue);
    }

    // ----- money -------------------------------------------------------------------------------------------------------

    /// @dev When an accepted checkpoint matures unless it is contested. Its window runs from its acceptance, or from the
    /// ruling of a dispute during which it was accepted: until then nobody could contest it.
    function _maturesAt(JobState storage s, Checkpoint memory checkpoint) internal view returns (uint256) {
        uint256 from = checkpoint.decidedAt;
        if (!s.job.contested && s.ledger.contestedAt > from) from = s.ledger.contestedAt;
        return from + s.job.disputeWindow;
    }

    /// @dev What a checkpoint earns its provider, net of an off-schedule round.
    function _payOf(JobState storage s, Checkpoint memory checkpoint, LeaseRecord memory record)
        internal
        view
        returns (uint256 pay)
    {
        pay = uint256(checkpoint.steps) * record.price;
        if (checkpoint.offSchedule) pay -= ROUND_FEES * s.job.verifierFee;
    }

    /// @dev One fee to each that voted `outcome`, out of the reservation of the checkpoint's lease.
    function _payRoundFromBond(
        uint256 checkpointId,
        JobState storage s,
        Checkpoint memory checkpoint,
        Outcome outcome,
        uint48 votes
    ) internal {
        LeaseRecord storage record = s.leases[checkpoint.fence];
        for (uint256 i = 0; i < votes.count(); ++i) {
            (uint256 member,, Outcome vote,) = votes.get(i);
            if (vote != outcome) continue;
            ++record.feesTaken;
            _escrow()
                .slash(
                    record.provider, s.members[member].verifier, s.job.verifierFee, true, SlashKind.Round, checkpointId
                );
        }
    }
}
