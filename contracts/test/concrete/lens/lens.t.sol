// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "../../utils/ProtocolTest.sol";

contract LensTest is ProtocolTest {
    bytes32[] private none;

    function test_UnknownJob() external view {
        assertFalse(lens.closable(7));
        (uint256 mature, bool settles) = lens.payOutStatus(7);
        assertEq(mature, 0);
        assertFalse(settles);
        assertEq(lens.getLease(7).fence, 0);
        assertEq(lens.getCheckpoints(7, 1, 10).length, 0);
        assertEq(lens.getCheckpoints(7, 0, 10).length, 0);
        assertFalse(lens.getSeats(7).drawn);
        (ILens.AcquireBlock reason,) = lens.canAcquire(7, alice, none);
        assertEq(uint8(reason), uint8(ILens.AcquireBlock.JobNotOpen));
    }

    function test_LiveLease() external {
        uint256 jobId = post();
        start(jobId, alice);
        assertEq(lens.priceCeiling(jobId), 0);
        assertEq(lens.getLeaseAt(jobId, 9).provider, address(0));
        commit(jobId, alice, 0, 50, true);
        acquire(jobId, carol);
        ILens.LeaseView memory old = lens.getLeaseAt(jobId, 1);
        assertTrue(old.committed);
        assertEq(uint8(old.cause), uint8(EndCause.Released));
        assertEq(old.expiresAt, 0);
    }

    function test_UnseenEnd() external {
        uint256 jobId = post();
        acquire(jobId, alice);
        uint40 expiresAt = jobs.clockOf(jobId).expiresAt;
        vm.warp(expiresAt + 6);
        roll();
        assertEq(uint8(lens.getLease(jobId).cause), uint8(EndCause.Expired));
        assertEq(lens.getLease(jobId).openSince, expiresAt);
        assertEq(lens.priceCeiling(jobId), 3_000);
        (ILens.AcquireBlock reason, uint40 until) = lens.canAcquire(jobId, alice, none);
        assertEq(uint8(reason), uint8(ILens.AcquireBlock.CoolingDown));
        assertEq(until, expiresAt + 10 minutes);
        // The anchor's hash is lost and no seats were drawn.
        vm.roll(block.number + 300);
        (reason,) = lens.canAcquire(jobId, carol, none);
        assertEq(uint8(reason), uint8(ILens.AcquireBlock.NoCommittee));
    }

    function test_UnseenEndWhileDraining() external {
        uint256 jobId = post();
        acquire(jobId, alice);
        vm.prank(client);
        jobs.cancel(jobId);
        skip(31);
        assertEq(uint8(lens.getLease(jobId).cause), uint8(EndCause.JobClosed));
        assertTrue(lens.closable(jobId));
    }

    function test_PriceAboveTheMaximum() external {
        vm.prank(alice);
        registry.updateProvider(providerProfile(3_001));
        (ILens.AcquireBlock reason, uint40 until) = lens.canAcquire(post(), alice, none);
        assertEq(uint8(reason), uint8(ILens.AcquireBlock.PriceAboveCeiling));
        assertEq(until, type(uint40).max);
    }

    function test_RevertGiven_UnknownCheckpoint() external {
        uint256 jobId = post();
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.UnknownCheckpoint.selector, (jobId << 32) | 1));
        lens.getCheckpoint((jobId << 32) | 1);
    }

    function test_UpheldIsMatureNow() external {
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        judge(c1, Outcome.Accept);
        vm.prank(client);
        court.dispute(c1, 0);
        assertEq(lens.getCheckpoint(c1).maturesAt, 0);
        vm.prank(arbiter);
        court.uphold(c1);
        assertEq(lens.getCheckpoint(c1).maturesAt, block.timestamp);
        (uint256 mature, bool settles) = lens.payOutStatus(jobId);
        assertEq(mature, 1);
        assertFalse(settles);
        assertEq(lens.getSeats(jobId).seats[0].voted, false);
    }
}
