// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "../../utils/ProtocolTest.sol";

contract LeaseCallsTest is ProtocolTest {
    function _renew(uint256 jobId, address who, uint32 fence) private {
        vm.prank(who);
        jobs.renewLease(jobId, fence);
    }

    // ----- renewLease ------------------------------------------------------------------------------------------------

    function test_Renew_RevertWhen_StaleFence() external {
        uint256 jobId = post();
        start(jobId, alice);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.StaleFence.selector, 2, 1));
        _renew(jobId, alice, 2);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.StaleFence.selector, 0, 1));
        _renew(jobId, alice, 0);
    }

    function test_Renew_RevertGiven_Over() external {
        uint256 jobId = post();
        start(jobId, alice);
        uint40 expiresAt = jobs.clockOf(jobId).expiresAt;
        vm.warp(expiresAt);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.LeaseExpired.selector, expiresAt));
        _renew(jobId, alice, 1);
        vm.warp(expiresAt - 1);
        _renew(jobId, alice, 1);
        skip(1);
        evict(jobId);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.LeaseExpired.selector, block.timestamp));
        _renew(jobId, alice, 1);
    }

    function test_Renew_RevertWhen_NotHolder() external {
        uint256 jobId = post();
        start(jobId, alice);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotHolder.selector, bob, alice));
        _renew(jobId, bob, 1);
    }

    function test_Renew_RevertGiven_Draining() external {
        uint256 jobId = post();
        start(jobId, alice);
        vm.prank(client);
        jobs.cancel(jobId);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.Draining.selector, jobId));
        _renew(jobId, alice, 1);
    }

    function test_Renew_RevertGiven_CommitsClosed() external {
        JobTerms memory t = terms();
        t.gracePeriod = 120;
        uint256 jobId = post(t);
        vm.warp(t.deadline - 8);
        start(jobId, alice);
        uint256 parent;
        for (uint32 step = 50; step <= 200; step += 50) {
            skip(29);
            parent = commit(jobId, alice, parent, step);
        }
        vm.warp(uint256(t.deadline) + 120);
        assertEq(lens.getJob(jobId).commitsUntil, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.DeadlinePassed.selector, block.timestamp));
        _renew(jobId, alice, 1);
    }

    function test_Renew_Extends() external {
        uint256 jobId = post();
        start(jobId, alice);
        uint40 stallsAt = lens.getLease(jobId).stallsAt;
        skip(20);
        vm.expectEmit();
        emit IJobsEvents.LeaseRenewed(jobId, 1, uint40(block.timestamp + 30));
        _renew(jobId, alice, 1);
        assertEq(lens.getLease(jobId).stallsAt, stallsAt);
        assertEq(lens.getLease(jobId).lastActionAt, block.timestamp);
    }

    // ----- releaseLease ----------------------------------------------------------------------------------------------

    function test_Release_AfterCommitCostsNothing() external {
        uint256 jobId = post();
        start(jobId, alice);
        uint256 id = commit(jobId, alice, 0, 50);
        vm.expectEmit();
        emit IJobsEvents.LeaseEnded(
            jobId, 1, alice, EndCause.Released, uint40(block.timestamp), uint40(block.timestamp)
        );
        vm.prank(alice);
        jobs.releaseLease(jobId, 1);
        judge(id, Outcome.Accept);
        jobs.releaseBond(jobId, 1);
        assertEq(free(alice), 1 * USDC);
        assertEq(jobs.standingOf(jobId, alice).coolingUntil, 0);
    }

    function test_Release_EmptyForfeitsSquat() external {
        uint256 jobId = post();
        start(jobId, alice);
        vm.expectEmit(address(escrow));
        emit IEscrow.BondSlashed(alice, treasury, SlashKind.Squat, (jobId << 32) | 1, ROUND, true);
        vm.prank(alice);
        jobs.releaseLease(jobId, 1);
        assertEq(jobs.standingOf(jobId, alice).coolingUntil, block.timestamp + 60);
        assertEq(claimable(treasury), ROUND);
        jobs.releaseBond(jobId, 1);
        assertEq(free(alice), 1 * USDC - ROUND);

        JobTerms memory t = terms();
        t.auctionRamp = 100;
        jobId = post(t);
        skip(100);
        roll();
        vm.prank(alice);
        jobs.acquireLease(jobId, new bytes32[](0));
        vm.prank(alice);
        jobs.releaseLease(jobId, 1);
        assertEq(jobs.standingOf(jobId, alice).coolingUntil, block.timestamp + 200);
    }

    function test_Release_WhileDrainingCostsNothing() external {
        uint256 jobId = post();
        start(jobId, alice);
        vm.prank(client);
        jobs.cancel(jobId);
        vm.prank(alice);
        jobs.releaseLease(jobId, 1);
        assertEq(jobs.standingOf(jobId, alice).coolingUntil, 0);
        jobs.releaseBond(jobId, 1);
        assertEq(free(alice), 1 * USDC);
    }

    // ----- ends by time ----------------------------------------------------------------------------------------------

    function test_Expires() external {
        uint256 jobId = post();
        start(jobId, alice);
        uint40 expiresAt = jobs.clockOf(jobId).expiresAt;
        vm.warp(expiresAt + 3);
        assertEq(uint8(lens.getLease(jobId).cause), uint8(EndCause.Expired));
        assertFalse(lens.getLease(jobId).live);
        vm.expectEmit();
        emit IJobsEvents.LeaseEnded(jobId, 1, alice, EndCause.Expired, expiresAt, expiresAt);
        jobs.releaseBond(jobId, 1);
        // Nothing was committed: SQUAT.
        assertEq(free(alice), 1 * USDC - ROUND);
        assertEq(claimable(treasury), ROUND);
        assertEq(jobs.standingOf(jobId, alice).coolingUntil, expiresAt + 10 minutes);
        assertEq(jobs.clockOf(jobId).openSince, expiresAt);
    }

    function test_Stalls() external {
        uint256 jobId = post();
        start(jobId, alice);
        uint40 stallsAt = lens.getLease(jobId).stallsAt;
        for (uint256 i = 0; i < 4; ++i) {
            skip(29);
            _renew(jobId, alice, 1);
        }
        vm.warp(stallsAt);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.LeaseExpired.selector, stallsAt));
        _renew(jobId, alice, 1);
        vm.expectEmit();
        emit IJobsEvents.LeaseEnded(jobId, 1, alice, EndCause.Stalled, stallsAt, stallsAt);
        jobs.releaseBond(jobId, 1);
        assertEq(claimable(treasury), ROUND);
        assertEq(free(alice), 1 * USDC - ROUND);
    }

    function test_StallAfterCommitForfeitsNothing() external {
        uint256 jobId = post();
        start(jobId, alice);
        commit(jobId, alice, 0, 50);
        for (uint256 i = 0; i < 4; ++i) {
            skip(29);
            _renew(jobId, alice, 1);
        }
        skip(4);
        assertEq(uint8(lens.getLease(jobId).cause), uint8(EndCause.Stalled));
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.BondStillDue.selector, jobId, 1));
        jobs.releaseBond(jobId, 1);
        judge((jobId << 32) | 1, Outcome.Accept);
        jobs.releaseBond(jobId, 1);
        assertEq(free(alice), 1 * USDC);
    }

    function test_FullQueueStopsTheClock() external {
        JobTerms memory t = terms();
        t.checkpointInterval = 10;
        uint256 jobId = post(t);
        start(jobId, alice);
        uint256 parent;
        for (uint32 i = 1; i <= 8; ++i) {
            parent = commit(jobId, alice, parent, i * 10);
        }
        assertEq(lens.getLease(jobId).stallsAt, 0);
        assertEq(lens.getQueue(jobId).pending.length, 8);
        for (uint256 i = 0; i < 10; ++i) {
            skip(29);
            _renew(jobId, alice, 1);
        }
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.QueueFull.selector, 8));
        this.commitAs(jobId, alice, parent, 90, false);
        judge((jobId << 32) | 1, Outcome.Accept);
        assertEq(lens.getLease(jobId).stallsAt, block.timestamp + 120);
        commit(jobId, alice, parent, 90);
        // A release may use a ninth place.
        commit(jobId, alice, (jobId << 32) | 9, 100, true);
        assertEq(jobs.queueOf(jobId).pending, 9);
    }

    function commitAs(uint256 jobId, address who, uint256 parent, uint32 step, bool release) external {
        commit(jobId, who, parent, step, release);
    }

    // ----- evictLease ------------------------------------------------------------------------------------------------

    function _evictions(uint256 jobId, uint32 fence, uint64 first, uint64 second)
        private
        view
        returns (SignedEviction[] memory e)
    {
        e = new SignedEviction[](2);
        e[0] = eviction(jobId, fence, seatOf(jobId, 0), first);
        e[1] = eviction(jobId, fence, seatOf(jobId, 2), second);
    }

    function test_Evict_RevertWhen_TooFewCount() external {
        uint256 jobId = post();
        start(jobId, alice);
        skip(10);
        uint64 now_ = uint64(block.timestamp * 1000);
        uint64 action = uint64(lens.getLease(jobId).lastActionAt) * 1000;
        bytes memory one = abi.encodeWithSelector(IJobsEvents.TooFewSeats.selector, 1, 2);

        SignedEviction[] memory e = _evictions(jobId, 1, now_, now_ + 5_001);
        vm.expectRevert(one);
        jobs.evictLease(jobId, 1, e);
        e = _evictions(jobId, 1, now_, action);
        vm.expectRevert(one);
        jobs.evictLease(jobId, 1, e);
        // The same seat twice.
        e[1] = eviction(jobId, 1, seatOf(jobId, 0), now_ + 1);
        vm.expectRevert(one);
        jobs.evictLease(jobId, 1, e);
        // Nobody's key; a malformed signature.
        e[1] = eviction(jobId, 1, Person(address(1), 77), now_);
        vm.expectRevert(one);
        jobs.evictLease(jobId, 1, e);
        e[1].vs = bytes32(type(uint256).max);
        vm.expectRevert(one);
        jobs.evictLease(jobId, 1, e);
        // Too old, by a millisecond.
        e = _evictions(jobId, 1, action + 1, action + 1);
        _renewUntil(jobId, 31);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.TooFewSeats.selector, 0, 2));
        jobs.evictLease(jobId, 1, e);
    }

    function _renewUntil(uint256 jobId, uint256 seconds_) private {
        for (uint256 i = 0; i < seconds_; i += 10) {
            skip(10);
            _renew(jobId, alice, 1);
        }
    }

    function test_Evict_RevertWhen_StaleFence() external {
        uint256 jobId = post();
        start(jobId, alice);
        skip(1);
        SignedEviction[] memory e = _evictions(jobId, 2, uint64(block.timestamp * 1000), uint64(block.timestamp * 1000));
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.StaleFence.selector, 2, 1));
        jobs.evictLease(jobId, 2, e);
    }

    function test_Evict_TakesTheLeaseAndNoMoney() external {
        uint256 jobId = post();
        start(jobId, alice);
        skip(1);
        uint64 now_ = uint64(block.timestamp * 1000);
        SignedEviction[] memory e = _evictions(jobId, 1, now_ + 5_000, now_ - 999);
        vm.expectEmit();
        emit IJobsEvents.EvictionCast(jobId, 1, jobs.memberOf(jobId, 0).verifier, 0, now_ + 5_000);
        vm.expectEmit();
        emit IJobsEvents.EvictionCast(jobId, 1, jobs.memberOf(jobId, 2).verifier, 2, now_ - 999);
        vm.expectEmit();
        emit IJobsEvents.LeaseEnded(jobId, 1, alice, EndCause.Evicted, uint40(block.timestamp), uint40(block.timestamp));
        jobs.evictLease(jobId, 1, e);
        jobs.releaseBond(jobId, 1);
        assertEq(free(alice), 1 * USDC);
        assertEq(jobs.standingOf(jobId, alice).coolingUntil, 0);

        acquire(jobId, alice);
        skip(1);
        evict(jobId);
        assertEq(jobs.standingOf(jobId, alice).coolingUntil, block.timestamp + 60);
    }

    function test_Evict_DrawsSeatsByItself() external {
        uint256 jobId = post();
        acquire(jobId, alice);
        SignedEviction[] memory none;
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.AnchorTooRecent.selector, block.number));
        jobs.evictLease(jobId, 1, none);
        roll();
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.TooFewSeats.selector, 0, 2));
        jobs.evictLease(jobId, 1, none);
    }

    // ----- releaseBond -----------------------------------------------------------------------------------------------

    function _stillDue(uint256 jobId, uint32 fence) private {
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.BondStillDue.selector, jobId, fence));
        jobs.releaseBond(jobId, fence);
    }

    function test_ReleaseBond() external {
        uint256 jobId = post();
        _stillDue(jobId, 1);
        start(jobId, alice);
        _stillDue(jobId, 1);
        uint256 c1 = commit(jobId, alice, 0, 50);
        uint256 c2 = commit(jobId, alice, c1, 100, true);
        _stillDue(jobId, 1);
        judge(c1, Outcome.Accept);
        _stillDue(jobId, 1);
        judge(c2, Outcome.Refuse);
        _stillDue(jobId, 1);
        skip(1 hours);
        jobs.settleRefusal(c2);
        _stillDue(jobId, 1);
        assertEq(reserved(alice), 0);
        assertEq(free(alice), 1 * USDC - 2 * FEE);
    }
}
