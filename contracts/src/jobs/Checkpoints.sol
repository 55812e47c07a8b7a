// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IJobsWork} from "../interfaces/IJobsWork.sol";
import {LeaseLib} from "../libraries/LeaseLib.sol";
import {VerdictLib} from "../libraries/VerdictLib.sol";
import "../libraries/Constants.sol";
import "../Types.sol";
import {Leases} from "./Leases.sol";
import {QueueKeeping} from "./QueueKeeping.sol";

/// @title Checkpoints
/// @notice Commits.
abstract contract Checkpoints is Leases, QueueKeeping {
    /// @dev The arguments of `commitCheckpoint`.
    struct Commit {
        uint256 jobId;
        uint32 fence;
        uint256 parentId;
        uint32 step;
        bytes32 stateHash;
        bytes32 traceRoot;
        bool release;
    }

    /// @inheritdoc IJobsWork
    function commitCheckpoint(
        uint256 jobId,
        uint32 fence,
        uint256 parentId,
        uint32 step,
        bytes32 stateHash,
        bytes32 traceRoot,
        bool release
    ) external returns (uint256 checkpointId) {
        return _commit(Commit(jobId, fence, parentId, step, stateHash, traceRoot, release));
    }

    function _commit(Commit memory c) private returns (uint256 checkpointId) {
        JobState storage s = _jobs[c.jobId];
        LeaseClock memory clock = _heldLease(s, c.fence);
        _requireCommitsOpen(s);
        _requireSeated(c.jobId, s);
        Queue memory queue = _queue(s);
        bool ending = c.release || _draining(s);
        if (queue.pending >= (ending ? MAX_PENDING + 1 : MAX_PENDING)) revert QueueFull(queue.pending);

        Checkpoint memory checkpoint = _check(c, s, clock, queue);
        // Beside pending work: one of the two branches will be orphaned.
        if (queue.pending != 0 && checkpoint.parent == queue.head) queue.forked = true;
        uint32 index = ++queue.count;
        if (++queue.pending == 1) (queue.cursor, queue.judgeableAt) = (index, _now());
        (queue.tail, queue.tailStep) = (index, checkpoint.step);
        _saveQueue(s, queue);
        s.checkpoints[index] = checkpoint;
        s.contentDigests[index] = VerdictLib.contentDigest(c.stateHash, c.traceRoot);
        clock.committed = true;
        clock.expiresAt = _now() + s.job.leaseDuration;
        clock.segmentStart = queue.pending >= MAX_PENDING ? 0 : _now();
        _saveClock(s, clock);

        checkpointId = _id(c.jobId, index);
        _announce(c, checkpointId, checkpoint.offSchedule, queue.pending == 1 ? _now() : 0, clock.expiresAt);
        if (ending) _endLease(c.jobId, s, clock, EndCause.Released, _now());
    }

    function _announce(Commit memory c, uint256 checkpointId, bool offSchedule, uint40 judgeableAt, uint40 expiresAt)
        private
    {
        emit CheckpointCommitted(
            checkpointId,
            c.jobId,
            c.fence,
            c.parentId,
            c.step,
            c.stateHash,
            c.traceRoot,
            offSchedule,
            judgeableAt,
            expiresAt
        );
    }

    /// @return checkpoint as it will be stored, if parent and step may stand.
    function _check(Commit memory c, JobState storage s, LeaseClock memory clock, Queue memory queue)
        private
        view
        returns (Checkpoint memory checkpoint)
    {
        checkpoint.status = CheckpointStatus.Pending;
        checkpoint.fence = c.fence;
        checkpoint.committedAt = _now();
        checkpoint.parent = _parentIndex(c.jobId, clock, queue, c.parentId);
        uint24 parentStep = checkpoint.parent == queue.head ? queue.headStep : queue.tailStep;
        checkpoint.offSchedule = _checkStep(s, c.fence, parentStep, c.step, c.release);
        // forge-lint: disable-next-item(unsafe-typecast)
        (checkpoint.step, checkpoint.steps) = (uint24(c.step), uint24(c.step - parentStep));
    }

    /// @dev The lease's previous commit while that can still be accepted; otherwise the head or the tip of the queue.
    function _parentIndex(uint256 jobId, LeaseClock memory clock, Queue memory queue, uint256 parentId)
        private
        pure
        returns (uint32 index)
    {
        index = _index(parentId);
        if (parentId != 0 && parentId >> 32 != jobId) revert WrongParent(parentId);
        // Only the live lease commits, so its previous commit is the newest of all.
        bool mustFollow = clock.committed && queue.tail == queue.count;
        if (index != queue.tail && (mustFollow || index != queue.head)) revert WrongParent(parentId);
    }

    /// @return offSchedule the step was not due: a release whose round of fees comes out of its pay.
    function _checkStep(JobState storage s, uint32 fence, uint256 parentStep, uint256 step, bool release)
        private
        view
        returns (bool offSchedule)
    {
        uint256 due = LeaseLib.dueStep(parentStep, s.job.checkpointInterval, s.job.totalSteps);
        // After the last step nothing is due: `due` is then the parent's own step.
        if (step == due && step != parentStep) return false;
        if (!release || step <= parentStep || step > due) revert WrongStep(step, due);
        uint256 pay = (step - parentStep) * s.leases[fence].price;
        uint256 round = ROUND_FEES * s.job.verifierFee;
        if (pay < round) revert PayBelowRound(pay, round);
        return true;
    }
}
