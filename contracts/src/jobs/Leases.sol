// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {IJobsWork} from "../interfaces/IJobsWork.sol";
import {LeaseLib} from "../libraries/LeaseLib.sol";
import {VerdictLib} from "../libraries/VerdictLib.sol";
import "../libraries/Constants.sol";
import "../Types.sol";
import {Seats} from "./Seats.sol";

/// @title Leases
/// @notice One live lease per job, numbered by fences that only rise.
abstract contract Leases is Seats {
    using VerdictLib for SignedEviction;

    // ----- provider ----------------------------------------------------------------------------------------------------

    /// @inheritdoc IJobsWork
    function acquireLease(uint256 jobId, bytes32[] calldata proof) external returns (uint32 fence) {
        JobState storage s = _jobs[jobId];
        _requireStatus(jobId, JobStatus.Open);
        if (_draining(s)) revert Draining(jobId);
        if (block.timestamp >= s.job.deadline) revert DeadlinePassed(s.job.deadline);
        LeaseClock memory clock = _endIfOver(jobId, s);
        if (clock.live) revert LeaseHeld(clock.fence, clock.expiresAt);

        (uint32 price, address payout) = _admitProvider(s, clock, proof);
        fence = clock.fence + 1;
        LeaseRecord storage record = s.leases[fence];
        record.provider = msg.sender;
        record.price = price;
        if (fence == 1) {
            _firstAnchor(jobId, s, clock);
        } else {
            _requireSeated(jobId, s);
            if (clock.markedBlock == block.number) revert SameBlockAsEviction();
            _requireNotSeated(s, payout);
        }

        clock.fence = fence;
        clock.live = true;
        clock.committed = false;
        clock.acquiredAt = _now();
        clock.expiresAt = _now() + s.job.leaseDuration;
        clock.segmentStart = s.queue.pending >= MAX_PENDING ? 0 : _now();
        _saveClock(s, clock);
        emit LeaseAcquired(jobId, fence, msg.sender, price, clock.expiresAt);

        _escrow().reserve(msg.sender, RESERVED_FEES * s.job.verifierFee, ReserveKind.Lease, _id(jobId, fence));
    }

    /// @inheritdoc IJobsWork
    function renewLease(uint256 jobId, uint32 fence) external {
        JobState storage s = _jobs[jobId];
        LeaseClock memory clock = _heldLease(s, fence);
        if (_draining(s)) revert Draining(jobId);
        _requireCommitsOpen(s);
        s.clock.expiresAt = _now() + s.job.leaseDuration;
        emit LeaseRenewed(jobId, clock.fence, s.clock.expiresAt);
    }

    /// @inheritdoc IJobsWork
    function releaseLease(uint256 jobId, uint32 fence) external {
        JobState storage s = _jobs[jobId];
        LeaseClock memory clock = _heldLease(s, fence);
        _endLease(jobId, s, clock, EndCause.Released, _now());
    }

    // ----- anyone ------------------------------------------------------------------------------------------------------

    /// @inheritdoc IJobsWork
    function evictLease(uint256 jobId, uint32 fence, SignedEviction[] calldata evictions) external {
        JobState storage s = _jobs[jobId];
        LeaseClock memory clock = _liveLease(s, fence);
        _requireSeated(jobId, s);

        uint256 counted = _countEvictions(jobId, s, clock, evictions);
        if (counted < THRESHOLD) revert TooFewSeats(counted, THRESHOLD);

        clock.markedBlock = uint32(block.number);
        _endLease(jobId, s, clock, EndCause.Evicted, _now());
    }

    // ----- shared ------------------------------------------------------------------------------------------------------

    function _requireCommitsOpen(JobState storage s) internal view {
        uint256 until = uint256(s.job.deadline) + s.job.gracePeriod;
        if (block.timestamp >= until) revert DeadlinePassed(until);
    }

    /// @dev The current lease, live and within its time.
    function _liveLease(JobState storage s, uint32 fence) internal view returns (LeaseClock memory clock) {
        clock = _clock(s);
        if (fence != clock.fence || fence == 0) revert StaleFence(fence, clock.fence);
        if (!clock.live) revert LeaseExpired(clock.openSince);
        (, uint40 endsAt) = LeaseLib.passiveEnd(clock, s.job.segmentTimeout);
        if (block.timestamp >= endsAt) revert LeaseExpired(endsAt);
    }

    function _heldLease(JobState storage s, uint32 fence) internal view returns (LeaseClock memory clock) {
        clock = _liveLease(s, fence);
        address holder = s.leases[fence].provider;
        if (msg.sender != holder) revert NotHolder(msg.sender, holder);
    }

    // ----- checks ------------------------------------------------------------------------------------------------------

    /// @dev Everything but a seat that can bar the caller; returns its price and payout wallet.
    function _admitProvider(JobState storage s, LeaseClock memory clock, bytes32[] calldata proof)
        private
        view
        returns (uint32, address)
    {
        (uint64 price, address payout) = _registry().offer(msg.sender);
        if (price == 0) revert NotOffering(msg.sender);
        address client = s.job.client;
        if (msg.sender == client || payout == client) revert ClientCannotLease(msg.sender);
        Standing memory standing = s.standings[msg.sender];
        if (standing.barred) revert ProviderBarred(msg.sender);
        if (block.timestamp < standing.coolingUntil) revert CoolingDown(msg.sender, standing.coolingUntil);
        if (s.job.restricted) {
            bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(msg.sender))));
            if (!MerkleProof.verifyCalldata(proof, s.eligibilityRoot, leaf)) revert NotEligible(msg.sender);
        }
        uint256 ceiling =
            LeaseLib.priceCeiling(clock.openSince, block.timestamp, s.job.auctionRamp, s.job.maxPricePerStep);
        if (price > ceiling) revert PriceAboveCeiling(price, ceiling);
        // forge-lint: disable-next-line(unsafe-typecast)
        return (uint32(price), payout);
    }

    /// @dev Neither the caller nor its payout wallet holds a seat.
    function _requireNotSeated(JobState storage s, address payout) private view {
        (bool caller,,) = _seatOf(s, msg.sender);
        (bool wallet,,) = _seatOf(s, payout);
        if (caller || wallet) revert SeatedVerifierCannotLease(msg.sender);
    }

    /// @dev Distinct seats whose attestation is valid now, each with its event.
    function _countEvictions(
        uint256 jobId,
        JobState storage s,
        LeaseClock memory clock,
        SignedEviction[] calldata evictions
    ) private returns (uint256 counted) {
        uint256 lastActionMs = (uint256(clock.expiresAt) - s.job.leaseDuration) * 1000;
        bytes32 domain = DOMAIN_SEPARATOR();
        uint256 signed;
        for (uint256 i = 0; i < evictions.length; ++i) {
            if (evictions[i].attestedAt <= lastActionMs || !_fresh(evictions[i].attestedAt)) continue;
            address signer = evictions[i].signerOf(jobId, clock.fence, domain);
            (bool seated, uint256 seat,) = _seatOf(s, signer);
            if (!seated || signed & (1 << seat) != 0) continue;
            signed |= 1 << seat;
            ++counted;
            // forge-lint: disable-next-line(unsafe-typecast)
            emit EvictionCast(jobId, clock.fence, signer, uint8(seat), evictions[i].attestedAt);
        }
    }

    function _fresh(uint256 attestedAt) private view returns (bool) {
        uint256 nowMs = block.timestamp * 1000;
        return attestedAt + EVICTION_MAX_AGE_MS >= nowMs && attestedAt <= nowMs + EVICTION_MAX_AHEAD_MS;
    }
}
