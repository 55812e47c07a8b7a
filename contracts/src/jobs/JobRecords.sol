// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ISettlement} from "../interfaces/ISettlement.sol";
import "../Types.sol";
import {JobsBase} from "./JobsBase.sol";

/// @title JobRecords
/// @notice The stored records of jobs, as `Lens` reads them.
abstract contract JobRecords is JobsBase, ISettlement {
    /// @inheritdoc ISettlement
    function jobCount() external view returns (uint256) {
        return _jobCount;
    }

    /// @inheritdoc ISettlement
    function jobRecord(uint256 jobId) external view returns (Job memory) {
        return _jobs[jobId].job;
    }

    /// @inheritdoc ISettlement
    function jobHashes(uint256 jobId) external view returns (bytes32, bytes32, bytes32) {
        return (_jobs[jobId].specHash, _jobs[jobId].genesisHash, _jobs[jobId].eligibilityRoot);
    }

    /// @inheritdoc ISettlement
    function ledgerOf(uint256 jobId) external view returns (Ledger memory) {
        return _ledger(_jobs[jobId]);
    }

    /// @inheritdoc ISettlement
    function standingOf(uint256 jobId, address provider) external view returns (Standing memory) {
        return _jobs[jobId].standings[provider];
    }
}
