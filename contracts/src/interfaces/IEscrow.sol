// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Balance, Credit, CreditKind, ReserveKind, SlashKind} from "../Types.sol";

/// @title Escrow
/// @notice Holds all USDC: locked budgets, claimable balances, bonds. Only `Jobs`, `Registry` and `Court` move it, by the
/// functions below; everybody withdraws their own. Its events alone rebuild every balance:
/// locked[job] = `BudgetLocked` − `Credited`; claimable[account] = `Credited` + `BondSlashed` (to) + `BondReturned`
/// − `Withdrawn`; bond[account] = `BondDeposited` − `BondSlashed` (from) − `BondReturned`;
/// reserved[account] = `BondReserved` − `BondReleased` − `BondSlashed` (from, reserved).
/// @dev Warning: the token's issuer can freeze this contract or an account (USDC's blacklist). A frozen account can
/// still name another recipient in `withdraw`; a frozen escrow pays nobody until it is thawed. A token that returns false
/// (`SafeERC20FailedOperation`) or charges on transfer is refused.
interface IEscrow {
    /// @notice A job's budget came in from its client.
    event BudgetLocked(uint256 indexed jobId, address indexed client, uint256 amount);
    /// @notice Money left a job's budget for `account`, who may withdraw it.
    event Credited(uint256 indexed jobId, address indexed account, CreditKind indexed kind, uint256 amount);
    /// @notice `payer` added to the bond of `account`.
    event BondDeposited(address indexed account, address indexed payer, uint256 amount);
    /// @notice Part of a bond is held. `id`: job and fence (`jobId << 32 | fence`) or the challenged checkpoint.
    event BondReserved(address indexed account, ReserveKind indexed kind, uint256 indexed id, uint256 amount);
    /// @notice Part of a bond is free again.
    event BondReleased(address indexed account, uint256 indexed id, uint256 amount);
    /// @notice Bond of `account` became claimable by `to`. `id` as in `BondReserved`, or the checkpoint or job concerned.
    event BondSlashed(
        address indexed account, address indexed to, SlashKind indexed kind, uint256 id, uint256 amount, bool reserved
    );
    /// @notice Free bond of `account` became claimable by `to`.
    event BondReturned(address indexed account, address indexed to, uint256 amount);
    event Withdrawn(address indexed account, address indexed to, uint256 amount);

    error NotAuthorized(address caller);
    error ZeroAddress();
    /// @notice The token moved another amount than asked (a fee on transfer, a rebase).
    error InexactTransfer(uint256 asked, uint256 received);
    /// @notice `held < owed` after a transfer.
    error Insolvent(uint256 held, uint256 owed);
    error BudgetExceeded(uint256 jobId, uint256 locked, uint256 asked);
    error BondTooSmall(address account, uint256 free, uint256 asked);
    error NothingToWithdraw(address account);

    /// @notice Pays the caller's whole claimable balance to `to`.
    /// @return amount what was paid. Reverts `NothingToWithdraw` at zero, `ZeroAddress` for `to` 0.
    function withdraw(address to) external returns (uint256 amount);

    /// @notice The token's balance of this contract, and what it owes: locked + claimable + bonds.
    function reserves() external view returns (uint256 held, uint256 owed);

    /// @notice What this contract owes `account`: claimable and bond.
    function owedTo(address account) external view returns (uint256);

    function balanceOf(address account) external view returns (Balance memory);

    /// @notice A job's whole budget, and what of it is not yet credited.
    function budgetOf(uint256 jobId) external view returns (uint256 budget, uint256 locked);

    function usdc() external view returns (address);
    function jobs() external view returns (address);
    function registry() external view returns (address);
    function court() external view returns (address);

    /// @notice Version of events and rules; daemons refuse another.
    function PROTOCOL_VERSION() external view returns (uint256);

    // ----- for Jobs, Registry and Court ------------------------------------------------------------------------------

    /// @notice `Jobs`: pulls a budget from `client`.
    function lock(uint256 jobId, address client, uint256 amount) external;

    /// @notice `Jobs`: credits parts of the job's budget, all or none. Zero amounts are passed over.
    /// @param refundTo not 0: gets all that is left.
    /// @return refund what it got. @return budget the whole budget of the job.
    function disburse(uint256 jobId, Credit[] calldata credits, address refundTo)
        external
        returns (uint256 refund, uint256 budget);

    /// @notice `Registry`, `Court`: pulls a bond from `payer` for `account`.
    function deposit(address account, address payer, uint256 amount) external;

    /// @notice `Jobs`, `Court`: holds part of a free bond.
    function reserve(address account, uint256 amount, ReserveKind kind, uint256 id) external;

    /// @notice `Jobs`, `Court`: frees held bond.
    function release(address account, uint256 amount, uint256 id) external;

    /// @notice `Jobs`, `Court`, `Registry`: bond of `account` becomes claimable by `to`; from the reserved part or from
    /// the whole bond. Takes what is there, at most `amount`, and returns it.
    function slash(address account, address to, uint256 amount, bool reserved, SlashKind kind, uint256 id)
        external
        returns (uint256 taken);

    /// @notice `Registry`, `Court`: free bond becomes claimable by `to`.
    function returnBond(address account, address to, uint256 amount) external;
}
