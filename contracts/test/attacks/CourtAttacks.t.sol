// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "./AttackTest.sol";

contract CourtAttacksTest is AttackTest {
    uint256 private jobId;
    uint256 private c1;

    function _begin() private {
        remember();
        jobId = post();
        start(jobId, alice);
        c1 = commit(jobId, alice, 0, 50);
        judge(c1, Outcome.Accept);
    }

    function disputeAs(address who, uint256 id) public {
        vm.prank(who);
        court.dispute(id, keccak256("why"));
    }

    function test_SilentArbiter() external {
        _begin();
        disputeAs(client, c1);
        skip(3 days);
        court.lapse(c1);
        finish(jobId);
        tell("silent arbiter: the verdict stands, the bond goes back");
        assertEq(delta[alice], 50_000);
        assertEq(delta[client], -50_000 - int256(uint256(2 * FEE)));
    }

    function test_LastSecondDispute() external {
        _begin();
        skip(59);
        uint256 snapshot = vm.snapshotState();
        disputeAs(client, c1);
        vm.revertToState(snapshot);
        skip(1);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WindowOver.selector, block.timestamp));
        this.disputeAs(client, c1);
        jobs.payOut(jobId, 50);
        tell("last-second dispute: until the last second, not after it");
        assertEq(delta[alice], 50_000);
    }

    /// @dev Two colluding seats wait for a dispute, and accept a queue of junk that its ruling would mature.
    function test_JunkAcceptedUnderADispute() external {
        _begin();
        uint256 junk = commit(jobId, alice, c1, 100);
        disputeAs(client, c1);
        skip(1);
        judge(junk, Outcome.Accept);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.UnderChallenge.selector, c1));
        this.disputeAs(client, junk);
        skip(1 hours);
        uint256 snapshot = vm.snapshotState();
        for (uint256 lapsed = 0; lapsed < 2; ++lapsed) {
            if (lapsed == 0) vm.prank(arbiter);
            if (lapsed == 0) court.uphold(c1);
            else skip(3 days);
            if (lapsed != 0) court.lapse(c1);
            uint40 maturesAt = lens.getCheckpoint(junk).maturesAt;
            assertEq(maturesAt, block.timestamp + 60);
            jobs.payOut(jobId, 50);
            assertStatus(c1, CheckpointStatus.Paid);
            assertStatus(junk, CheckpointStatus.Accepted);
            vm.warp(maturesAt - 1);
            disputeAs(client, junk);
            vm.prank(arbiter);
            court.cut(junk, junk);
            assertStatus(junk, CheckpointStatus.Cut);
            vm.revertToState(snapshot);
            snapshot = vm.snapshotState();
        }
        vm.prank(arbiter);
        court.uphold(c1);
        skip(59);
        disputeAs(client, junk);
        vm.prank(arbiter);
        court.cut(junk, junk);
        jobs.payOut(jobId, 50);
        tell("junk accepted under a dispute: its own window begins with the ruling; cut, and 20 USDC of each liar");
        assertEq(delta[alice], int256(uint256(50_000 + USDC / 2)));
    }

    /// @dev Whoever is first after a dispute: the auction begins with the ruling, not at the highest price.
    function test_FirstAfterADispute() external {
        _begin();
        disputeAs(client, c1);
        vm.warp(jobs.clockOf(jobId).expiresAt);
        skip(1 hours);
        vm.prank(arbiter);
        court.uphold(c1);
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.PriceAboveCeiling.selector, 3_000, 0));
        jobs.acquireLease(jobId, new bytes32[](0));
        skip(2);
        vm.prank(alice);
        jobs.acquireLease(jobId, new bytes32[](0));
        console.log("first after a dispute: the auction begins anew, the cheapest is first");
    }

    /// @dev Two refused siblings of one provider: a granted appeal of one does not lift the bar of the other.
    function test_ABarOutlivesOneOfTwoRefusals() external {
        jobId = post();
        start(jobId, alice);
        c1 = commit(jobId, alice, 0, 50);
        skip(1);
        evict(jobId);
        acquire(jobId, alice);
        uint256 sibling = commit(jobId, alice, 0, 50);
        judge(c1, Outcome.Refuse);
        judge(sibling, Outcome.Refuse);
        vm.prank(alice);
        court.appeal(c1, keccak256("good work"));
        vm.prank(arbiter);
        court.grant(c1);
        assertTrue(jobs.standingOf(jobId, alice).barred);
        skip(7);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.ProviderBarred.selector, alice));
        jobs.acquireLease(jobId, new bytes32[](0));
        vm.prank(alice);
        court.appeal(sibling, keccak256("good work too"));
        vm.prank(arbiter);
        court.grant(sibling);
        assertFalse(jobs.standingOf(jobId, alice).barred);
        acquire(jobId, alice);
        console.log("one of two refusals overturned: the bar stays until the other is, too");
    }

    /// @dev Dispute after dispute, to stop the run and the pay: each costs half a bond to the provider, and what was upheld is
    /// mature.
    function test_SerialDisputes() external {
        _begin();
        uint256 parent = c1;
        for (uint32 i = 0; i < 3; ++i) {
            disputeAs(client, parent);
            skip(1 hours);
            vm.prank(arbiter);
            court.uphold(parent);
            jobs.payOut(jobId, 50);
            vm.expectRevert();
            this.disputeAs(client, parent);
            acquire(jobId, alice);
            parent = commit(jobId, alice, parent, 100 + i * 50);
            judge(parent, Outcome.Accept);
        }
        skip(60);
        jobs.payOut(jobId, 50);
        finish(jobId);
        tell("serial disputes: the client pays a bond each time, the deadline shifts, all work is paid");
        assertEq(delta[alice], int256(uint256(200_000 + 3 * USDC / 2)));
    }

    /// @dev The client leases its own job by another key, has junk accepted by nobody but itself, and disputes itself.
    function test_SelfDispute() external {
        remember();
        address sock = makeAddr("client's other key");
        registerProvider(sock, 3_000);
        jobId = post();
        start(jobId, sock);
        c1 = commit(jobId, sock, 0, 50);
        judge(c1, Outcome.Accept);
        disputeAs(client, c1);
        vm.prank(arbiter);
        court.uphold(c1);
        finish(jobId);
        tell("self-dispute: half the bond comes back by the other key, half is lost to the treasury");
        assertEq(delta[treasury], int256(uint256(USDC / 2)));
    }

    /// @dev What matured or was paid before is out of the arbiter's reach, and nothing ever goes anywhere but to the client.
    function test_ArbiterReachesOnlyUnmaturedMoney() external {
        _begin();
        skip(60);
        acquire(jobId, carol);
        uint256 c2 = commit(jobId, carol, c1, 100);
        judge(c2, Outcome.Accept);
        vm.expectPartialRevert(IJobsEvents.WindowOver.selector);
        this.disputeAs(client, c1);
        disputeAs(client, c2);
        vm.prank(arbiter);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.UnknownCheckpoint.selector, c1));
        court.cut(c2, c1);
        vm.prank(arbiter);
        court.cut(c2, c2);
        jobs.payOut(jobId, 50);
        tell("a hostile arbiter: unmatured pay goes back to the client, nothing else moves");
        assertEq(delta[alice], 50_000);
        assertEq(wealth(arbiter), 0);
    }
}
