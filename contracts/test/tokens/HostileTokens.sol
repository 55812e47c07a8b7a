// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice An ERC-20 that can be told to misbehave, in each of the ways real ones do.
contract HostileToken is ERC20 {
    bool public returnsFalse;
    bool public reverts;
    uint256 public feeBps;
    mapping(address => bool) public blacklisted;
    address public callTarget;
    bytes public callData;
    bool public callSucceeded;

    constructor() ERC20("Hostile", "BAD") {}

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function setReturnsFalse(bool on) external {
        returnsFalse = on;
    }

    function setReverts(bool on) external {
        reverts = on;
    }

    function setFee(uint256 bps) external {
        feeBps = bps;
    }

    function setBlacklisted(address a, bool on) external {
        blacklisted[a] = on;
    }

    function setReentry(address target, bytes calldata data) external {
        (callTarget, callData) = (target, data);
    }

    /// @dev Takes from a holder without its leave, as an issuer or a rebase can.
    function confiscate(address from, uint256 amount) external {
        _burn(from, amount);
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        return !returnsFalse && super.transfer(to, value);
    }

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        return !returnsFalse && super.transferFrom(from, to, value);
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!reverts, "told to revert");
        require(!blacklisted[from] && !blacklisted[to], "blacklisted");
        if (callTarget != address(0)) {
            address target = callTarget;
            callTarget = address(0);
            (callSucceeded,) = target.call(callData);
        }
        super._update(from, to, value);
        if (feeBps != 0 && from != address(0) && to != address(0)) _burn(to, value * feeBps / 10_000);
    }
}
