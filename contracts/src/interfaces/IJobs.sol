// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IJobsWork} from "./IJobsWork.sol";
import {ISettlement} from "./ISettlement.sol";

/// @title Jobs
/// @notice Terms, seats, leases with fencing tokens, checkpoints, verdicts, payouts. Every state has a timed exit and
/// every step that is not a party's own choice may be called by anyone.
/// `checkpointId = jobId << 32 | index`; index 0 is genesis, so a parent of 0 in `commitCheckpoint` means genesis.
/// All intervals are half-open: at the boundary the later rule holds.
/// @dev Warning: seats are drawn by a block hash that a sequencer can bias; an outcome is safe only while fewer than two
/// of three seats collude. That is why budgets are capped at ten minimum verifier bonds on public networks.
/// @dev The code is too large for one contract, so `Jobs` runs the rarer half (`Settlement`) on its own storage. Callers need
/// only the address of `Jobs` and this interface.
interface IJobs is IJobsWork, ISettlement {}
