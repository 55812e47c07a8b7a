// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {EndCause, JobTerms, Outcome} from "../Types.sol";

/// @title Events and errors of Jobs
/// @notice One event per transition. They and the `Escrow`'s rebuild the journal and all money.
interface IJobsEvents {
    // ----- job -------------------------------------------------------------------------------------------------------

    /// @notice – → Open. The budget is locked (`Escrow.BudgetLocked`); the auction opens at once.
    event JobPosted(
        uint256 indexed jobId,
        address indexed client,
        uint8 indexed templateId,
        uint16 configId,
        address arbiter,
        address treasury,
        JobTerms terms
    );
    /// @notice The client cancelled. `drainUntil`: one last commit before; then anyone may close. `cancelFeeDue`: a round of
    /// fees is due unless something is committed until then.
    event JobCancelled(uint256 indexed jobId, uint40 drainUntil, bool cancelFeeDue);
    /// @notice Open → Closing. Pending checkpoints are judged until `judgedUntil`.
    event JobClosing(uint256 indexed jobId, uint40 judgedUntil);
    /// @notice The last step was accepted. Without `metTarget` no protocol fee is due.
    event JobCompleted(uint256 indexed jobId, uint256 indexed checkpointId, bool metTarget);
    /// @notice All paid, the rest is the client's. The four add up to the budget.
    event JobSettled(
        uint256 indexed jobId, uint256 providerPay, uint256 verifierFees, uint256 protocolFee, uint256 refund
    );

    // ----- seats -----------------------------------------------------------------------------------------------------

    /// @notice The hash of `anchorBlock` will draw. `seat` 0 to 2: that seat is being replaced; 3: all seats.
    event SeatsAnchored(uint256 indexed jobId, uint8 seat, uint40 anchorBlock, uint16 rosterSize);
    /// @notice The committee sits.
    event CommitteeSeated(uint256 indexed jobId, address[3] verifiers);
    /// @notice The draw of a replacement found nobody; the seat stays.
    event ReplacementAbandoned(uint256 indexed jobId, uint8 seat);
    /// @notice A seat no longer counts against its verifier's exit.
    event SeatReleased(uint256 indexed jobId, address indexed verifier);
    /// @notice A seat passed from `previous` to `verifier`.
    event SeatReplaced(uint256 indexed jobId, uint8 seat, address indexed previous, address indexed verifier);

    // ----- lease -----------------------------------------------------------------------------------------------------

    /// @notice None → Live. Six fees of the provider's bond are reserved (`Escrow.BondReserved`).
    event LeaseAcquired(
        uint256 indexed jobId, uint32 indexed fence, address indexed provider, uint64 pricePerStep, uint40 expiresAt
    );
    /// @notice Live → Live by renewal; a commit carries its own `expiresAt`.
    event LeaseRenewed(uint256 indexed jobId, uint32 indexed fence, uint40 expiresAt);
    /// @notice One counted attestation of an eviction, `attestedAt` in milliseconds. Two of them, then `LeaseEnded`.
    event EvictionCast(
        uint256 indexed jobId, uint32 indexed fence, address indexed verifier, uint8 seat, uint64 attestedAt
    );
    /// @notice Live → Ended. `endedAt`: when it took effect (a passive end is seen later). `openSince`: the auction's start.
    event LeaseEnded(
        uint256 indexed jobId,
        uint32 indexed fence,
        address indexed provider,
        EndCause cause,
        uint40 endedAt,
        uint40 openSince
    );
    /// @notice The provider may not lease this job until `until` (type(uint40).max: never again).
    event ProviderCooling(uint256 indexed jobId, address indexed provider, uint40 until);

    // ----- checkpoint ------------------------------------------------------------------------------------------------

    /// @notice – → Pending. `judgeableAt`: when its verdict clock started; 0 while others are before it.
    /// `expiresAt`: the renewed lease's; the lease ended with this commit when `LeaseEnded` follows.
    event CheckpointCommitted(
        uint256 indexed checkpointId,
        uint256 indexed jobId,
        uint32 indexed fence,
        uint256 parentId,
        uint32 step,
        bytes32 stateHash,
        bytes32 traceRoot,
        bool offSchedule,
        uint40 judgeableAt,
        uint40 expiresAt
    );
    /// @notice One counted vote. `metTarget` as counted.
    event VerdictCast(
        uint256 indexed checkpointId,
        address indexed verifier,
        uint8 seat,
        Outcome outcome,
        bool metTarget,
        uint32 score,
        bytes32 evidenceHash
    );
    /// @notice Pending → Accepted: the new head. `pay` is owed to `provider`, net of an off-schedule round.
    event CheckpointAccepted(
        uint256 indexed checkpointId, uint256 indexed jobId, address indexed provider, uint32 step, uint256 pay
    );
    /// @notice Pending → Refused. The provider is barred from this job.
    event CheckpointRefused(
        uint256 indexed checkpointId, uint256 indexed jobId, address indexed provider, uint40 appealUntil
    );
    /// @notice Pending → Unavailable. The round came out of the provider's bond.
    event CheckpointUnavailable(uint256 indexed checkpointId, uint256 indexed jobId, address indexed provider);
    /// @notice Pending → Void.
    event CheckpointVoided(uint256 indexed checkpointId);
    /// @notice Pending → Orphaned.
    event CheckpointOrphaned(uint256 indexed checkpointId);
    /// @notice The checkpoint at the front came to be judged; its verdict clock runs from `judgeableAt`.
    event CheckpointJudgeable(uint256 indexed checkpointId, uint40 judgeableAt);
    /// @notice Accepted → Paid. `pay` to the provider's payout wallet, `fee` to each of `voters` (0: nobody).
    event CheckpointPaid(
        uint256 indexed checkpointId, address indexed payout, uint256 pay, uint256 fee, address[3] voters
    );
    /// @notice Refused → Final. The round came out of the provider's bond.
    event RefusalFinal(uint256 indexed checkpointId, uint256 indexed jobId);
    /// @notice Refused → Overturned. The bond is free, and the bar is lifted unless another refusal of this provider on this
    /// job stands; the chain that moved on stays.
    event RefusalOverturned(uint256 indexed checkpointId, uint256 indexed jobId);
    /// @notice A dispute contests `fromId` and all accepted after it, and drains the lease.
    event ChainContested(uint256 indexed jobId, uint256 fromId, uint40 drainUntil);
    /// @notice The dispute ended for the chain: what was accepted before it began, up to `throughId`, is mature; what was
    /// accepted meanwhile has its whole dispute window from now. The drain is lifted, and the auction begins anew.
    event ChainUpheld(uint256 indexed jobId, uint256 fromId, uint256 throughId, uint40 newDeadline);
    /// @notice Accepted → Cut for all accepted from `fromId` on. The job is Closing; `headId` is the head again.
    event ChainCut(uint256 indexed jobId, uint256 fromId, uint256 headId);
    /// @notice What a lease still held of its provider's bond is free.
    event LeaseBondReleased(uint256 indexed jobId, uint32 indexed fence, address indexed provider);

    // ----- errors ----------------------------------------------------------------------------------------------------

    error NotAuthorized(address caller);
    error UnknownJob(uint256 jobId);
    error UnknownCheckpoint(uint256 checkpointId);
    error NotClient(address caller, address client);
    /// @notice The job is in another state.
    error WrongStatus(uint256 jobId, uint8 status);
    error AlreadyCancelled(uint256 jobId);
    error Draining(uint256 jobId);
    error DeadlinePassed(uint256 deadline);
    error NotClosable(uint256 jobId);

    error StaleFence(uint32 given, uint32 current);
    error LeaseExpired(uint256 endedAt);
    error LeaseHeld(uint32 fence, uint256 until);
    error LeaseNotLive(uint32 fence);
    error NotHolder(address caller, address holder);
    error NotOffering(address provider);
    error PriceAboveCeiling(uint256 price, uint256 ceiling);
    error ProviderBarred(address provider);
    error CoolingDown(address provider, uint256 until);
    error NotEligible(address provider);
    error ClientCannotLease(address provider);
    error SeatedVerifierCannotLease(address provider);
    /// @notice No acquire in the block of an eviction.
    error SameBlockAsEviction();
    error TooFewSeats(uint256 counted, uint256 needed);

    /// @notice Fewer than three verifiers are eligible (or none to replace a seat).
    error NoCommittee(uint256 eligible, uint256 needed);
    error NotSeated(uint256 jobId);
    error SeatsNotAnchored(uint256 jobId);
    error AlreadySeated(uint256 jobId);
    /// @notice The draw needs the hash of the anchor block: call again in a later block.
    error AnchorTooRecent(uint256 anchorBlock);
    error SeatNotReplaceable(uint256 jobId, uint8 seat);
    /// @notice Every member of the job still sits, or was released before.
    error NoSeatToRelease(uint256 jobId);
    error ReplacementUnderWay(uint8 seat);

    error WrongParent(uint256 given);
    error WrongStep(uint256 given, uint256 due);
    /// @notice An off-schedule release must earn at least its round of fees.
    error PayBelowRound(uint256 pay, uint256 round);
    error QueueFull(uint256 pending);
    /// @notice No vote was counted: not seated, already counted, late, or not this checkpoint's turn.
    error NoVoteCounted(uint256 checkpointId);
    error NotJudgeable(uint256 checkpointId);

    error WrongCheckpointStatus(uint256 checkpointId, uint8 status);
    error AppealWindowOpen(uint256 until);
    error WindowOver(uint256 endedAt);
    error UnderChallenge(uint256 checkpointId);
    error BondStillDue(uint256 jobId, uint32 fence);
    error NothingToPay(uint256 jobId);
    error BatchTooLarge(uint256 asked, uint256 max);
}
