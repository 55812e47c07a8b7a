// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IRegistry} from "../interfaces/IRegistry.sol";
import {JobTerms, Limits} from "../Types.sol";
import "./Constants.sol";

/// @title TermsLib
/// @notice Bounds of a job's terms, and the worst case that its budget must cover.
library TermsLib {
    /// @notice Reverts with the first term that is out of bounds. Template and its least fee are the caller's to check.
    function validate(JobTerms calldata t, Limits memory limits) internal view {
        if (t.specHash == 0) revert IRegistry.ZeroHash("specHash");
        if (t.genesisHash == 0) revert IRegistry.ZeroHash("genesisHash");

        _within("totalSteps", t.totalSteps, 1, MAX_STEPS);
        _within("checkpointInterval", t.checkpointInterval, 1, t.totalSteps);
        if (checkpoints(t) > MAX_CHECKPOINTS) revert IRegistry.TooManyCheckpoints(checkpoints(t), MAX_CHECKPOINTS);
        _within("maxPricePerStep", t.maxPricePerStep, 1, MAX_PRICE);
        _within("verifierFee", t.verifierFee, 1, MAX_VERIFIER_FEE);

        _within("leaseDuration", t.leaseDuration, limits.minLeaseDuration, MAX_LEASE_DURATION);
        _within("segmentTimeout", t.segmentTimeout, t.leaseDuration, MAX_SEGMENT_TIMEOUT);
        _within("pulseTimeoutMs", t.pulseTimeoutMs, MIN_PULSE_TIMEOUT_MS, MAX_PULSE_TIMEOUT_MS);
        _within("auctionRamp", t.auctionRamp, 0, MAX_AUCTION_RAMP);
        _within("verdictTimeout", t.verdictTimeout, limits.minVerdictTimeout, MAX_VERDICT_TIMEOUT);
        _within("deadline", t.deadline, block.timestamp + t.segmentTimeout, block.timestamp + MAX_TIME_TO_DEADLINE);
        _within("gracePeriod", t.gracePeriod, t.segmentTimeout, MAX_GRACE_PERIOD);
        _within("disputeWindow", t.disputeWindow, limits.minDisputeWindow, MAX_DISPUTE_WINDOW);

        uint256 least = maxLiability(t);
        if (least < ONE_USDC) least = ONE_USDC;
        _within("budget", t.budget, least, limits.maxBudget == 0 ? type(uint64).max : limits.maxBudget);
    }

    /// @notice `S·P + ⌊S·P·8 %⌋ + ⌈S/I⌉·3·verifierFee`: no course of the job can cost more.
    function maxLiability(JobTerms calldata t) internal pure returns (uint256) {
        uint256 work = uint256(t.totalSteps) * t.maxPricePerStep;
        return work + protocolFee(work) + checkpoints(t) * ROUND_FEES * t.verifierFee;
    }

    /// @notice What the treasury gets of `pay` on success.
    function protocolFee(uint256 pay) internal pure returns (uint256) {
        return pay * FEE_BPS / BPS;
    }

    /// @notice Scheduled checkpoints: `⌈S/I⌉`.
    function checkpoints(JobTerms calldata t) internal pure returns (uint256) {
        return (uint256(t.totalSteps) + t.checkpointInterval - 1) / t.checkpointInterval;
    }

    function _within(string memory term, uint256 value, uint256 min, uint256 max) private pure {
        if (value < min || value > max) revert IRegistry.TermOutOfRange(term, value, min, max);
    }
}
