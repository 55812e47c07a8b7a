// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {UsdcImplementation} from "../tokens/UsdcModel.sol";
import "../utils/ProtocolTest.sol";

/// @notice Whole transactions as an L2 bills them: 21,000 base and calldata included, every slot cold, against a model of USDC's
/// proxy. Accounts have been used before (bonds in the escrow, a treasury that was paid once), as in steady operation.
/// Written to `snapshots/gas.json`; `FORGE_SNAPSHOT_CHECK=true` compares instead.
/// forge-config: default.isolate = true
contract GasTest is ProtocolTest {
    string private constant FILE = "gas";

    function newToken() internal override returns (address) {
        return vm.deployCode("UsdcModel.sol:UsdcModel", abi.encode(vm.deployCode("UsdcModel.sol:UsdcImplementation")));
    }

    function fund(address who, uint256 amount) internal override {
        UsdcImplementation(address(usdc)).mint(who, amount);
        vm.prank(who);
        usdc.approve(address(escrow), type(uint256).max);
    }

    function setUp() public override {
        super.setUp();
        addVerifiers(8);
        // One whole job before, so that nothing is used for the first time.
        uint256 jobId = post();
        start(jobId, alice);
        uint256 parent;
        for (uint32 step = 50; step <= 400; step += 50) {
            parent = commit(jobId, alice, parent, step);
            judge(parent, Outcome.Accept);
        }
        skip(1 hours);
        jobs.payOut(jobId, 50);
    }

    function _ceiling(string memory name, uint256 max) private {
        uint256 used = vm.snapshotGasLastCall(FILE, name);
        assertLe(used, max, name);
    }

    function _votes(uint256 id, Outcome outcome) private view returns (SignedVerdict[] memory votes) {
        votes = new SignedVerdict[](2);
        votes[0] = vote(id, seatOf(id >> 32, 0), outcome);
        votes[1] = vote(id, seatOf(id >> 32, 1), outcome);
    }

    function test_Post() external {
        JobTerms memory t = terms();
        vm.prank(client);
        jobs.postJob(t);
        _ceiling("postJob", 265_000);
    }

    function test_Acquire() external {
        uint256 jobId = post();
        acquire(jobId, alice);
        _ceiling("acquireLease: first, sets the seats' anchor", 120_000);
        roll();
        jobs.seatCommittee(jobId);
        vm.snapshotGasLastCall(FILE, "seatCommittee: among twelve");
        skip(1);
        evict(jobId);
        _ceiling("evictLease", 110_000);
        acquire(jobId, carol);
        _ceiling("acquireLease: takes over", 120_000);
    }

    function test_RenewAndRelease() external {
        uint256 jobId = post();
        uint32 fence = start(jobId, alice);
        skip(5);
        vm.prank(alice);
        jobs.renewLease(jobId, fence);
        _ceiling("renewLease", 40_000);
        commit(jobId, alice, 0, 50);
        vm.prank(alice);
        jobs.releaseLease(jobId, fence);
        vm.snapshotGasLastCall(FILE, "releaseLease");
    }

    function test_CommitAndJudge() external {
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        _ceiling("commitCheckpoint: first", 110_000);
        uint256 c2 = commit(jobId, alice, c1, 100);
        _ceiling("commitCheckpoint", 110_000);
        jobs.castVerdicts(c1, _votes(c1, Outcome.Accept));
        _ceiling("castVerdicts: two accept, one waits behind", 135_000);
        jobs.castVerdicts(c2, _votes(c2, Outcome.Accept));
        _ceiling("castVerdicts: two accept", 135_000);
        uint256 c3 = commit(jobId, alice, c2, 150);
        commit(jobId, alice, c3, 200);
        jobs.castVerdicts(c3, _votes(c3, Outcome.Refuse));
        _ceiling("castVerdicts: two refuse, one descendant", 140_000);
        skip(2 hours);
        jobs.settleRefusal(c3);
        vm.snapshotGasLastCall(FILE, "settleRefusal");
    }

    function test_Unavailable() external {
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        jobs.castVerdicts(c1, _votes(c1, Outcome.Unavailable));
        vm.snapshotGasLastCall(FILE, "castVerdicts: two unavailable");
    }

    function test_PayOutAndWithdraw() external {
        JobTerms memory t = terms();
        t.totalSteps = 100;
        uint256 jobId = post(t);
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50, true);
        jobs.castVerdicts(c1, _votes(c1, Outcome.Accept));
        acquire(jobId, carol);
        uint256 c2 = commit(jobId, carol, c1, 100);
        jobs.castVerdicts(c2, _votes(c2, Outcome.Accept));
        _ceiling("castVerdicts: two accept the last step", 135_000);
        skip(1 hours);
        jobs.payOut(jobId, 50);
        _ceiling("payOut: two providers, settles", 160_000);
        jobs.releaseBond(jobId, 1);
        vm.snapshotGasLastCall(FILE, "releaseBond");
        vm.prank(alice);
        escrow.withdraw(alice);
        _ceiling("withdraw", 75_000);
    }

    /// @dev At the shipped settings: artifacts are what is deployed.
    function test_Sizes() external {
        _size("Jobs", address(jobs));
        _size("Settlement", jobs.settlement());
        _size("Registry", address(registry));
        _size("Escrow", address(escrow));
        _size("Court", address(court));
        _size("Lens", address(lens));
    }

    function _size(string memory name, address where) private {
        vm.snapshotValue("sizes", name, where.code.length);
        assertLe(where.code.length, 24_576, name);
    }
}
