// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @notice Costs what Circle's USDC costs: a proxy that reads its admin and its implementation, a pause flag, and one slot per
/// account that holds the blacklist bit beside the balance. Storage layout and rules follow the public behaviour of FiatToken
/// 2.2; the code is ours.
contract UsdcImplementation {
    uint256 private constant BLACKLIST_BIT = 1 << 255;

    bool internal _paused;
    mapping(address => uint256) internal _balances;
    mapping(address => mapping(address => uint256)) internal _allowances;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    modifier usable(address a) {
        require(!_paused, "paused");
        require(_balances[a] & BLACKLIST_BIT == 0, "blacklisted");
        _;
    }

    function balanceOf(address a) external view returns (uint256) {
        return _balances[a] & ~BLACKLIST_BIT;
    }

    function allowance(address owner, address spender) external view returns (uint256) {
        return _allowances[owner][spender];
    }

    function approve(address spender, uint256 value) external usable(msg.sender) usable(spender) returns (bool) {
        _allowances[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external usable(msg.sender) usable(to) returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value)
        external
        usable(msg.sender)
        usable(from)
        usable(to)
        returns (bool)
    {
        _allowances[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function mint(address to, uint256 value) external {
        _balances[to] += value;
        emit Transfer(address(0), to, value);
    }

    function setBlacklisted(address a, bool listed) external {
        _balances[a] = listed ? _balances[a] | BLACKLIST_BIT : _balances[a] & ~BLACKLIST_BIT;
    }

    function _move(address from, address to, uint256 value) private {
        _balances[from] -= value;
        _balances[to] += value;
        emit Transfer(from, to, value);
    }
}

contract UsdcModel {
    bytes32 private constant IMPLEMENTATION = keccak256("org.zeppelinos.proxy.implementation");
    bytes32 private constant ADMIN = keccak256("org.zeppelinos.proxy.admin");

    constructor(address implementation) {
        (bytes32 i, bytes32 a) = (IMPLEMENTATION, ADMIN);
        assembly {
            sstore(i, implementation)
            sstore(a, 1)
        }
    }

    fallback() external payable {
        (bytes32 i, bytes32 a) = (IMPLEMENTATION, ADMIN);
        assembly {
            if eq(caller(), sload(a)) { revert(0, 0) }
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(i), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
