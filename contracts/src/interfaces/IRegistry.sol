// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {
    Config,
    DrawRequest,
    JobTerms,
    Limits,
    Member,
    Provider,
    ProviderProfile,
    SignedVerdict,
    SlashKind,
    Template,
    Verifier,
    VerifierProfile
} from "../Types.sol";

/// @title Registry
/// @notice Providers, verifiers, their bonds, the approved templates, arbiter and treasury of future jobs. One account
/// is a provider or a verifier, not both. Bonds lie in the `Escrow`; approve the `Escrow`, not this contract.
interface IRegistry {
    event TemplateApproved(uint8 indexed templateId, string name, uint64 minVerifierFee);
    event TemplateRevoked(uint8 indexed templateId);
    /// @notice Arbiter and treasury of jobs posted from now on.
    event ConfigNamed(uint16 indexed configId, address indexed arbiter, address indexed treasury);

    event ProviderRegistered(address indexed provider, address indexed payout, ProviderProfile profile);
    event ProviderUpdated(address indexed provider, ProviderProfile profile);
    event PayoutChanged(address indexed provider, address indexed payout);
    event AcceptingSet(address indexed provider, bool accepting);

    event VerifierRegistered(
        address indexed verifier, uint16 indexed verifierId, uint40 activeFrom, VerifierProfile profile
    );
    /// @notice Fee and mask apply to draws anchored from `effectiveFrom` on; endpoint and key at once.
    event VerifierUpdated(
        address indexed verifier, uint16 indexed verifierId, uint40 effectiveFrom, VerifierProfile profile
    );
    /// @notice A slash left less than the minimum bond: in no draw until `VerifierResumed`.
    event VerifierSuspended(address indexed verifier, uint16 indexed verifierId);
    event VerifierResumed(address indexed verifier, uint16 indexed verifierId, uint40 activeFrom);

    /// @notice A provider or verifier leaves; `exitAt`: its bond can be withdrawn from then on. Emitted again when a leaving
    /// verifier gives up its last seat: the time begins anew there.
    event ExitRequested(address indexed account, uint40 exitAt);
    event Exited(address indexed account, uint256 bond);
    event EquivocationReported(address indexed verifier, address indexed reporter, uint256 indexed checkpointId);

    error NotAuthorized(address caller);
    error ZeroAddress();
    /// @notice A term is outside its bounds. `term`: its name in `JobTerms`.
    error TermOutOfRange(string term, uint256 value, uint256 min, uint256 max);
    error TooManyCheckpoints(uint256 checkpoints, uint256 max);
    error ZeroHash(string term);
    error UnknownTemplate(uint8 templateId);
    error TemplateNotApproved(uint8 templateId);
    error TooManyTemplates();
    error UnknownConfig(uint16 configId);
    error AlreadyRegistered(address account);
    error NotRegistered(address account);
    error NotPayout(address caller, address payout);
    error PriceOutOfRange(uint256 price, uint256 min, uint256 max);
    error FeeOutOfRange(uint256 fee, uint256 max);
    error NameLength(uint256 length, uint256 max);
    error BondBelowMinimum(uint256 bond, uint256 min);
    error Exiting(address account);
    error NotExiting(address account);
    error StillUnbonding(uint256 until);
    error StillReserved(uint256 reserved);
    error StillSeated(uint256 seats);
    error ChangeTooSoon(uint256 until);
    error RosterFull();
    error SameVerdict();

    /// @notice Version of events, EIP-712 types and rules; daemons refuse another.
    function PROTOCOL_VERSION() external view returns (uint256);

    // ----- owner -----------------------------------------------------------------------------------------------------

    /// @notice Approves a template, new or revoked before. At most 16 exist. Ids count from 0 in order of approval.
    function approveTemplate(string calldata name, uint64 minVerifierFee) external returns (uint8 templateId);

    /// @notice Stops new jobs of this template. Posted jobs go on.
    function revokeTemplate(uint8 templateId) external;

    /// @notice Names arbiter and treasury for jobs posted from now on.
    /// @dev Warning: the arbiter can send *unmatured* money of its jobs back to their clients. Nobody can move it elsewhere.
    function nameConfig(address arbiter, address treasury) external returns (uint16 configId);

    // ----- providers -------------------------------------------------------------------------------------------------

    /// @notice Registers the caller. `payout` receives all its pay (0: the caller itself, or the wallet it had before). Pulls
    /// `bond` (at least `minProviderBond`) from the caller. Starts as accepting. Reverts `NotPayout` when an account that
    /// was registered before names another wallet: work from then may be unpaid, and only the wallet names its successor.
    function registerProvider(ProviderProfile calldata profile, address payout, uint64 bond) external;

    /// @notice New name, price, device, key. A live lease keeps its price.
    function updateProvider(ProviderProfile calldata profile) external;

    function setAccepting(bool accepting) external;

    /// @notice By the present payout wallet only, so that a stolen hot key cannot redirect pay.
    function setPayout(address provider, address payout) external;

    // ----- verifiers -------------------------------------------------------------------------------------------------

    /// @notice Registers the caller. Pulls `bond` (at least `minVerifierBond`). Eligible in draws anchored from
    /// `now + drawDelay` on.
    function registerVerifier(VerifierProfile calldata profile, uint64 bond) external;

    /// @notice New endpoint and key, at once. New fee and mask from `now + drawDelay` on, at most once an hour, so that
    /// nobody can change a draw whose block hash is already known.
    function updateVerifier(VerifierProfile calldata profile) external;

    // ----- bonds -----------------------------------------------------------------------------------------------------

    /// @notice Anyone adds to the bond of a registered account; pulls from the caller. Brings a suspended verifier back
    /// once it holds the minimum.
    function depositBond(address account, uint64 amount) external;

    /// @notice The caller leaves: in no further draw or lease; its bond is free after `unbondingPeriod`.
    function requestExit() external;

    /// @notice Makes the caller's whole bond claimable, by its payout wallet or by the verifier itself, and forgets it.
    /// Reverts while unbonding, while a lease holds part of the bond, while a seat is held. A verifier's unbonding begins anew
    /// when it gives up its last seat, so that its bond is there for every ruling on its votes.
    function withdrawBond() external;

    /// @notice Proof that one verifier signed two different verdicts on one checkpoint. Costs it its whole bond: half to
    /// the caller, half to the job's treasury. Reverts `SameVerdict` when the two struct hashes are equal.
    /// @param fences the fence each verdict names. @param contentDigests the content each verdict names.
    function reportEquivocation(
        uint256 checkpointId,
        uint32[2] calldata fences,
        bytes32[2] calldata contentDigests,
        SignedVerdict[2] calldata verdicts
    ) external;

    // ----- views -----------------------------------------------------------------------------------------------------

    function provider(address account) external view returns (Provider memory);
    function providerCount() external view returns (uint256);
    /// @notice Every account that ever registered as a provider, in order. @param index from 0.
    function providerAt(uint256 index) external view returns (address);

    function verifier(address account) external view returns (Verifier memory);
    /// @notice Size of the roster; entries of verifiers that left stay until reused. @dev Ids run from 0 to count − 1.
    function verifierCount() external view returns (uint256);
    function verifierAt(uint256 verifierId) external view returns (Verifier memory);

    function template(uint8 templateId) external view returns (Template memory);
    function templateCount() external view returns (uint256);
    function config(uint16 configId) external view returns (Config memory);
    /// @notice The newest config's id.
    function configId() external view returns (uint16);

    function escrow() external view returns (address);
    function jobs() external view returns (address);
    function court() external view returns (address);
    function minProviderBond() external view returns (uint64);
    function minVerifierBond() external view returns (uint64);
    function unbondingPeriod() external view returns (uint32);
    function drawDelay() external view returns (uint32);
    /// @notice The bounds this deployment was built with.
    function limits() external view returns (Limits memory);

    /// @notice How many verifiers a draw anchored now would find, counted up to `request.seats`, and the size of the roster. With
    /// an anchor's time and roster size in the request: how many a draw by that anchor would find. Needs no seed.
    function countEligible(DrawRequest calldata request) external view returns (uint256 eligible, uint16 rosterSize);

    // ----- for Jobs and Court ----------------------------------------------------------------------------------------

    /// @notice What posting needs: reverts unless every term is within its bounds and the template is approved.
    /// @return configId_ pinned by the job, with its arbiter and treasury.
    function admit(JobTerms calldata terms) external view returns (uint16 configId_, address arbiter, address treasury);

    /// @notice What acquiring needs. `price` 0: not registered, paused or leaving.
    function offer(address provider_) external view returns (uint64 price, address payout);

    function payoutOf(address provider_) external view returns (address);
    function treasuryOf(uint16 configId_) external view returns (address);

    /// @notice `Jobs`: draws and seats verifiers. Returns none when fewer than asked are eligible.
    function draw(DrawRequest calldata request) external returns (Member[] memory);

    /// @notice `Jobs`: seats on a job ended.
    function leaveSeats(uint16[] calldata verifierIds) external;

    /// @notice `Jobs`, `Court`: slashes a verifier, suspending it when its bond falls under the minimum.
    function slashVerifier(address verifier_, address to, uint256 amount, SlashKind kind, uint256 id)
        external
        returns (uint256 taken);

    /// @notice The verifier may be replaced: it is leaving or suspended.
    function isLeaving(uint16 verifierId) external view returns (bool);
}
