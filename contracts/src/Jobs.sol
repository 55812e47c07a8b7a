// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IJobsWork} from "./interfaces/IJobsWork.sol";
import {PROTOCOL_VERSION_NUMBER} from "./libraries/Constants.sol";
import {Limits} from "./Types.sol";
import {JobsBase} from "./jobs/JobsBase.sol";
import {Records} from "./jobs/Records.sol";
import {Replacements} from "./jobs/Replacements.sol";
import {Verdicts} from "./jobs/Verdicts.sol";

/// @title Jobs
/// @notice See `IJobs`. Its parts stand in `jobs/`, one concern a file. Here: `Seats`, `Replacements`, `Leases`,
/// `Checkpoints`, `Verdicts`, `Records`. Posting, paying, closing, refusals and challenges are `Settlement`, which runs on this contract's storage.
contract Jobs is Verdicts, Replacements, Records {
    address public immutable settlement;

    constructor(address escrow_, address registry_, address court_, address settlement_, Limits memory limits_)
        JobsBase(escrow_, registry_, court_, limits_)
    {
        settlement = settlement_;
    }

    /// @dev Both contracts inherit `JobsBase`, which alone has storage; the address is fixed and its code cannot change.
    fallback() external {
        address code = settlement;
        assembly ("memory-safe") {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }

    /// @inheritdoc IJobsWork
    function PROTOCOL_VERSION() external pure returns (uint256) {
        return PROTOCOL_VERSION_NUMBER;
    }

    /// @inheritdoc IJobsWork
    function escrow() external view returns (address) {
        return ESCROW;
    }

    /// @inheritdoc IJobsWork
    function registry() external view returns (address) {
        return REGISTRY;
    }

    /// @inheritdoc IJobsWork
    function court() external view returns (address) {
        return COURT;
    }
}
