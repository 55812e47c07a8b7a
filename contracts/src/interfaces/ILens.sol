// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {CheckpointStatus, EndCause, JobStatus, JobTerms} from "../Types.sol";

/// @title Lens
/// @notice Reads the stored records of `Jobs` and answers what daemons and pages ask. Holds nothing, may do nothing.
/// Answers are as of the block's timestamp: a lease whose time is over reads as ended before any call has seen it.
interface ILens {
    struct JobView {
        address client;
        JobStatus status;
        /// No acquire, no renewal: cancelled or under an open dispute.
        bool draining;
        bool cancelled;
        bool metTarget;
        uint16 configId;
        address arbiter;
        address treasury;
        /// With the shifts of upheld disputes.
        uint40 deadline;
        /// `deadline + gracePeriod`: no commit from here on.
        uint40 commitsUntil;
        uint40 closedAt;
        /// Closing: pending checkpoints are judged until here.
        uint40 judgedUntil;
        uint256 budget;
        /// Of the budget, not yet credited.
        uint256 locked;
        /// Credited to providers so far.
        uint256 providerPay;
        /// 0, or the first contested checkpoint of an open dispute.
        uint256 contestedFrom;
        JobTerms terms;
    }

    struct LeaseView {
        uint32 fence;
        address provider;
        uint64 pricePerStep;
        /// Live and within its time.
        bool live;
        /// It has committed.
        bool committed;
        /// `None` while live; also a passive end that no call has seen yet.
        EndCause cause;
        uint40 acquiredAt;
        /// For the newest lease; 0 for earlier ones.
        uint40 expiresAt;
        /// When it stalls unless it commits; 0: the clock stands still (queue full).
        uint40 stallsAt;
        /// The last acquire, commit or renewal.
        uint40 lastActionAt;
        /// The auction's start, once it is over.
        uint40 openSince;
        /// Its reservation of the provider's bond is gone.
        bool bondReleased;
    }

    struct VoteView {
        address verifier;
        uint8 outcome;
        bool metTarget;
    }

    struct CheckpointView {
        uint256 checkpointId;
        uint256 jobId;
        uint256 parentId;
        uint32 fence;
        address provider;
        uint64 pricePerStep;
        uint32 step;
        /// Steps since the parent.
        uint32 steps;
        CheckpointStatus status;
        bool offSchedule;
        /// Its turn to be judged, and since when.
        bool judgeable;
        uint40 judgeableAt;
        uint40 committedAt;
        uint40 decidedAt;
        /// Accepted: when it can be paid, 0 while contested. Refused: when it becomes final.
        uint40 maturesAt;
        /// What the provider gets for it, net of an off-schedule round.
        uint256 pay;
        bytes32 contentDigest;
        VoteView[3] votes;
    }

    struct QueueView {
        uint256 headId;
        uint32 headStep;
        /// The head, or the newest pending checkpoint on which a new lease may build.
        uint256 tipId;
        uint32 tipStep;
        /// 0, or the checkpoint being judged.
        uint256 judgingId;
        uint40 judgeableAt;
        /// Checkpoints committed so far.
        uint32 count;
        /// Those that can still be accepted, in order.
        uint256[] pending;
    }

    struct SeatView {
        address verifier;
        uint16 verifierId;
        /// It has voted on the checkpoint being judged.
        bool voted;
        /// It may be replaced now: silent, leaving or suspended.
        bool replaceable;
    }

    struct SeatsView {
        /// The three sit.
        bool drawn;
        SeatView[3] seats;
        /// 1 to 3: the seat being replaced; 0: none.
        uint8 replacing;
        /// Block whose hash draws; 0: no draw under way.
        uint40 anchorBlock;
        /// `seatCommittee` (or the second `replaceSeat`) would do something now.
        bool callable;
    }

    enum AcquireBlock {
        None,
        JobNotOpen,
        Draining,
        PastDeadline,
        LeaseHeld,
        SameBlockAsEviction,
        NotOffering,
        IsClient,
        Barred,
        CoolingDown,
        NotEligible,
        SeatedVerifier,
        PriceAboveCeiling,
        BondTooSmall,
        NoCommittee
    }

    function getJob(uint256 jobId) external view returns (JobView memory);
    function getTerms(uint256 jobId) external view returns (JobTerms memory);
    /// @notice The newest lease. Zeroes when none was ever acquired.
    function getLease(uint256 jobId) external view returns (LeaseView memory);
    function getLeaseAt(uint256 jobId, uint32 fence) external view returns (LeaseView memory);
    function getCheckpoint(uint256 checkpointId) external view returns (CheckpointView memory);
    /// @notice Checkpoints `from` to `from + n − 1` by index (from 1), fewer at the end.
    function getCheckpoints(uint256 jobId, uint32 from, uint32 n) external view returns (CheckpointView[] memory);
    function getQueue(uint256 jobId) external view returns (QueueView memory);
    function getSeats(uint256 jobId) external view returns (SeatsView memory);
    /// @notice What a provider may ask at most now. The same as at `block.timestamp` in `acquireLease`.
    function priceCeiling(uint256 jobId) external view returns (uint256);
    /// @notice Whether `provider` could acquire now and, if not, what stands first in its way.
    /// @return reason the first obstacle. @return until when a cool-down ends (type(uint40).max: barred for good), or when the ceiling reaches its price; else 0.
    function canAcquire(uint256 jobId, address provider, bytes32[] calldata proof)
        external
        view
        returns (AcquireBlock reason, uint40 until);
    /// @notice The next step that is due after a checkpoint (or genesis, `jobId << 32`).
    function nextStep(uint256 parentId) external view returns (uint32);
    /// @notice `close` would succeed now.
    function closable(uint256 jobId) external view returns (bool);
    /// @notice How many checkpoints `payOut` would pay or pass over now (up to 50), and whether it would settle the job.
    function payOutStatus(uint256 jobId) external view returns (uint256 mature, bool settles);
    /// @notice The worst case of terms: `S·P + ⌊S·P·8 %⌋ + ⌈S/I⌉·3·verifierFee`. The least budget is this, or 1 USDC.
    function maxLiability(JobTerms calldata terms) external pure returns (uint256);
    function jobs() external view returns (address);
}
