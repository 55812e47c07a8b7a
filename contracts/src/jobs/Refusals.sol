// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ISettlement} from "../interfaces/ISettlement.sol";
import "../libraries/Constants.sol";
import "../Types.sol";
import {QueueKeeping} from "./QueueKeeping.sol";

/// @title Refusals
/// @notice How a refusal becomes final, and when a lease's reservation is free.
abstract contract Refusals is QueueKeeping, ISettlement {
    /// @inheritdoc ISettlement
    function releaseBond(uint256 jobId, uint32 fence) external {
        JobState storage s = _jobs[jobId];
        _endIfOver(jobId, s);
        LeaseRecord memory record = _lease(s, fence);
        if (
            record.provider == address(0) || record.cause == EndCause.None || record.released || record.roundDue
                || (record.lastIndex != 0 && s.queue.cursor <= record.lastIndex)
        ) revert BondStillDue(jobId, fence);
        _releaseBond(jobId, s, fence);
    }

    /// @inheritdoc ISettlement
    function settleRefusal(uint256 checkpointId) external {
        JobState storage s = _jobs[checkpointId >> 32];
        Checkpoint memory checkpoint = _checkpoint(s, _index(checkpointId));
        if (checkpoint.status == CheckpointStatus.Appealed) revert UnderChallenge(checkpointId);
        _requireRefused(checkpointId, checkpoint, CheckpointStatus.Refused);
        uint256 until = checkpoint.decidedAt + APPEAL_WINDOW;
        if (block.timestamp < until) revert AppealWindowOpen(until);
        _finalize(checkpointId, s, checkpoint);
    }

    function _requireRefused(uint256 checkpointId, Checkpoint memory checkpoint, CheckpointStatus status)
        internal
        pure
    {
        if (checkpoint.status == CheckpointStatus.None) revert UnknownCheckpoint(checkpointId);
        if (checkpoint.status != status) revert WrongCheckpointStatus(checkpointId, uint8(checkpoint.status));
    }

    /// @dev Refused for good: the round of fees comes out of the provider's reservation, the rest of that is free.
    function _finalize(uint256 checkpointId, JobState storage s, Checkpoint memory checkpoint) internal {
        s.checkpoints[_index(checkpointId)].status = CheckpointStatus.Final;
        s.leases[checkpoint.fence].roundDue = false;
        emit RefusalFinal(checkpointId, checkpointId >> 32);
        _payRoundFromBond(checkpointId, s, checkpoint, Outcome.Refuse, checkpoint.votes);
        _releaseBond(checkpointId >> 32, s, checkpoint.fence);
    }

    /// @dev Frees what the reservation still holds.
    function _releaseBond(uint256 jobId, JobState storage s, uint32 fence) internal {
        LeaseRecord storage record = s.leases[fence];
        record.released = true;
        uint256 left = RESERVED_FEES - record.feesTaken;
        emit LeaseBondReleased(jobId, fence, record.provider);
        if (left != 0) _escrow().release(record.provider, left * s.job.verifierFee, _id(jobId, fence));
    }
}
