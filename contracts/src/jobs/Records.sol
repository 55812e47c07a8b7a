// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IJobsWork} from "../interfaces/IJobsWork.sol";
import "../Types.sol";
import {JobsBase} from "./JobsBase.sol";

/// @title Records
/// @notice The stored records of leases, checkpoints and seats, as `Lens` reads them.
abstract contract Records is JobsBase, IJobsWork {
    /// @inheritdoc IJobsWork
    function clockOf(uint256 jobId) external view returns (LeaseClock memory) {
        return _clock(_jobs[jobId]);
    }

    /// @inheritdoc IJobsWork
    function queueOf(uint256 jobId) external view returns (Queue memory) {
        return _queue(_jobs[jobId]);
    }

    /// @inheritdoc IJobsWork
    function panelOf(uint256 jobId) external view returns (Panel memory) {
        return _panel(_jobs[jobId]);
    }

    /// @inheritdoc IJobsWork
    function memberOf(uint256 jobId, uint256 index) external view returns (Member memory) {
        return _member(_jobs[jobId], index);
    }

    /// @inheritdoc IJobsWork
    function leaseRecord(uint256 jobId, uint32 fence) external view returns (LeaseRecord memory) {
        return _lease(_jobs[jobId], fence);
    }

    /// @inheritdoc IJobsWork
    function checkpointRecord(uint256 checkpointId) external view returns (Checkpoint memory, bytes32 contentDigest) {
        JobState storage s = _jobs[checkpointId >> 32];
        return (_checkpoint(s, _index(checkpointId)), s.contentDigests[_index(checkpointId)]);
    }
}
