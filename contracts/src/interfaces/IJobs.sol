// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {
    Checkpoint,
    EndCause,
    Job,
    JobTerms,
    LeaseClock,
    LeaseRecord,
    Ledger,
    Member,
    Outcome,
    Panel,
    Permit,
    Queue,
    SignedEviction,
    SignedVerdict,
    Standing
} from "../Types.sol";

/// @title Jobs
/// @notice Terms, seats, leases with fencing tokens, checkpoints, verdicts, payouts. Every state has a timed exit and
/// every step that is not a party's own choice may be called by anyone.
/// `checkpointId = jobId << 32 | index`; index 0 is genesis, so a parent of 0 in `commitCheckpoint` means genesis.
/// All intervals are half-open: at the boundary the later rule holds.
/// @dev Warning: seats are drawn by a block hash that a sequencer can bias; an outcome is safe only while fewer than two
/// of three seats collude. That is why budgets are capped at ten minimum verifier bonds on public networks.
interface IJobs {
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
    /// @notice The client cancelled. `drainUntil`: one last commit before; then anyone may close.
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
    /// @notice A seat passed from `previous` to `verifier`.
    event SeatReplaced(uint256 indexed jobId, uint8 seat, address indexed previous, address indexed verifier);

    // ----- lease -----------------------------------------------------------------------------------------------------

    /// @notice None → Live. Six fees of the provider's bond are reserved (`Escrow.BondReserved`).
    event LeaseAcquired(
        uint256 indexed jobId, uint32 indexed fence, address indexed provider, uint64 pricePerStep, uint40 expiresAt
    );
    /// @notice Live → Live by renewal; a commit carries its own `expiresAt`.
    event LeaseRenewed(uint256 indexed jobId, uint32 indexed fence, uint40 expiresAt);
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
    /// @notice Refused → Overturned. The bar is lifted, the bond is free; the chain that moved on stays.
    event RefusalOverturned(uint256 indexed checkpointId, uint256 indexed jobId);
    /// @notice A dispute contests `fromId` and all accepted after it, and drains the lease.
    event ChainContested(uint256 indexed jobId, uint256 fromId, uint40 drainUntil);
    /// @notice The dispute ended for the chain: accepted checkpoints up to `throughId` are mature; the drain is lifted.
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

    error NotSeated(uint256 jobId);
    error SeatsNotAnchored(uint256 jobId);
    error AlreadySeated(uint256 jobId);
    /// @notice The draw needs the hash of the anchor block: call again in a later block.
    error AnchorTooRecent(uint256 anchorBlock);
    error SeatNotReplaceable(uint256 jobId, uint8 seat);
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

    // ----- client ----------------------------------------------------------------------------------------------------

    /// @notice Posts a job and pulls `terms.budget` from the caller into the `Escrow` (approve the `Escrow` before).
    function postJob(JobTerms calldata terms) external returns (uint256 jobId);

    /// @notice `postJob` with an EIP-2612 permit. A permit that fails (or was front-run) is ignored: the allowance decides.
    function postJobWithPermit(JobTerms calldata terms, Permit calldata permit) external returns (uint256 jobId);

    /// @notice Client, once, while Open: no acquire or renewal from now on, one last commit while the lease lives.
    function cancel(uint256 jobId) external;

    // ----- seats -----------------------------------------------------------------------------------------------------

    /// @notice Anyone, from the block after the first acquire: draws three seats. Commit, release, evict and cancel do it
    /// by themselves. When the anchor's hash is lost (256 blocks) it sets a new anchor instead.
    function seatCommittee(uint256 jobId) external;

    /// @notice Anyone: replaces a seat that is silent past `verdictTimeout` on the checkpoint being judged (which costs it
    /// 1 % of the minimum bond), leaving, or suspended. First call: fault, slash and anchor. Second call, in a later
    /// block: draw. Votes already cast stay.
    /// @param seat 0 to 2.
    function replaceSeat(uint256 jobId, uint8 seat) external;

    // ----- provider --------------------------------------------------------------------------------------------------

    /// @notice Takes the lease at the caller's registered price. Reserves six fees of its bond.
    /// @param proof Merkle proof for `eligibilityRoot`; empty when it is 0.
    /// @return fence to be carried by every call under this lease.
    function acquireLease(uint256 jobId, bytes32[] calldata proof) external returns (uint32 fence);

    /// @notice Holder, not while draining: the lease runs `leaseDuration` from now.
    function renewLease(uint256 jobId, uint32 fence) external;

    /// @notice Holder: ends the lease. Without a commit of its own it forfeits `SQUAT`.
    function releaseLease(uint256 jobId, uint32 fence) external;

    /// @notice Holder: commits a checkpoint, which renews the lease, or ends it with `release` or while draining.
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

    /// @notice Anyone: frees what an ended lease still holds of its provider's bond, once its last checkpoint is decided
    /// and past appeal.
    function releaseBond(uint256 jobId, uint32 fence) external;

    // ----- judging ---------------------------------------------------------------------------------------------------

    /// @notice Anyone: counts signed verdicts of seated verifiers. Two equal (outcome, metTarget) decide; three different
    /// are Unavailable. A third vote counts until maturity. Votes that do not count are skipped; reverts if none counts.
    function castVerdicts(uint256 checkpointId, SignedVerdict[] calldata verdicts) external;

    /// @notice Anyone: ends a live lease on two seats' word. Takes the lease, never money. An attestation is valid while
    /// at most 30 s old, at most 5 s ahead, and later than the last lease action.
    function evictLease(uint256 jobId, uint32 fence, SignedEviction[] calldata evictions) external;

    // ----- ends ------------------------------------------------------------------------------------------------------

    /// @notice Anyone: pays up to `max` (≤ 50) mature checkpoints in chain order, and settles the job when all is done.
    function payOut(uint256 jobId, uint256 max) external;

    /// @notice Anyone: Open → Closing, when a cancelled job's lease is over, past `deadline + gracePeriod`, or when two
    /// seats stay silent for three verdict timeouts and nobody can replace them.
    function close(uint256 jobId) external;

    /// @notice Anyone: Refused → Final once the appeal window is over without an appeal.
    function settleRefusal(uint256 checkpointId) external;

    // ----- for Court -------------------------------------------------------------------------------------------------

    /// @notice A dispute opens. Returns what is unpaid of the budget and the job's config.
    function contest(uint256 checkpointId, address client) external returns (uint256 unpaid, uint16 configId);

    /// @notice A dispute is upheld or lapses. Returns the provider of the checkpoint.
    function uphold(uint256 checkpointId) external returns (address payout);

    /// @notice A dispute cuts the chain from `fromId` on, which must be contested. Returns the Accept voters of `fromId`.
    function cut(uint256 checkpointId, uint256 fromId) external returns (address[3] memory voters);

    /// @notice An appeal opens: settling waits. Returns the job's config.
    function holdRefusal(uint256 checkpointId, address provider) external returns (uint16 configId);

    /// @notice An appeal is rejected or lapses.
    function finalizeRefusal(uint256 checkpointId) external;

    /// @notice An appeal is granted. Returns the Refuse voters, the provider's payout wallet and its lost pay.
    function overturn(uint256 checkpointId) external returns (address[3] memory voters, address payout, uint256 lostPay);

    // ----- stored records; `Lens` derives from them what a daemon asks -----------------------------------------------

    function PROTOCOL_VERSION() external view returns (uint256);
    /// @notice EIP-712: name "GPUChain", version of `PROTOCOL_VERSION`, this chain, this contract.
    function DOMAIN_SEPARATOR() external view returns (bytes32);
    function jobCount() external view returns (uint256);
    function jobRecord(uint256 jobId) external view returns (Job memory);
    /// @notice specHash, genesisHash, eligibilityRoot.
    function jobHashes(uint256 jobId) external view returns (bytes32, bytes32, bytes32);
    function clockOf(uint256 jobId) external view returns (LeaseClock memory);
    function queueOf(uint256 jobId) external view returns (Queue memory);
    function ledgerOf(uint256 jobId) external view returns (Ledger memory);
    function panelOf(uint256 jobId) external view returns (Panel memory);
    function memberOf(uint256 jobId, uint256 index) external view returns (Member memory);
    function leaseRecord(uint256 jobId, uint32 fence) external view returns (LeaseRecord memory);
    /// @notice The packed record and keccak256(abi.encode(stateHash, traceRoot)).
    function checkpointRecord(uint256 checkpointId) external view returns (Checkpoint memory, bytes32 contentDigest);
    function standingOf(uint256 jobId, address provider) external view returns (Standing memory);
    function escrow() external view returns (address);
    function registry() external view returns (address);
    function court() external view returns (address);
}
