// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IJobsWork} from "../interfaces/IJobsWork.sol";
import {VerdictLib} from "../libraries/VerdictLib.sol";
import {VotesLib} from "../libraries/VotesLib.sol";
import "../libraries/Constants.sol";
import "../Types.sol";
import {Checkpoints} from "./Checkpoints.sol";

/// @title Verdicts
/// @notice Counts the seats' signed verdicts and applies what two of them say.
abstract contract Verdicts is Checkpoints {
    using VerdictLib for SignedVerdict;
    using VotesLib for uint48;

    /// @inheritdoc IJobsWork
    function castVerdicts(uint256 checkpointId, SignedVerdict[] calldata verdicts) external {
        uint256 jobId = checkpointId >> 32;
        uint32 index = _index(checkpointId);
        JobState storage s = _jobs[jobId];
        Checkpoint memory checkpoint = _checkpoint(s, index);
        bool decided = _requireVotable(checkpointId, s, checkpoint);

        uint48 votes = _count(checkpointId, s, checkpoint, verdicts);
        if (votes == checkpoint.votes) revert NoVoteCounted(checkpointId);
        s.checkpoints[index].votes = votes;
        if (decided) return;

        (Outcome outcome, bool metTarget) = votes.decide();
        if (outcome == Outcome.Accept) _accept(checkpointId, s, checkpoint, metTarget);
        else if (outcome != Outcome.None) _reject(checkpointId, s, checkpoint, outcome, votes);
    }

    // ----- votes -------------------------------------------------------------------------------------------------------

    /// @return decided only a third vote is awaited.
    function _requireVotable(uint256 checkpointId, JobState storage s, Checkpoint memory checkpoint)
        private
        view
        returns (bool decided)
    {
        CheckpointStatus status = checkpoint.status;
        if (status == CheckpointStatus.None) revert UnknownCheckpoint(checkpointId);
        if (status == CheckpointStatus.Pending) {
            if (_index(checkpointId) != s.queue.cursor) revert NotJudgeable(checkpointId);
            if (_judgingOver(s)) revert NotJudgeable(checkpointId);
            return false;
        }
        uint256 until;
        if (status == CheckpointStatus.Accepted && _index(checkpointId) > s.ledger.maturedThrough) {
            until = _maturesAt(s, checkpoint);
        } else if (status == CheckpointStatus.Refused) {
            until = checkpoint.decidedAt + APPEAL_WINDOW;
        }
        if (block.timestamp >= until) revert NotJudgeable(checkpointId);
        return true;
    }

    function _count(
        uint256 checkpointId,
        JobState storage s,
        Checkpoint memory checkpoint,
        SignedVerdict[] calldata verdicts
    ) private returns (uint48 votes) {
        votes = checkpoint.votes;
        bytes32 domain = DOMAIN_SEPARATOR();
        bytes32 digest = s.contentDigests[_index(checkpointId)];
        bool last = checkpoint.step == s.job.totalSteps;
        for (uint256 i = 0; i < verdicts.length; ++i) {
            address signer = verdicts[i].signerOf(checkpointId, checkpoint.fence, digest, domain);
            votes = _countOne(checkpointId, s, votes, verdicts[i], signer, last);
        }
    }

    function _countOne(
        uint256 checkpointId,
        JobState storage s,
        uint48 votes,
        SignedVerdict calldata v,
        address signer,
        bool last
    ) private returns (uint48) {
        (bool seated, uint256 seat, uint256 member) = _seatOf(s, signer);
        if (!seated || v.outcome == Outcome.None || votes.hasSeat(seat)) return votes;
        bool metTarget = v.metTarget && last && v.outcome == Outcome.Accept;
        _announce(checkpointId, signer, seat, v, metTarget);
        return votes.add(member, seat, v.outcome, metTarget);
    }

    function _announce(uint256 checkpointId, address signer, uint256 seat, SignedVerdict calldata v, bool metTarget)
        private
    {
        // forge-lint: disable-next-line(unsafe-typecast)
        emit VerdictCast(checkpointId, signer, uint8(seat), v.outcome, metTarget, v.score, v.evidenceHash);
    }

    // ----- decisions ---------------------------------------------------------------------------------------------------

    function _accept(uint256 checkpointId, JobState storage s, Checkpoint memory checkpoint, bool metTarget) private {
        uint256 jobId = checkpointId >> 32;
        uint32 index = _index(checkpointId);
        _decide(s, index, CheckpointStatus.Accepted);
        LeaseRecord memory record = _lease(s, checkpoint.fence);
        emit CheckpointAccepted(checkpointId, jobId, record.provider, checkpoint.step, _payOf(s, checkpoint, record));

        Queue memory queue = _queue(s);
        bool wasFull = queue.pending >= MAX_PENDING;
        _advance(jobId, s, queue, index, checkpoint.step);
        if (checkpoint.step == s.job.totalSteps) {
            _complete(checkpointId, s, metTarget);
        } else if (wasFull && queue.pending < MAX_PENDING && s.clock.live) {
            s.clock.segmentStart = _now();
        }
    }

    function _complete(uint256 checkpointId, JobState storage s, bool metTarget) private {
        uint256 jobId = checkpointId >> 32;
        s.job.status = JobStatus.Completed;
        s.ledger.metTarget = metTarget;
        emit JobCompleted(jobId, checkpointId, metTarget);
        LeaseClock memory clock = _endIfOver(jobId, s);
        if (clock.live) _endLease(jobId, s, clock, EndCause.JobClosed, _now());
    }

    /// @dev Refused or unavailable.
    function _reject(
        uint256 checkpointId,
        JobState storage s,
        Checkpoint memory checkpoint,
        Outcome outcome,
        uint48 votes
    ) private {
        uint256 jobId = checkpointId >> 32;
        uint32 index = _index(checkpointId);
        address provider = s.leases[checkpoint.fence].provider;
        bool refused = outcome == Outcome.Refuse;
        LeaseClock memory clock = _endIfOver(jobId, s);
        if (refused) {
            _decide(s, index, CheckpointStatus.Refused);
            s.leases[checkpoint.fence].roundDue = true;
            Standing storage standing = s.standings[provider];
            (standing.barred, standing.refusals) = (true, standing.refusals + 1);
            // forge-lint: disable-next-line(unsafe-typecast)
            emit CheckpointRefused(checkpointId, jobId, provider, uint40(block.timestamp + APPEAL_WINDOW));
            emit ProviderCooling(jobId, provider, FOREVER);
        } else {
            _decide(s, index, CheckpointStatus.Unavailable);
            emit CheckpointUnavailable(checkpointId, jobId, provider);
        }

        _drop(jobId, s, _queue(s), index);
        if (clock.live && s.leases[clock.fence].provider == provider) {
            _endLease(jobId, s, clock, refused ? EndCause.Refused : EndCause.Unavailable, _now());
        } else {
            if (!refused) _cool(jobId, s, provider, block.timestamp + LONG_COOL_DOWN);
            // Its work may have been voided: the holder gets a whole segment again, as soon as it can commit.
            if (clock.live) s.clock.segmentStart = s.queue.pending >= MAX_PENDING ? 0 : _now();
        }
        if (!refused) _payRoundFromBond(checkpointId, s, checkpoint, Outcome.Unavailable, votes);
    }

    function _decide(JobState storage s, uint32 index, CheckpointStatus status) private {
        s.checkpoints[index].status = status;
        s.checkpoints[index].decidedAt = _now();
    }

    // ----- the queue after a decision ----------------------------------------------------------------------------------

    /// @dev `index` was accepted: it is the head, and what does not descend from it is orphaned.
    function _advance(uint256 jobId, JobState storage s, Queue memory queue, uint32 index, uint24 step) internal {
        (queue.head, queue.headStep) = (index, step);
        --queue.pending;
        if (queue.forked) _cull(jobId, s, queue, index, true);
        _next(jobId, s, queue, index);
    }

    /// @dev `index` was refused or is unavailable: what descends from it is void.
    function _drop(uint256 jobId, JobState storage s, Queue memory queue, uint32 index) internal {
        --queue.pending;
        _cull(jobId, s, queue, index, false);
        _next(jobId, s, queue, index);
    }

    /// @dev Walks what waits behind `index` and strikes out what cannot be accepted any more.
    /// @param keepDescendants true: strike all that does not descend from `index`; false: strike all that does.
    function _cull(uint256 jobId, JobState storage s, Queue memory queue, uint32 index, bool keepDescendants) private {
        // Bit j: index + j descends from `index`. At most some 70 can wait (8 live ones, and the dead between them).
        uint256 descends = 1;
        (queue.tail, queue.tailStep) = (queue.head, queue.headStep);
        for (uint32 i = index + 1; i <= queue.count; ++i) {
            Checkpoint memory checkpoint = _checkpoint(s, i);
            if (checkpoint.status != CheckpointStatus.Pending) continue;
            bool descendant = checkpoint.parent >= index && (descends >> (checkpoint.parent - index)) & 1 != 0;
            if (descendant) descends |= 1 << (i - index);
            if (descendant == keepDescendants) {
                (queue.tail, queue.tailStep) = (i, checkpoint.step);
            } else {
                --queue.pending;
                _strike(jobId, s, i, keepDescendants);
            }
        }
    }
}
