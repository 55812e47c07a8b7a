// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Job, JobTerms, Ledger, Permit, Standing} from "../Types.sol";
import {IJobsEvents} from "./IJobsEvents.sol";

/// @title Jobs, beginning and end
/// @notice Posting, cancelling, paying, closing, refusals, challenges. Called at the address of `Jobs`.
interface ISettlement is IJobsEvents {
    // ----- client ----------------------------------------------------------------------------------------------------

    /// @notice Posts a job and pulls `terms.budget` from the caller into the `Escrow` (approve the `Escrow` before).
    /// Reverts as `IRegistry.admit` (`TermOutOfRange`, `ZeroHash`, `TooManyCheckpoints`, `TemplateNotApproved`), with the
    /// token's own error, or `IEscrow.InexactTransfer`.
    function postJob(JobTerms calldata terms) external returns (uint256 jobId);

    /// @notice `postJob` with an EIP-2612 permit. A permit that fails (or was front-run) is ignored: the allowance decides.
    function postJobWithPermit(JobTerms calldata terms, Permit calldata permit) external returns (uint256 jobId);

    /// @notice Client, once, while Open: no acquire or renewal from now on, one last commit while the lease lives. When the
    /// job was leased in an earlier block and nothing is ever committed, one round of fees goes to its seats, or to the
    /// treasury when none were drawn.
    /// Reverts `UnknownJob`, `WrongStatus`, `NotClient`, `AlreadyCancelled`.
    function cancel(uint256 jobId) external;

    // ----- provider --------------------------------------------------------------------------------------------------

    /// @notice Anyone: frees what an ended lease still holds of its provider's bond, once its last checkpoint is decided
    /// and past appeal. Reverts `BondStillDue` before, and the second time.
    function releaseBond(uint256 jobId, uint32 fence) external;

    // ----- ends ------------------------------------------------------------------------------------------------------

    /// @notice Anyone: pays mature checkpoints in chain order, looking at up to `max` (≤ 50), and settles the job when all is
    /// done: eight percent of the providers' pay to the treasury if the job completed with its target, the rest to the client.
    /// Reverts `UnknownJob`, `WrongStatus` once settled, `BatchTooLarge`, `NothingToPay`.
    function payOut(uint256 jobId, uint256 max) external;

    /// @notice Anyone: Open → Closing, when a cancelled job's lease is over, past `deadline + gracePeriod`, or when two
    /// seats stay silent for three verdict timeouts and nobody can replace them. Not while a dispute is open, unless the client
    /// has cancelled. Pending checkpoints are judged for two more verdict timeouts. A round of fees is due as after `cancel`.
    /// Reverts `UnknownJob`, `WrongStatus`, `NotClosable`.
    function close(uint256 jobId) external;

    /// @notice Anyone: Refused → Final once the appeal window is over without an appeal. The voters' fees come out of the
    /// provider's bond, the rest of the lease's reservation is free.
    /// Reverts `UnknownCheckpoint`, `WrongCheckpointStatus`, `UnderChallenge`, `AppealWindowOpen`.
    function settleRefusal(uint256 checkpointId) external;

    /// @notice Anyone: the seats of a settled job, and seats that were replaced, no longer hold up their verifiers' exit (see
    /// `IRegistry.withdrawBond`). A replaced one that has voted on the checkpoint being judged waits until it is decided.
    /// Reverts `NoSeatToRelease`.
    function releaseSeats(uint256 jobId) external;

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

    function jobCount() external view returns (uint256);
    function jobRecord(uint256 jobId) external view returns (Job memory);
    /// @notice specHash, genesisHash, eligibilityRoot.
    function jobHashes(uint256 jobId) external view returns (bytes32, bytes32, bytes32);
    function ledgerOf(uint256 jobId) external view returns (Ledger memory);
    function standingOf(uint256 jobId, address provider) external view returns (Standing memory);
}
