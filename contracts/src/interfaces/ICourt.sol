// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Challenge, ChallengeKind, ChallengeState} from "../Types.sol";

/// @title Court
/// @notice Disputes of accepted checkpoints and appeals against refusals: one `Challenge`, one code path. The challenge's
/// bond is paid in with the call (approve the `Escrow`) and reserved there. The arbiter is the one the job pinned.
/// @dev Warning: the arbiter can send *unmatured* money of its jobs back to the client, and fines seats it overturns.
/// Its silence has a default: after `arbiterPeriod` anyone may call `lapse`, and the verdict stands.
interface ICourt {
    /// @notice – → Open. `arbiterUntil`: from then on it can lapse.
    event ChallengeOpened(
        uint256 indexed checkpointId,
        uint256 indexed jobId,
        address indexed opener,
        ChallengeKind kind,
        uint256 bond,
        bytes32 reasonHash,
        uint40 arbiterUntil
    );
    /// @notice Open → its end. `cutFrom`: first cut checkpoint of a dispute, else 0.
    event ChallengeClosed(
        uint256 indexed checkpointId, uint256 indexed jobId, ChallengeKind kind, ChallengeState state, uint256 cutFrom
    );

    error NotArbiter(address caller, address arbiter);
    error NoOpenChallenge(uint256 checkpointId);
    error WrongKind(uint256 checkpointId);
    error AlreadyChallenged(uint256 checkpointId);
    error ArbiterTimeOver(uint256 endedAt);
    error ArbiterTimeRuns(uint256 until);

    /// @notice Client: contests an unmatured checkpoint and all accepted after it, and drains the lease. One open per
    /// job, so name the earliest in doubt: what lies before it matures by its own window meanwhile. Bond: the larger of 1 USDC and 5 % of the unpaid budget (`disputeBond`).
    /// Reverts `IJobsEvents.NotClient`, `UnknownCheckpoint`, `WrongCheckpointStatus`, `UnderChallenge`, `WindowOver`.
    function dispute(uint256 checkpointId, bytes32 reasonHash) external;

    /// @notice Refused provider, within the appeal window. Bond: the larger of 1 USDC and 5 % of the pay it lost
    /// (`appealBond`).
    /// Reverts `IJobsEvents.UnknownCheckpoint`, `WrongCheckpointStatus`, `NotHolder`, `WindowOver`.
    function appeal(uint256 checkpointId, bytes32 reasonHash) external;

    /// @notice Arbiter: the disputed chain, as accepted when the dispute began, stands and is mature at once; bond half to the
    /// provider, half to the treasury.
    /// All four rulings revert `NoOpenChallenge`, `NotArbiter`, `WrongKind`, and `ArbiterTimeOver` once `lapse` is possible.
    function uphold(uint256 checkpointId) external;

    /// @notice Arbiter: unpaid from `fromId` on (any contested one). The job closes without a fee; the bond goes back; the
    /// Accept voters of `fromId` forfeit that fee and 20 % of the minimum bond, to the client.
    /// Reverts `IJobsEvents.UnknownCheckpoint` for one that is not contested.
    function cut(uint256 checkpointId, uint256 fromId) external;

    /// @notice Arbiter: the refusal is overturned: bond and fine back, bar lifted (unless another refusal stands); the Refuse voters forfeit 20 % of the
    /// minimum bond each, to the provider up to its lost pay, the rest to the treasury.
    function grant(uint256 checkpointId) external;

    /// @notice Arbiter: the refusal stands; bond to the treasury.
    function reject(uint256 checkpointId) external;

    /// @notice Anyone, once the arbiter's time is over: bond back, the verdict stands; for a dispute all else as if upheld.
    function lapse(uint256 checkpointId) external;

    /// @notice Version of events and rules; daemons refuse another.
    function PROTOCOL_VERSION() external view returns (uint256);

    function challengeOf(uint256 checkpointId) external view returns (Challenge memory);
    /// @notice What `dispute` would pull now for a job.
    function disputeBond(uint256 jobId) external view returns (uint256);
    /// @notice What `appeal` would pull for a refused checkpoint.
    function appealBond(uint256 checkpointId) external view returns (uint256);
    function arbiterPeriod() external view returns (uint32);
    function escrow() external view returns (address);
    function registry() external view returns (address);
    function jobs() external view returns (address);
}
