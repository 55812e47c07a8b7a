// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ITestUSDC} from "./interfaces/ITestUSDC.sol";

/// @title Test USDC
/// @notice See `ITestUSDC`.
contract TestUSDC is ERC20, ERC20Permit, ITestUSDC {
    uint256 public constant FAUCET_LIMIT = 10_000e6;

    constructor() ERC20("Test USD Coin", "USDC") ERC20Permit("Test USD Coin") {}

    /// @inheritdoc ITestUSDC
    function mint(address to, uint256 amount) external {
        if (amount > FAUCET_LIMIT) revert FaucetLimit(amount, FAUCET_LIMIT);
        _mint(to, amount);
    }

    /// @dev As Circle's USDC.
    function decimals() public pure override returns (uint8) {
        return 6;
    }
}
