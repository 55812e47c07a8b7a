// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ICourt} from "./interfaces/ICourt.sol";
import {IEscrow} from "./interfaces/IEscrow.sol";
import {IJobs} from "./interfaces/IJobs.sol";
import {IRegistry} from "./interfaces/IRegistry.sol";
import "./libraries/Constants.sol";
import "./Types.sol";

/// @title Court
/// @notice See `ICourt`.
contract Court is ICourt {
    address public immutable escrow;
    address public immutable registry;
    address public immutable jobs;
    uint32 public immutable arbiterPeriod;
    /// @dev What a voter of a cut or overturned verdict forfeits.
    uint256 private immutable FORFEIT;

    mapping(uint256 checkpointId => Challenge) private _challenges;

    constructor(address escrow_, address registry_, address jobs_, Limits memory limits_) {
        escrow = escrow_;
        registry = registry_;
        jobs = jobs_;
        arbiterPeriod = limits_.arbiterPeriod;
        FORFEIT = limits_.minVerifierBond * OVERTURNED_BPS / BPS;
    }

    /// @inheritdoc ICourt
    function PROTOCOL_VERSION() external pure returns (uint256) {
        return PROTOCOL_VERSION_NUMBER;
    }

    // ----- parties ---------------------------------------------------------------------------------------------------

    /// @inheritdoc ICourt
    function dispute(uint256 checkpointId, bytes32 reasonHash) external {
        (uint256 unpaid, uint16 configId) = IJobs(jobs).contest(checkpointId, msg.sender);
        _openChallenge(checkpointId, ChallengeKind.Dispute, reasonHash, _bond(unpaid), configId);
    }

    /// @inheritdoc ICourt
    function appeal(uint256 checkpointId, bytes32 reasonHash) external {
        uint256 bond = appealBond(checkpointId);
        uint16 configId = IJobs(jobs).holdRefusal(checkpointId, msg.sender);
        _openChallenge(checkpointId, ChallengeKind.Appeal, reasonHash, bond, configId);
    }

    // ----- arbiter ---------------------------------------------------------------------------------------------------

    /// @inheritdoc ICourt
    function uphold(uint256 checkpointId) external {
        Challenge memory c = _rule(checkpointId, ChallengeKind.Dispute, ChallengeState.Upheld, 0);
        address payout = IJobs(jobs).uphold(checkpointId);
        _forfeit(checkpointId, c, payout, c.bond / 2);
        _forfeit(checkpointId, c, _treasury(c), c.bond - c.bond / 2);
    }

    /// @inheritdoc ICourt
    function cut(uint256 checkpointId, uint256 fromId) external {
        Challenge memory c = _rule(checkpointId, ChallengeKind.Dispute, ChallengeState.Cut, fromId);
        address[3] memory voters = IJobs(jobs).cut(checkpointId, fromId);
        _returnBond(checkpointId, c);
        for (uint256 i = 0; i < voters.length; ++i) {
            if (voters[i] == address(0)) continue;
            IRegistry(registry).slashVerifier(voters[i], c.opener, FORFEIT, SlashKind.CutVote, fromId);
        }
    }

    /// @inheritdoc ICourt
    function grant(uint256 checkpointId) external {
        Challenge memory c = _rule(checkpointId, ChallengeKind.Appeal, ChallengeState.Granted, 0);
        (address[3] memory voters, address payout, uint256 lostPay) = IJobs(jobs).overturn(checkpointId);
        _returnBond(checkpointId, c);
        for (uint256 i = 0; i < voters.length; ++i) {
            if (voters[i] == address(0)) continue;
            uint256 toProvider = lostPay < FORFEIT ? lostPay : FORFEIT;
            lostPay -= _slashVoter(voters[i], payout, toProvider, checkpointId);
            _slashVoter(voters[i], _treasury(c), FORFEIT - toProvider, checkpointId);
        }
    }

    /// @inheritdoc ICourt
    function reject(uint256 checkpointId) external {
        Challenge memory c = _rule(checkpointId, ChallengeKind.Appeal, ChallengeState.Rejected, 0);
        IJobs(jobs).finalizeRefusal(checkpointId);
        _forfeit(checkpointId, c, _treasury(c), c.bond);
    }

    // ----- anyone ----------------------------------------------------------------------------------------------------

    /// @inheritdoc ICourt
    function lapse(uint256 checkpointId) external {
        Challenge memory c = _open(checkpointId);
        uint256 until = uint256(c.openedAt) + arbiterPeriod;
        if (block.timestamp < until) revert ArbiterTimeRuns(until);
        _close(checkpointId, c.kind, ChallengeState.Lapsed, 0);
        if (c.kind == ChallengeKind.Dispute) IJobs(jobs).uphold(checkpointId);
        else IJobs(jobs).finalizeRefusal(checkpointId);
        _returnBond(checkpointId, c);
    }

    // ----- views -----------------------------------------------------------------------------------------------------

    /// @inheritdoc ICourt
    function challengeOf(uint256 checkpointId) external view returns (Challenge memory) {
        return _challenges[checkpointId];
    }

    /// @inheritdoc ICourt
    function disputeBond(uint256 jobId) external view returns (uint256) {
        (, uint256 unpaid) = IEscrow(escrow).budgetOf(jobId);
        return _bond(unpaid);
    }

    /// @inheritdoc ICourt
    function appealBond(uint256 checkpointId) public view returns (uint256) {
        (Checkpoint memory checkpoint,) = IJobs(jobs).checkpointRecord(checkpointId);
        LeaseRecord memory lease = IJobs(jobs).leaseRecord(checkpointId >> 32, checkpoint.fence);
        return _bond(uint256(checkpoint.steps) * lease.price);
    }

    // ----- one code path ---------------------------------------------------------------------------------------------

    function _openChallenge(uint256 checkpointId, ChallengeKind kind, bytes32 reasonHash, uint256 bond, uint16 configId)
        private
    {
        if (_challenges[checkpointId].state != ChallengeState.None) revert AlreadyChallenged(checkpointId);
        _challenges[checkpointId] = Challenge({
            kind: kind,
            state: ChallengeState.Open,
            opener: msg.sender,
            openedAt: uint40(block.timestamp),
            // forge-lint: disable-next-line(unsafe-typecast)
            bond: uint64(bond), // 5 % of a uint64 budget
            configId: configId,
            reasonHash: reasonHash
        });
        emit ChallengeOpened(
            checkpointId,
            checkpointId >> 32,
            msg.sender,
            kind,
            bond,
            reasonHash,
            uint40(block.timestamp + arbiterPeriod)
        );
        IEscrow(escrow).deposit(msg.sender, msg.sender, bond);
        IEscrow(escrow).reserve(msg.sender, bond, ReserveKind.Challenge, checkpointId);
    }

    /// @dev The arbiter's ruling, within its time.
    function _rule(uint256 checkpointId, ChallengeKind kind, ChallengeState state, uint256 cutFrom)
        private
        returns (Challenge memory c)
    {
        c = _open(checkpointId);
        address arbiter = IRegistry(registry).config(c.configId).arbiter;
        if (msg.sender != arbiter) revert NotArbiter(msg.sender, arbiter);
        if (c.kind != kind) revert WrongKind(checkpointId);
        uint256 until = uint256(c.openedAt) + arbiterPeriod;
        if (block.timestamp >= until) revert ArbiterTimeOver(until);
        _close(checkpointId, kind, state, cutFrom);
    }

    function _open(uint256 checkpointId) private view returns (Challenge memory c) {
        c = _challenges[checkpointId];
        if (c.state != ChallengeState.Open) revert NoOpenChallenge(checkpointId);
    }

    function _close(uint256 checkpointId, ChallengeKind kind, ChallengeState state, uint256 cutFrom) private {
        _challenges[checkpointId].state = state;
        emit ChallengeClosed(checkpointId, checkpointId >> 32, kind, state, cutFrom);
    }

    function _returnBond(uint256 checkpointId, Challenge memory c) private {
        IEscrow(escrow).release(c.opener, c.bond, checkpointId);
        IEscrow(escrow).returnBond(c.opener, c.opener, c.bond);
    }

    function _forfeit(uint256 checkpointId, Challenge memory c, address to, uint256 amount) private {
        IEscrow(escrow).slash(c.opener, to, amount, true, SlashKind.ChallengeLost, checkpointId);
    }

    function _slashVoter(address voter, address to, uint256 amount, uint256 checkpointId) private returns (uint256) {
        if (amount == 0) return 0;
        return IRegistry(registry).slashVerifier(voter, to, amount, SlashKind.OverturnedVote, checkpointId);
    }

    function _treasury(Challenge memory c) private view returns (address) {
        return IRegistry(registry).config(c.configId).treasury;
    }

    function _bond(uint256 amount) private pure returns (uint256) {
        uint256 share = amount * CHALLENGE_BPS / BPS;
        return share < MIN_CHALLENGE_BOND ? MIN_CHALLENGE_BOND : share;
    }
}
