// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Limits} from "./Types.sol";
import {Contests} from "./jobs/Contests.sol";
import {JobRecords} from "./jobs/JobRecords.sol";
import {JobsBase} from "./jobs/JobsBase.sol";
import {Posting} from "./jobs/Posting.sol";

/// @title Settlement
/// @notice See `ISettlement`. The rarer half of `Jobs`, run by it on its own storage; called directly it finds no job and no
/// contract that listens to it.
contract Settlement is Posting, Contests, JobRecords {
    constructor(address escrow_, address registry_, address court_, Limits memory limits_)
        JobsBase(escrow_, registry_, court_, limits_)
    {}
}
