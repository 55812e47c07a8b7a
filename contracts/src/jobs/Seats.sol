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
        JobState storage s = _jobs[jobId];
        Panel memory panel = _panel(s);
        if (panel.anchorBlock == 0 && !panel.drawn) revert SeatsNotAnchored(jobId);
        if (panel.drawn) revert AlreadySeated(jobId);
        if (block.number <= panel.anchorBlock) revert AnchorTooRecent(panel.anchorBlock);
        if (_seatAll(jobId, s)) return;
        // The hash is lost, or verifiers were slashed since: a new anchor.
        _anchor(jobId, s, panel.anchorFence, uint8(SEATS), SEATS);
    }

    /// @dev First acquire: checks that three can be drawn and sets the anchor. Later: seats them if they do not sit yet.
    function _seatOrAnchor(uint256 jobId, JobState storage s, uint32 fence) internal {
        if (s.panel.drawn) return;
        if (s.panel.anchorBlock == 0) _anchor(jobId, s, fence, uint8(SEATS), SEATS);
        else _requireSeated(jobId, s);
    }
}
