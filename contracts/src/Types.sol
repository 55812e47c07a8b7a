// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

// Every struct and enum that crosses a contract boundary. Money is in base units of USDC (6 decimals), times are block
// timestamps in seconds unless a name says otherwise, steps are optimizer steps counted from 0 (the genesis state).

/// @dev What a client asks for. Immutable once posted. Bounds: PROTOCOL section 10.
struct JobTerms {
    /// Id of an approved workload template in the `Registry`.
    uint8 templateId;
    /// SHA-256 of the canonical (RFC 8785) job spec. The spec is a blob, found by this hash.
    bytes32 specHash;
    /// SHA-256 of the initial training state.
    bytes32 genesisHash;
    /// Merkle root of the providers that may lease (OpenZeppelin's standard tree over one address). 0: any provider.
    bytes32 eligibilityRoot;
    uint32 totalSteps;
    /// A checkpoint is due at every multiple of this and at the last step.
    uint32 checkpointInterval;
    /// Ceiling of the reverse Dutch auction.
    uint64 maxPricePerStep;
    /// What one counted vote earns.
    uint64 verifierFee;
    /// A lease lasts this long after acquire, commit or renewal.
    uint32 leaseDuration;
    /// A lease stalls when this long passes without a commit.
    uint32 segmentTimeout;
    /// Milliseconds of silence after a closed connection; used off chain by the seats' pulse.
    uint32 pulseTimeoutMs;
    /// Seconds over which the ceiling rises from 0 to `maxPricePerStep`. 0: at once.
    uint32 auctionRamp;
    /// Seconds that a seat has for its vote, from `judgeableAt`.
    uint32 verdictTimeout;
    /// No new lease from here on.
    uint40 deadline;
    /// No commit from `deadline + gracePeriod` on.
    uint32 gracePeriod;
    /// Seconds between acceptance and maturity.
    uint32 disputeWindow;
    /// Locked at posting; at least the worst case, so never short.
    uint64 budget;
}

/// @dev EIP-2612 signature for `budget`, spender `Escrow`.
struct Permit {
    uint256 deadline;
    uint8 v;
    bytes32 r;
    bytes32 s;
}

enum JobStatus {
    None,
    Open,
    Closing,
    Completed,
    Settled
}

/// @dev Why a lease ended. `None` while it lives.
enum EndCause {
    None,
    Released,
    Expired,
    Stalled,
    Evicted,
    Refused,
    Unavailable,
    JobClosed
}

enum CheckpointStatus {
    None,
    Pending,
    /// Judged good; owed.
    Accepted,
    /// Judged bad; the appeal window runs.
    Refused,
    /// Bytes not to be had (or three different votes). Nobody is barred.
    Unavailable,
    /// Descends from a refused or unavailable one, or was not judged in time. Unpaid, costs nobody anything.
    Void,
    /// Does not descend from the accepted head. Unpaid, costs nobody anything.
    Orphaned,
    Paid,
    /// Accepted once, then cut by the arbiter.
    Cut,
    /// Refused and past appeal.
    Final,
    /// Refused, then overturned by the arbiter.
    Overturned,
    /// Refused and under appeal.
    Appealed
}

enum Outcome {
    None,
    Accept,
    Refuse,
    Unavailable
}

/// @dev EIP-712 `Verdict(uint256 jobId,uint32 fence,uint256 checkpointId,bytes32 contentDigest,uint8 outcome,
/// bool metTarget,uint32 score,bytes32 evidenceHash)` in the domain of `Jobs`. What the contract knows is not repeated here.
struct SignedVerdict {
    Outcome outcome;
    /// Counts only for an Accept of the last step; read as false elsewhere.
    bool metTarget;
    /// The template's metric in 1e-6.
    uint32 score;
    /// keccak256(abi.encode(predictionsRoot, verifier, checkpointId)).
    bytes32 evidenceHash;
    /// Compact (EIP-2098) signature.
    bytes32 r;
    bytes32 vs;
}

/// @dev EIP-712 `Eviction(uint256 jobId,uint32 fence,uint64 attestedAt)` in the domain of `Jobs`.
struct SignedEviction {
    /// Milliseconds of chain time.
    uint64 attestedAt;
    bytes32 r;
    bytes32 vs;
}

/// @dev What differs between a public network and a local chain. The rest are constants of `Constants.sol`.
struct Limits {
    uint32 minLeaseDuration;
    uint32 minVerdictTimeout;
    uint32 minDisputeWindow;
    /// Largest budget; 0: no cap. Ten minimum verifier bonds on public networks, since two colluding seats could take it.
    uint64 maxBudget;
    uint64 minProviderBond;
    uint64 minVerifierBond;
    /// From refusal to finality, unless appealed.
    uint32 appealWindow;
    /// The arbiter's time; after it a challenge lapses.
    uint32 arbiterPeriod;
    /// From `requestExit` to `withdrawBond`.
    uint32 unbondingPeriod;
    /// From a verifier's registration to its first draw.
    uint32 drawDelay;
    /// After an expired, stalled or unavailable lease.
    uint32 longCoolDown;
    /// After an empty release (or twice the ramp, if longer) and after the second eviction.
    uint32 shortCoolDown;
}

/// @dev Arbiter and treasury, append-only in the `Registry`; each job pins one by id.
struct Config {
    address arbiter;
    address treasury;
}

struct Template {
    string name;
    /// Least `verifierFee` of a job of this template.
    uint64 minVerifierFee;
    bool approved;
}

/// @dev What a provider says of itself. All of it is self-reported.
struct ProviderProfile {
    string name;
    /// At least 1 base unit.
    uint64 pricePerStep;
    bytes32 deviceHash;
    /// X25519 public key.
    bytes32 encryptionKey;
    /// JSON; in the event only, `deviceHash` is its keccak256 by convention.
    string metadata;
}

struct Provider {
    address payout;
    uint64 pricePerStep;
    bool registered;
    bool accepting;
    /// 0 unless leaving; the bond can be withdrawn from here on.
    uint40 exitAt;
    bytes32 deviceHash;
    bytes32 encryptionKey;
    string name;
}

struct VerifierProfile {
    /// Base URL of its gateway.
    string endpoint;
    /// X25519 public key, to which held-out keys are sealed.
    bytes32 encryptionKey;
    /// Least `verifierFee` for which it may be seated.
    uint64 minFee;
    /// Bit i: willing to judge template i.
    uint16 templateMask;
}

/// @dev Whom to draw as judges. Everything is as it was at the anchor, so that nothing done later changes the draw.
struct DrawRequest {
    uint256 jobId;
    /// Mixes the anchor's block hash with job and seat.
    bytes32 seed;
    /// 0: now (counting only).
    uint40 anchorTime;
    uint16 rosterSize;
    uint8 templateId;
    uint64 fee;
    /// Passed over, with the holder's payout wallet at the anchor.
    address client;
    address holder;
    /// How many to draw.
    uint256 seats;
    /// Members of the job, never drawn again.
    address[] members;
}

enum VerifierStatus {
    None,
    Active,
    /// Its bond fell below the minimum; `depositBond` brings it back.
    Suspended,
    Exiting
}

struct Verifier {
    address account;
    uint16 id;
    VerifierStatus status;
    /// In draws anchored from here on.
    uint40 activeFrom;
    /// In no draw anchored from here on; 0 while active.
    uint40 activeUntil;
    /// 0 unless leaving; the bond can be withdrawn from here on, once `seats` is 0. Starts anew when the last seat is left.
    uint40 exitAt;
    /// Seats held on unsettled jobs.
    uint32 seats;
    uint64 minFee;
    uint16 templateMask;
    /// A change of the two above, and when it takes effect; 0: none.
    uint64 nextMinFee;
    uint16 nextTemplateMask;
    uint40 nextFrom;
    bytes32 encryptionKey;
    string endpoint;
}

/// @dev One slot of the `Escrow` per account.
struct Balance {
    /// What `withdraw` pays.
    uint80 claimable;
    /// Bond, reserved part included.
    uint80 bond;
    /// The part of the bond that leases and challenges hold.
    uint80 reserved;
}

/// @dev Why money left a job's budget.
enum CreditKind {
    ProviderPay,
    VerifierFee,
    CancelFee,
    ProtocolFee,
    Refund
}

/// @dev Money that leaves a job's budget.
struct Credit {
    address account;
    uint80 amount;
    CreditKind kind;
}

/// @dev Why a bond was reserved.
enum ReserveKind {
    Lease,
    Challenge
}

/// @dev Why money left a bond without its owner's call.
enum SlashKind {
    /// The round of fees of a refused or unavailable checkpoint, to the seats.
    Round,
    /// A lease expired, stalled or released without a commit, to the treasury.
    Squat,
    /// A seat silent past `verdictTimeout`, to the treasury.
    MissedSeat,
    /// Voters of a cut checkpoint, to the client.
    CutVote,
    /// Voters of an overturned refusal, to the provider up to its lost pay, then to the treasury.
    OverturnedVote,
    /// Two verdicts of one verifier on one checkpoint: half to the reporter, half to the treasury.
    Equivocation,
    /// A challenge's bond, lost.
    ChallengeLost
}

enum ChallengeKind {
    None,
    Dispute,
    Appeal
}

enum ChallengeState {
    None,
    Open,
    /// Dispute: the accepted chain stands.
    Upheld,
    /// Dispute: the chain was cut.
    Cut,
    /// Appeal: the refusal was overturned.
    Granted,
    /// Appeal: the refusal stands.
    Rejected,
    /// The arbiter stayed silent; the verdict stands and the bond went back.
    Lapsed
}

/// @dev A dispute of an accepted checkpoint or an appeal against a refusal.
struct Challenge {
    ChallengeKind kind;
    ChallengeState state;
    address opener;
    uint40 openedAt;
    uint64 bond;
    uint16 configId;
    bytes32 reasonHash;
}

// ---------------------------------------------------------------------------------------------------------------------
// Stored records of `Jobs`: one storage slot each (`Job`: see the slot comments). Daemons read them through `Lens`.
// ---------------------------------------------------------------------------------------------------------------------

struct Job {
    // slot: who, state, how judged
    address client;
    JobStatus status;
    /// The client has cancelled: no acquire, no renewal, one last commit.
    bool cancelled;
    /// A dispute is open: the same, until it is upheld or lapses.
    bool contested;
    /// One round of fees comes out of the budget when nothing is ever committed: to the seats, or to the treasury when none
    /// were drawn.
    bool cancelFeeDue;
    /// `eligibilityRoot` is set.
    bool restricted;
    uint16 verdictTimeout;
    uint24 disputeWindow;
    uint16 pulseTimeoutMs;
    // slot: what leases and commits read
    uint24 totalSteps;
    uint24 checkpointInterval;
    uint32 maxPricePerStep;
    uint32 verifierFee;
    uint16 leaseDuration;
    uint24 segmentTimeout;
    uint16 auctionRamp;
    uint24 gracePeriod;
    uint8 templateId;
    /// Shifts by the length of an upheld or lapsed dispute.
    uint40 deadline;
    uint16 configId;
}

/// @dev The clock of the current lease and of the auction for the next.
struct LeaseClock {
    /// The newest fence; only rises.
    uint32 fence;
    bool live;
    /// The lease has committed; its last commit is then the newest of the job.
    bool committed;
    uint40 acquiredAt;
    /// The last lease action (acquire, commit, renewal) was `leaseDuration` before.
    uint40 expiresAt;
    /// From here `segmentTimeout` runs; 0 while the queue is full.
    uint40 segmentStart;
    /// From here the price ceiling rises; meaningless while a lease is live.
    uint40 openSince;
    /// Before the committee sits: the block whose hash draws it, with `acquiredAt` its time. After: the block of the last
    /// eviction, in which nobody may acquire. (One field for both saves a slot at the first acquire.)
    uint32 markedBlock;
    /// Size of the verifier roster at the first anchor.
    uint16 rosterSize;
}

/// @dev The accepted chain and what waits behind it. Index 0 is genesis, checkpoints count from 1 in commit order.
struct Queue {
    uint32 head;
    uint24 headStep;
    /// The checkpoint being judged; `count + 1` when none waits.
    uint32 cursor;
    uint32 count;
    /// The newest checkpoint that can still be accepted; `head` when none waits.
    uint32 tail;
    uint24 tailStep;
    uint8 pending;
    /// Some lease since the queue was last empty built on the head beside pending work.
    bool forked;
    /// When the checkpoint at `cursor` came to be judged.
    uint40 judgeableAt;
}

struct Ledger {
    /// The next index to pay or pass over.
    uint32 payCursor;
    /// Sum of the pay credited to providers.
    uint64 providerPay;
    /// Open dispute: first contested index. After a cut: first unpaid index. 0: none.
    uint32 contestedFrom;
    bool cut;
    /// Open dispute: since when. After one: when it was ruled, from where the windows run of what was accepted meanwhile.
    uint40 contestedAt;
    /// Accepted checkpoints up to here are mature, whatever their window.
    uint32 maturedThrough;
    uint40 closedAt;
    /// The last step was accepted and met the target.
    bool metTarget;
}

struct Panel {
    /// Indices of the sitting members.
    uint8[3] seats;
    uint8 memberCount;
    bool drawn;
    /// 1 to 3: the seat that is being replaced. 0: none.
    uint8 replacing;
    /// 0: no draw is under way, or it is the first one (see `LeaseClock`).
    uint40 anchorBlock;
    uint40 anchorTime;
    /// Size of the verifier roster at the anchor.
    uint16 rosterSize;
    /// The lease that set the anchor; its holder is skipped.
    uint32 anchorFence;
}

/// @dev A verifier that holds or held a seat of a job.
struct Member {
    address verifier;
    uint16 verifierId;
    uint40 seatedAt;
    /// `releaseSeats` has told the registry.
    bool left;
}

/// @dev What a lease leaves behind, by job and fence.
struct LeaseRecord {
    address provider;
    uint32 price;
    /// Index of the job's newest checkpoint when the lease ended; 0 when it committed nothing.
    uint32 lastIndex;
    EndCause cause;
    /// Of the six reserved fees, how many were taken.
    uint8 feesTaken;
    /// A refusal waits to be final: no release before.
    bool roundDue;
    /// The reservation is gone.
    bool released;
}

struct Checkpoint {
    uint32 fence;
    uint32 parent;
    uint24 step;
    /// Steps since the parent: what is paid.
    uint24 steps;
    CheckpointStatus status;
    /// Released at a step that was not due: its round of fees comes out of its pay.
    bool offSchedule;
    uint40 committedAt;
    uint40 decidedAt;
    /// Three votes of 16 bits each, see `VotesLib`.
    uint48 votes;
}

/// @dev Everything `Jobs` stores of one job, side by side.
struct JobState {
    Job job;
    LeaseClock clock;
    Queue queue;
    Ledger ledger;
    Panel panel;
    bytes32 specHash;
    bytes32 genesisHash;
    bytes32 eligibilityRoot;
    mapping(uint256 index => Member) members;
    mapping(uint256 fence => LeaseRecord) leases;
    mapping(uint256 index => Checkpoint) checkpoints;
    mapping(uint256 index => bytes32) contentDigests;
    mapping(address provider => Standing) standings;
}

/// @dev A provider's record on one job.
struct Standing {
    /// Refused: never again on this job.
    bool barred;
    uint8 evictions;
    uint40 coolingUntil;
    /// Refusals that stand; the bar is lifted when an appeal brings them to none.
    uint8 refusals;
}
