// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IJobsWork} from "../interfaces/IJobsWork.sol";
import {VerdictLib} from "../libraries/VerdictLib.sol";
import "../libraries/Constants.sol";
import "../Types.sol";
import {LeaseKeeping} from "./LeaseKeeping.sol";

/// @title Seats
/// @notice The first draw, and the domain in which seats sign.
abstract contract Seats is LeaseKeeping, IJobsWork {
    bytes32 private immutable DOMAIN;
    uint256 private immutable CHAIN_ID;

    constructor() {
        CHAIN_ID = block.chainid;
        DOMAIN = VerdictLib.domainSeparator(address(this));
    }

    /// @inheritdoc IJobsWork
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return block.chainid == CHAIN_ID ? DOMAIN : VerdictLib.domainSeparator(address(this));
    }

    /// @inheritdoc IJobsWork
    function seatCommittee(uint256 jobId) external {
        // Without seats no checkpoint was committed, so a job that left Open has nothing to be judged.
        _requireStatus(jobId, JobStatus.Open);
        JobState storage s = _jobs[jobId];
        if (s.clock.fence == 0) revert SeatsNotAnchored(jobId);
        Panel memory panel = _anchoredPanel(s);
        if (panel.drawn) revert AlreadySeated(jobId);
        if (block.number <= panel.anchorBlock) revert AnchorTooRecent(panel.anchorBlock);
        if (_seatAll(jobId, s, panel)) return;
        // The hash is lost, or verifiers were slashed since: a new anchor.
        // forge-lint: disable-next-line(unsafe-typecast)
        _anchor(jobId, s, panel.anchorFence, uint8(SEATS), SEATS);
    }

    /// @dev The first lease's block is the anchor of the first draw, if three verifiers are eligible for it.
    function _firstAnchor(uint256 jobId, JobState storage s, LeaseClock memory clock) internal {
        Panel memory panel;
        panel.anchorFence = 1;
        clock.markedBlock = uint32(block.number);
        clock.rosterSize = _rosterWith(jobId, s, panel, SEATS);
        // forge-lint: disable-next-line(unsafe-typecast)
        emit SeatsAnchored(jobId, uint8(SEATS), clock.markedBlock, clock.rosterSize);
    }
}
