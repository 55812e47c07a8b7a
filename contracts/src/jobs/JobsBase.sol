// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IEscrow} from "../interfaces/IEscrow.sol";
import {IJobsEvents} from "../interfaces/IJobsEvents.sol";
import {IRegistry} from "../interfaces/IRegistry.sol";
import "../Types.sol";

/// @title JobsBase
/// @notice Storage, configuration and small shared steps of `Jobs`.
abstract contract JobsBase is IJobsEvents {
    address internal immutable ESCROW;
    address internal immutable REGISTRY;
    address internal immutable COURT;
    uint256 internal immutable APPEAL_WINDOW;
    uint256 internal immutable LONG_COOL_DOWN;
    uint256 internal immutable SHORT_COOL_DOWN;
    uint256 internal immutable MIN_VERIFIER_BOND;

    uint256 internal _jobCount;
    mapping(uint256 jobId => JobState) internal _jobs;

    modifier onlyCourt() {
        if (msg.sender != COURT) revert NotAuthorized(msg.sender);
        _;
    }

    constructor(address escrow_, address registry_, address court_, Limits memory limits_) {
        ESCROW = escrow_;
        REGISTRY = registry_;
        COURT = court_;
        APPEAL_WINDOW = limits_.appealWindow;
        LONG_COOL_DOWN = limits_.longCoolDown;
        SHORT_COOL_DOWN = limits_.shortCoolDown;
        MIN_VERIFIER_BOND = limits_.minVerifierBond;
    }

    function _id(uint256 jobId, uint256 index) internal pure returns (uint256) {
        return (jobId << 32) | index;
    }

    function _index(uint256 checkpointId) internal pure returns (uint32) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint32(checkpointId);
    }

    function _now() internal view returns (uint40) {
        return uint40(block.timestamp);
    }

    function _requireStatus(uint256 jobId, JobStatus status) internal view {
        JobStatus is_ = _jobs[jobId].job.status;
        if (is_ == JobStatus.None) revert UnknownJob(jobId);
        if (is_ != status) revert WrongStatus(jobId, uint8(is_));
    }

    // Loading and storing a packed record is a lot of code, so each is done in one place.

    function _clock(JobState storage s) internal view returns (LeaseClock memory) {
        return s.clock;
    }

    function _saveClock(JobState storage s, LeaseClock memory clock) internal {
        s.clock = clock;
    }

    function _queue(JobState storage s) internal view returns (Queue memory) {
        return s.queue;
    }

    function _saveQueue(JobState storage s, Queue memory queue) internal {
        s.queue = queue;
    }

    function _ledger(JobState storage s) internal view returns (Ledger memory) {
        return s.ledger;
    }

    function _panel(JobState storage s) internal view returns (Panel memory) {
        return s.panel;
    }

    function _member(JobState storage s, uint256 index) internal view returns (Member memory) {
        return s.members[index];
    }

    function _lease(JobState storage s, uint256 fence) internal view returns (LeaseRecord memory) {
        return s.leases[fence];
    }

    function _checkpoint(JobState storage s, uint256 index) internal view returns (Checkpoint memory) {
        return s.checkpoints[index];
    }

    function _treasury(JobState storage s) internal view returns (address) {
        return IRegistry(REGISTRY).treasuryOf(s.job.configId);
    }

    function _escrow() internal view returns (IEscrow) {
        return IEscrow(ESCROW);
    }

    function _registry() internal view returns (IRegistry) {
        return IRegistry(REGISTRY);
    }
}
