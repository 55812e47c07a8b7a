// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ISettlement} from "../interfaces/ISettlement.sol";
import {VotesLib} from "../libraries/VotesLib.sol";
import "../libraries/Constants.sol";
import "../Types.sol";
import {Payouts} from "./Payouts.sol";

/// @title Contests
/// @notice What a dispute or an appeal does to a job. Only `Court` calls.
abstract contract Contests is Payouts {
    using VotesLib for uint48;

    // ----- disputes --------------------------------------------------------------------------------------------------

    /// @inheritdoc ISettlement
    function contest(uint256 checkpointId, address client)
        external
        onlyCourt
        returns (uint256 unpaid, uint16 configId)
    {
        uint256 jobId = checkpointId >> 32;
        uint32 index = _index(checkpointId);
        JobState storage s = _jobs[jobId];
        if (client != s.job.client) revert NotClient(client, s.job.client);
        Checkpoint memory checkpoint = _checkpoint(s, index);
        _requireRefused(checkpointId, checkpoint, CheckpointStatus.Accepted);
        if (s.job.contested) revert UnderChallenge(_id(jobId, s.ledger.contestedFrom));
        if (s.ledger.cut || index <= s.ledger.maturedThrough) revert WindowOver(checkpoint.decidedAt);
        uint256 until = _maturesAt(s, checkpoint);
        if (block.timestamp >= until) revert WindowOver(until);

        LeaseClock memory clock = _endIfOver(jobId, s);
        s.job.contested = true;
        s.ledger.contestedFrom = index;
        s.ledger.contestedAt = _now();
        emit ChainContested(jobId, checkpointId, clock.live ? clock.expiresAt : _now());
        (, unpaid) = _escrow().budgetOf(jobId);
        return (unpaid, s.job.configId);
    }

    /// @inheritdoc ISettlement
    function uphold(uint256 checkpointId) external onlyCourt returns (address payout) {
        uint256 jobId = checkpointId >> 32;
        JobState storage s = _jobs[jobId];
        // A lease that ran out under the drain did so without fault. The auction for the next begins now.
        LeaseClock memory clock = _endIfOver(jobId, s);
        if (!clock.live) s.clock.openSince = _now();
        s.job.contested = false;
        if (s.job.status == JobStatus.Open) s.job.deadline += _now() - s.ledger.contestedAt;
        uint32 through = _contestedThrough(s);
        s.ledger.contestedFrom = 0;
        s.ledger.contestedAt = _now();
        s.ledger.maturedThrough = through;
        emit ChainUpheld(jobId, checkpointId, _id(jobId, through), s.job.deadline);
        return _registry().payoutOf(_providerOf(s, checkpointId));
    }

    /// @dev The newest checkpoint that was accepted before the dispute began. Later ones nobody could contest yet: there are
    /// no more of them than could wait when it began, and one last commit.
    function _contestedThrough(JobState storage s) private view returns (uint32 through) {
        through = s.queue.head;
        while (through > s.ledger.contestedFrom) {
            Checkpoint memory checkpoint = _checkpoint(s, through);
            if (checkpoint.decidedAt < s.ledger.contestedAt) return through;
            through = checkpoint.parent;
        }
    }

    /// @inheritdoc ISettlement
    function cut(uint256 checkpointId, uint256 fromId) external onlyCourt returns (address[3] memory voters) {
        uint256 jobId = checkpointId >> 32;
        uint32 from = _index(fromId);
        JobState storage s = _jobs[jobId];
        Checkpoint memory checkpoint = _checkpoint(s, from);
        if (fromId >> 32 != jobId || from < s.ledger.contestedFrom) revert UnknownCheckpoint(fromId);
        _requireRefused(fromId, checkpoint, CheckpointStatus.Accepted);

        LeaseClock memory clock = _endIfOver(jobId, s);
        _voidPending(jobId, s);
        s.job.contested = false;
        s.ledger.cut = true;
        s.ledger.metTarget = false;
        s.ledger.contestedFrom = from;
        s.ledger.maturedThrough = from - 1;
        (s.queue.head, s.queue.headStep) = (checkpoint.parent, checkpoint.step - checkpoint.steps);
        (s.queue.tail, s.queue.tailStep) = (s.queue.head, s.queue.headStep);
        emit ChainCut(jobId, fromId, _id(jobId, checkpoint.parent));
        _close(jobId, s, clock);
        return _voters(s, checkpoint.votes, Outcome.Accept);
    }

    // ----- appeals ---------------------------------------------------------------------------------------------------

    /// @inheritdoc ISettlement
    function holdRefusal(uint256 checkpointId, address provider) external onlyCourt returns (uint16 configId) {
        JobState storage s = _jobs[checkpointId >> 32];
        Checkpoint memory checkpoint = _checkpoint(s, _index(checkpointId));
        _requireRefused(checkpointId, checkpoint, CheckpointStatus.Refused);
        address refused = _providerOf(s, checkpointId);
        if (provider != refused) revert NotHolder(provider, refused);
        uint256 until = checkpoint.decidedAt + APPEAL_WINDOW;
        if (block.timestamp >= until) revert WindowOver(until);
        s.checkpoints[_index(checkpointId)].status = CheckpointStatus.Appealed;
        return s.job.configId;
    }

    /// @inheritdoc ISettlement
    function finalizeRefusal(uint256 checkpointId) external onlyCourt {
        JobState storage s = _jobs[checkpointId >> 32];
        Checkpoint memory checkpoint = _checkpoint(s, _index(checkpointId));
        _requireRefused(checkpointId, checkpoint, CheckpointStatus.Appealed);
        _finalize(checkpointId, s, checkpoint);
    }

    /// @inheritdoc ISettlement
    function overturn(uint256 checkpointId)
        external
        onlyCourt
        returns (address[3] memory voters, address payout, uint256 lostPay)
    {
        uint256 jobId = checkpointId >> 32;
        JobState storage s = _jobs[jobId];
        Checkpoint memory checkpoint = _checkpoint(s, _index(checkpointId));
        _requireRefused(checkpointId, checkpoint, CheckpointStatus.Appealed);
        LeaseRecord memory record = _lease(s, checkpoint.fence);
        s.checkpoints[_index(checkpointId)].status = CheckpointStatus.Overturned;
        s.leases[checkpoint.fence].roundDue = false;
        Standing storage standing = s.standings[record.provider];
        if (--standing.refusals == 0) standing.barred = false;
        emit RefusalOverturned(checkpointId, jobId);
        _releaseBond(jobId, s, checkpoint.fence);
        return (
            _voters(s, checkpoint.votes, Outcome.Refuse),
            _registry().payoutOf(record.provider),
            _payOf(s, checkpoint, record)
        );
    }

    function _providerOf(JobState storage s, uint256 checkpointId) private view returns (address) {
        return s.leases[s.checkpoints[_index(checkpointId)].fence].provider;
    }

    function _voters(JobState storage s, uint48 votes, Outcome outcome)
        private
        view
        returns (address[3] memory voters)
    {
        for (uint256 i = 0; i < votes.count(); ++i) {
            (uint256 member,, Outcome vote,) = votes.get(i);
            if (vote == outcome) voters[i] = s.members[member].verifier;
        }
    }
}
