// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @title Test USDC
/// @notice 6-decimal ERC-20 with EIP-2612 permit and an open faucet. Local chains and testnets only; worth nothing.
interface ITestUSDC {
    error FaucetLimit(uint256 asked, uint256 limit);

    /// @notice Mints up to `FAUCET_LIMIT` a call to `to`. Anyone may call.
    function mint(address to, uint256 amount) external;

    function FAUCET_LIMIT() external view returns (uint256);
}
