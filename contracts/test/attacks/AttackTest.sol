// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {console} from "forge-std/Test.sol";
import "../utils/ProtocolTest.sol";

/// @notice An attack says at its end who lost what: wallet, claimable and bond together, in USDC. (The client's locked budget counts
/// as spent until it comes back.) Run with `-vv` to read it.
abstract contract AttackTest is ProtocolTest {
    mapping(address => uint256) private _before;
    mapping(address => int256) internal delta;

    function _parties() private view returns (address[] memory a, string[] memory names) {
        a = new address[](5 + verifiers.length);
        names = new string[](5 + verifiers.length);
        (a[0], a[1], a[2], a[3], a[4]) = (client, alice, bob, carol, treasury);
        (names[0], names[1], names[2], names[3], names[4]) = ("client", "alice", "bob", "carol", "treasury");
        for (uint256 i = 0; i < verifiers.length; ++i) {
            (a[5 + i], names[5 + i]) = (verifiers[i].addr, string.concat("verifier ", vm.toString(i)));
        }
    }

    function wealth(address a) internal view returns (uint256) {
        return usdc.balanceOf(a) + escrow.owedTo(a);
    }

    function remember() internal {
        (address[] memory a,) = _parties();
        for (uint256 i = 0; i < a.length; ++i) {
            _before[a[i]] = wealth(a[i]);
        }
    }

    function tell(string memory name) internal {
        console.log(name);
        (address[] memory a, string[] memory names) = _parties();
        for (uint256 i = 0; i < a.length; ++i) {
            int256 d = int256(wealth(a[i])) - int256(_before[a[i]]);
            delta[a[i]] = d;
            if (d == 0) continue;
            uint256 size = uint256(d < 0 ? -d : d);
            console.log(string.concat("  ", names[i], d < 0 ? " lost " : " got "), _usdc(size));
        }
        assertSolvent();
    }

    function _usdc(uint256 amount) private pure returns (string memory) {
        string memory cents = vm.toString(amount % USDC + USDC);
        bytes memory tail = new bytes(6);
        for (uint256 i = 0; i < 6; ++i) {
            tail[i] = bytes(cents)[i + 1];
        }
        return string.concat(vm.toString(amount / USDC), ".", string(tail));
    }

    /// @dev Ends a job by the passing of time, and pays out.
    function finish(uint256 jobId) internal {
        if (jobs.jobRecord(jobId).status == JobStatus.Open) {
            vm.warp(lens.getJob(jobId).commitsUntil);
            jobs.close(jobId);
        }
        skip(7 days);
        jobs.payOut(jobId, 50);
        assertJob(jobId, JobStatus.Settled);
    }
}
