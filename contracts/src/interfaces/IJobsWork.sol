// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Checkpoint, LeaseClock, LeaseRecord, Member, Panel, Queue, SignedEviction, SignedVerdict} from "../Types.sol";
import {IJobsEvents} from "./IJobsEvents.sol";

/// @title Jobs, the work
/// @notice What happens every few seconds while a job runs: seats, leases, commits, verdicts. And the stored records.
interface IJobsWork is IJobsEvents {
    /// @notice Anyone, from the block after the first acquire: draws three seats. Commit, release, evict and cancel do it
    /// by themselves. When the anchor's hash is lost (256 blocks) it sets a new anchor instead.
    /// Reverts `WrongStatus` unless the job is Open, `SeatsNotAnchored` before the first acquire, `AlreadySeated`, `AnchorTooRecent` in the anchor's block,
    /// `NoCommittee` when a new anchor finds fewer than three eligible.
    function seatCommittee(uint256 jobId) external;

    /// @notice Anyone: replaces a seat that is silent past `verdictTimeout` on the checkpoint being judged, while it may still
    /// vote (which costs it 1 % of the minimum bond), leaving, or suspended. First call: fault, slash and anchor. Second call, in a later
    /// block: draw. Votes already cast stay, and count for the seat. One replacement at a time.
    /// Reverts `SeatNotReplaceable` without a fault, `ReplacementUnderWay` for another seat meanwhile, `NoCommittee` when
    /// nobody else is eligible, `AnchorTooRecent` in the anchor's block, `WrongStatus` once settled.
    /// @param seat 0 to 2.
    function replaceSeat(uint256 jobId, uint8 seat) external;

    /// @notice Takes the lease at the caller's registered price. Reserves six fees of its bond.
    /// Reverts, in this order: `UnknownJob`, `WrongStatus` unless Open, `Draining`, `DeadlinePassed`, `LeaseHeld`,
    /// `NotOffering` (not registered, paused, leaving), `ClientCannotLease`, `ProviderBarred`, `CoolingDown`, `NotEligible`,
    /// `PriceAboveCeiling`, `NoCommittee` (first lease) or `AnchorTooRecent`, `NotSeated`, `SameBlockAsEviction`,
    /// `SeatedVerifierCannotLease` (later ones), `IEscrow.BondTooSmall`.
    /// @param proof Merkle proof for `eligibilityRoot`; empty when it is 0.
    /// @return fence to be carried by every call under this lease.
    function acquireLease(uint256 jobId, bytes32[] calldata proof) external returns (uint32 fence);

    /// @notice Holder, not while draining: the lease runs `leaseDuration` from now; the segment's clock is not touched.
    /// Reverts `StaleFence`, `LeaseExpired`, `NotHolder`, `Draining`, `DeadlinePassed` past deadline and grace.
    function renewLease(uint256 jobId, uint32 fence) external;

    /// @notice Holder: ends the lease. Without a commit of its own it forfeits `SQUAT` and cools down, unless the job drains; so
    /// does a lease that stalls, or expires with room in the queue, without one.
    /// Reverts `StaleFence`, `LeaseExpired`, `NotHolder`.
    function releaseLease(uint256 jobId, uint32 fence) external;

    /// @notice Holder: commits a checkpoint, which renews the lease, or ends it with `release` or while draining.
    /// Reverts `StaleFence`, `LeaseExpired`, `NotHolder`, `DeadlinePassed` past deadline and grace, `AnchorTooRecent`,
    /// `NotSeated`, `QueueFull` at eight pending (nine for a commit that ends the lease), `WrongParent`, `WrongStep`,
    /// `PayBelowRound` off schedule.
    /// @param parentId 0: genesis. First commit of a lease (or after its work was voided): the head or the tip of the
    /// queue. Later: the lease's previous commit.
    /// @param step the next multiple of the interval after the parent's, or the last step; with `release` any step up to it.
    /// @param stateHash SHA-256 of the bytes. @param traceRoot Merkle root of the trace.
    /// @return checkpointId `jobId << 32 | index`.
    function commitCheckpoint(
        uint256 jobId,
        uint32 fence,
        uint256 parentId,
        uint32 step,
        bytes32 stateHash,
        bytes32 traceRoot,
        bool release
    ) external returns (uint256 checkpointId);

    /// @notice Anyone: counts signed verdicts of seated verifiers. Two equal (outcome, metTarget) decide; three different
    /// are Unavailable. A third vote counts until maturity. Votes that do not count are skipped.
    /// Reverts `UnknownCheckpoint`, `NotJudgeable` (not its turn, decided and past maturity, or the job closed too long ago),
    /// `NoVoteCounted`.
    function castVerdicts(uint256 checkpointId, SignedVerdict[] calldata verdicts) external;

    /// @notice Anyone: ends a live lease on two seats' word. Takes the lease, never money. An attestation is valid while
    /// at most 30 s old, at most 5 s ahead, and later than the last lease action; others are skipped.
    /// Reverts `StaleFence`, `LeaseExpired`, `AnchorTooRecent`, `NotSeated`, `TooFewSeats`.
    function evictLease(uint256 jobId, uint32 fence, SignedEviction[] calldata evictions) external;

    /// @notice Version of events, EIP-712 types and rules; daemons refuse another.
    function PROTOCOL_VERSION() external view returns (uint256);

    /// @notice EIP-712: name "GPUChain", version of `PROTOCOL_VERSION`, this chain, this contract.
    function DOMAIN_SEPARATOR() external view returns (bytes32);

    function escrow() external view returns (address);

    function registry() external view returns (address);

    function court() external view returns (address);

    /// @notice Holds the code of `ISettlement`, which this contract runs on its own storage.
    function settlement() external view returns (address);

    // ----- stored records; `Lens` derives from them what a daemon asks -----------------------------------------------

    function clockOf(uint256 jobId) external view returns (LeaseClock memory);
    function queueOf(uint256 jobId) external view returns (Queue memory);
    function panelOf(uint256 jobId) external view returns (Panel memory);
    function memberOf(uint256 jobId, uint256 index) external view returns (Member memory);
    function leaseRecord(uint256 jobId, uint32 fence) external view returns (LeaseRecord memory);
    /// @notice The packed record and keccak256(abi.encode(stateHash, traceRoot)).
    function checkpointRecord(uint256 checkpointId) external view returns (Checkpoint memory, bytes32 contentDigest);
}
