// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IEscrow} from "./interfaces/IEscrow.sol";
import {PROTOCOL_VERSION_NUMBER} from "./libraries/Constants.sol";
import {Balance, Credit, CreditKind, ReserveKind, SlashKind} from "./Types.sol";

/// @title Escrow
/// @notice See `IEscrow`.
contract Escrow is IEscrow {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;

    struct Funds {
        uint80 budget;
        uint80 locked;
    }

    address public immutable usdc;
    address public immutable jobs;
    address public immutable registry;
    address public immutable court;

    mapping(address account => Balance) private _accounts;
    mapping(uint256 jobId => Funds) private _funds;
    /// @dev Locked + claimable + bonds. Changes only where the token moves.
    uint256 private _owed;

    modifier onlyJobs() {
        if (msg.sender != jobs) revert NotAuthorized(msg.sender);
        _;
    }

    modifier onlyBondKeeper() {
        if (msg.sender != registry && msg.sender != court) revert NotAuthorized(msg.sender);
        _;
    }

    modifier onlyProtocol() {
        if (msg.sender != jobs && msg.sender != registry && msg.sender != court) revert NotAuthorized(msg.sender);
        _;
    }

    constructor(address usdc_, address jobs_, address registry_, address court_) {
        if (usdc_ == address(0) || jobs_ == address(0) || registry_ == address(0) || court_ == address(0)) {
            revert ZeroAddress();
        }
        usdc = usdc_;
        jobs = jobs_;
        registry = registry_;
        court = court_;
    }

    /// @inheritdoc IEscrow
    function PROTOCOL_VERSION() external pure returns (uint256) {
        return PROTOCOL_VERSION_NUMBER;
    }

    // ----- anyone ----------------------------------------------------------------------------------------------------

    /// @inheritdoc IEscrow
    function withdraw(address to) external returns (uint256 amount) {
        if (to == address(0)) revert ZeroAddress();
        amount = _accounts[msg.sender].claimable;
        if (amount == 0) revert NothingToWithdraw(msg.sender);

        _accounts[msg.sender].claimable = 0;
        _owed -= amount;
        emit Withdrawn(msg.sender, to, amount);

        IERC20(usdc).safeTransfer(to, amount);
        (uint256 held, uint256 owed) = reserves();
        if (held < owed) revert Insolvent(held, owed);
    }

    /// @inheritdoc IEscrow
    function reserves() public view returns (uint256 held, uint256 owed) {
        return (IERC20(usdc).balanceOf(address(this)), _owed);
    }

    /// @inheritdoc IEscrow
    function owedTo(address account) external view returns (uint256) {
        Balance memory a = _accounts[account];
        return uint256(a.claimable) + a.bond;
    }

    /// @inheritdoc IEscrow
    function balanceOf(address account) external view returns (Balance memory) {
        return _accounts[account];
    }

    /// @inheritdoc IEscrow
    function budgetOf(uint256 jobId) external view returns (uint256 budget, uint256 locked) {
        return (_funds[jobId].budget, _funds[jobId].locked);
    }

    // ----- budgets ---------------------------------------------------------------------------------------------------

    /// @inheritdoc IEscrow
    function lock(uint256 jobId, address client, uint256 amount) external onlyJobs {
        _pull(client, amount);
        _funds[jobId] = Funds(amount.toUint80(), amount.toUint80());
        emit BudgetLocked(jobId, client, amount);
    }

    /// @inheritdoc IEscrow
    function disburse(uint256 jobId, Credit[] calldata credits, address refundTo)
        external
        onlyJobs
        returns (uint256 refund, uint256 budget)
    {
        Funds memory funds = _funds[jobId];
        for (uint256 i = 0; i < credits.length; ++i) {
            Credit calldata c = credits[i];
            if (c.amount == 0) continue;
            if (c.amount > funds.locked) revert BudgetExceeded(jobId, funds.locked, c.amount);
            funds.locked -= c.amount;
            _credit(jobId, c.account, c.kind, c.amount);
        }
        if (refundTo != address(0) && funds.locked != 0) {
            refund = funds.locked;
            _credit(jobId, refundTo, CreditKind.Refund, funds.locked);
            funds.locked = 0;
        }
        _funds[jobId].locked = funds.locked;
        return (refund, funds.budget);
    }

    function _credit(uint256 jobId, address account, CreditKind kind, uint80 amount) private {
        _accounts[account].claimable += amount;
        emit Credited(jobId, account, kind, amount);
    }

    // ----- bonds -----------------------------------------------------------------------------------------------------

    /// @inheritdoc IEscrow
    function deposit(address account, address payer, uint256 amount) external onlyBondKeeper {
        _pull(payer, amount);
        _accounts[account].bond += amount.toUint80();
        emit BondDeposited(account, payer, amount);
    }

    /// @inheritdoc IEscrow
    function reserve(address account, uint256 amount, ReserveKind kind, uint256 id) external onlyProtocol {
        Balance memory a = _accounts[account];
        uint256 free = a.bond - a.reserved;
        if (amount > free) revert BondTooSmall(account, free, amount);
        _accounts[account].reserved = (a.reserved + amount).toUint80();
        emit BondReserved(account, kind, id, amount);
    }

    /// @inheritdoc IEscrow
    function release(address account, uint256 amount, uint256 id) external onlyProtocol {
        _accounts[account].reserved -= amount.toUint80();
        emit BondReleased(account, id, amount);
    }

    /// @inheritdoc IEscrow
    function slash(address account, address to, uint256 amount, bool reserved, SlashKind kind, uint256 id)
        external
        onlyProtocol
        returns (uint256 taken)
    {
        Balance memory a = _accounts[account];
        uint256 available = reserved ? a.reserved : a.bond - a.reserved;
        taken = amount < available ? amount : available;
        if (taken == 0) return 0;
        a.bond -= taken.toUint80();
        if (reserved) a.reserved -= taken.toUint80();
        _accounts[account] = a;
        _accounts[to].claimable += taken.toUint80();
        emit BondSlashed(account, to, kind, id, taken, reserved);
    }

    /// @inheritdoc IEscrow
    function returnBond(address account, address to, uint256 amount) external onlyBondKeeper {
        Balance memory a = _accounts[account];
        uint256 free = a.bond - a.reserved;
        if (amount > free) revert BondTooSmall(account, free, amount);
        _accounts[account].bond = (a.bond - amount).toUint80();
        _accounts[to].claimable += amount.toUint80();
        emit BondReturned(account, to, amount);
    }

    /// @dev The token moves before anything is written, so a reentrant call meets the state as it was.
    function _pull(address from, uint256 amount) private {
        uint256 before = IERC20(usdc).balanceOf(address(this));
        IERC20(usdc).safeTransferFrom(from, address(this), amount);
        uint256 held = IERC20(usdc).balanceOf(address(this));
        if (held < before || held - before != amount) {
            revert InexactTransfer(amount, held < before ? 0 : held - before);
        }
        _owed += amount;
        if (held < _owed) revert Insolvent(held, _owed);
    }
}
