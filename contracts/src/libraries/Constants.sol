// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

// What is the same in every deployment (PROTOCOL section 10). What differs is in `Limits`.

/// @dev Version of rules, events and EIP-712 types. The EIP-712 domain carries it as a decimal string.
uint256 constant PROTOCOL_VERSION_NUMBER = 1;

/// @dev One USDC in base units.
uint256 constant ONE_USDC = 1e6;

uint256 constant BPS = 10_000;
/// @dev Protocol fee, on what providers earned, on success only.
uint256 constant FEE_BPS = 800;
uint256 constant MISSED_SEAT_BPS = 100;
uint256 constant OVERTURNED_BPS = 2_000;
uint256 constant CHALLENGE_BPS = 500;
uint256 constant MIN_CHALLENGE_BOND = ONE_USDC;

uint256 constant SEATS = 3;
uint256 constant THRESHOLD = 2;
/// @dev Fees in one round, and in `SQUAT`.
uint256 constant ROUND_FEES = 3;
/// @dev Fees that a lease reserves: one round and `SQUAT`.
uint256 constant RESERVED_FEES = 6;

uint256 constant MAX_STEPS = 1e7;
uint256 constant MAX_CHECKPOINTS = 10_000;
uint256 constant MAX_PRICE = 1_000 * ONE_USDC;
uint256 constant MAX_VERIFIER_FEE = 100 * ONE_USDC;
uint256 constant MAX_LEASE_DURATION = 1 hours;
uint256 constant MAX_SEGMENT_TIMEOUT = 24 hours;
uint256 constant MIN_PULSE_TIMEOUT_MS = 500;
uint256 constant MAX_PULSE_TIMEOUT_MS = 30_000;
uint256 constant MAX_AUCTION_RAMP = 1 hours;
uint256 constant MAX_VERDICT_TIMEOUT = 6 hours;
uint256 constant MAX_TIME_TO_DEADLINE = 90 days;
uint256 constant MAX_GRACE_PERIOD = 7 days;
uint256 constant MAX_DISPUTE_WINDOW = 7 days;

uint256 constant MAX_PENDING = 8;
uint256 constant MAX_BATCH = 50;
/// @dev Pending checkpoints of a closed job are judged for this many verdict timeouts.
uint256 constant CLOSING_TIMEOUTS = 2;
/// @dev Two seats silent for this many verdict timeouts, with nobody to replace them, let anyone close.
uint256 constant SILENT_TIMEOUTS = 3;

uint256 constant EVICTION_MAX_AGE_MS = 30_000;
uint256 constant EVICTION_MAX_AHEAD_MS = 5_000;

uint256 constant MAX_TEMPLATES = 16;
uint256 constant MAX_NAME_LENGTH = 64;
uint256 constant MAX_ENDPOINT_LENGTH = 256;
/// @dev Between two changes of what decides a draw. Longer than any block hash lives (256 blocks).
uint256 constant CHANGE_SPACING = 1 hours;

uint40 constant FOREVER = type(uint40).max;
