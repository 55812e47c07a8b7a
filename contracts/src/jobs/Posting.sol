// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ISettlement} from "../interfaces/ISettlement.sol";
import "../libraries/Constants.sol";
import "../Types.sol";
import {LeaseKeeping} from "./LeaseKeeping.sol";

/// @title Posting
/// @notice Jobs begin, and clients change their mind.
abstract contract Posting is LeaseKeeping, ISettlement {
    /// @inheritdoc ISettlement
    function postJob(JobTerms calldata terms) external returns (uint256 jobId) {
        return _post(terms);
    }

    /// @inheritdoc ISettlement
    function postJobWithPermit(JobTerms calldata terms, Permit calldata permit) external returns (uint256 jobId) {
        try IERC20Permit(_escrow().usdc())
            .permit(msg.sender, ESCROW, terms.budget, permit.deadline, permit.v, permit.r, permit.s) {}
            catch {
            // Used by somebody in front of us, or no permit at all: the allowance decides.
        }
        return _post(terms);
    }

    /// @inheritdoc ISettlement
    function cancel(uint256 jobId) external {
        JobState storage s = _jobs[jobId];
        _requireStatus(jobId, JobStatus.Open);
        if (msg.sender != s.job.client) revert NotClient(msg.sender, s.job.client);
        if (s.job.cancelled) revert AlreadyCancelled(jobId);
        LeaseClock memory clock = _endIfOver(jobId, s);
        s.job.cancelled = true;
        _oweRound(jobId, s);
        emit JobCancelled(jobId, clock.live ? clock.expiresAt : _now(), s.job.cancelFeeDue);
    }

    function _post(JobTerms calldata terms) private returns (uint256 jobId) {
        (uint16 configId, address arbiter, address treasury) = _registry().admit(terms);
        jobId = ++_jobCount;
        // The money comes before the job exists, so a token that calls back finds nothing to act on.
        _escrow().lock(jobId, msg.sender, terms.budget);

        JobState storage s = _jobs[jobId];
        s.job = _pack(terms, configId);
        s.specHash = terms.specHash;
        s.genesisHash = terms.genesisHash;
        if (terms.eligibilityRoot != 0) s.eligibilityRoot = terms.eligibilityRoot;
        s.clock.openSince = _now();
        emit JobPosted(jobId, msg.sender, terms.templateId, configId, arbiter, treasury, terms);
    }

    /// @dev Every cast is safe: `Registry.admit` has bounded the terms.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _pack(JobTerms calldata t, uint16 configId) private view returns (Job memory) {
        return Job({
            client: msg.sender,
            status: JobStatus.Open,
            cancelled: false,
            contested: false,
            cancelFeeDue: false,
            restricted: t.eligibilityRoot != 0,
            verdictTimeout: uint16(t.verdictTimeout),
            disputeWindow: uint24(t.disputeWindow),
            pulseTimeoutMs: uint16(t.pulseTimeoutMs),
            totalSteps: uint24(t.totalSteps),
            checkpointInterval: uint24(t.checkpointInterval),
            maxPricePerStep: uint32(t.maxPricePerStep),
            verifierFee: uint32(t.verifierFee),
            leaseDuration: uint16(t.leaseDuration),
            segmentTimeout: uint24(t.segmentTimeout),
            auctionRamp: uint16(t.auctionRamp),
            gracePeriod: uint24(t.gracePeriod),
            templateId: t.templateId,
            deadline: t.deadline,
            configId: configId
        });
    }
}
