// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "../../utils/ProtocolTest.sol";

contract AcquireLeaseTest is ProtocolTest {
    bytes32[] private none;

    function _expect(uint256 jobId, address who, bytes memory error_) private {
        vm.prank(who);
        vm.expectRevert(error_);
        jobs.acquireLease(jobId, none);
    }

    function _blocked(uint256 jobId, address who) private view returns (ILens.AcquireBlock reason, uint40 until) {
        return lens.canAcquire(jobId, who, none);
    }

    function _assertBlocked(uint256 jobId, address who, ILens.AcquireBlock expected) private view {
        (ILens.AcquireBlock reason,) = _blocked(jobId, who);
        assertEq(uint8(reason), uint8(expected), "lens agrees");
    }

    function test_RevertGiven_JobNotOpen() external {
        _expect(9, alice, abi.encodeWithSelector(IJobsEvents.UnknownJob.selector, 9));
        uint256 jobId = post();
        vm.prank(client);
        jobs.cancel(jobId);
        _assertBlocked(jobId, alice, ILens.AcquireBlock.Draining);
        _expect(jobId, alice, abi.encodeWithSelector(IJobsEvents.Draining.selector, jobId));
        jobs.close(jobId);
        _assertBlocked(jobId, alice, ILens.AcquireBlock.JobNotOpen);
        _expect(jobId, alice, abi.encodeWithSelector(IJobsEvents.WrongStatus.selector, jobId, JobStatus.Closing));
    }

    function test_RevertGiven_PastDeadline() external {
        uint256 jobId = post();
        uint40 deadline = lens.getJob(jobId).deadline;
        vm.warp(deadline);
        _assertBlocked(jobId, alice, ILens.AcquireBlock.PastDeadline);
        _expect(jobId, alice, abi.encodeWithSelector(IJobsEvents.DeadlinePassed.selector, deadline));
        vm.warp(deadline - 1);
        vm.prank(alice);
        jobs.acquireLease(jobId, none);
    }

    function test_RevertGiven_LeaseHeld() external {
        uint256 jobId = post();
        acquire(jobId, alice);
        uint40 expiresAt = jobs.clockOf(jobId).expiresAt;
        _assertBlocked(jobId, carol, ILens.AcquireBlock.LeaseHeld);
        _expect(jobId, carol, abi.encodeWithSelector(IJobsEvents.LeaseHeld.selector, 1, expiresAt));
        vm.warp(expiresAt - 1);
        _expect(jobId, carol, abi.encodeWithSelector(IJobsEvents.LeaseHeld.selector, 1, expiresAt));
        // Half-open: at the boundary it may be taken over; the ceiling counts from the expiry.
        vm.warp(expiresAt);
        roll();
        _expect(jobId, carol, abi.encodeWithSelector(IJobsEvents.PriceAboveCeiling.selector, 2_000, 0));
        vm.warp(expiresAt + 4);
        _expect(jobId, bob, abi.encodeWithSelector(IJobsEvents.PriceAboveCeiling.selector, 3_000, 2_000));
        vm.prank(carol);
        assertEq(jobs.acquireLease(jobId, none), 2);
        assertCause(jobId, 1, EndCause.Expired);
    }

    function test_RevertGiven_EvictionInThisBlock() external {
        JobTerms memory t = terms();
        t.auctionRamp = 0;
        uint256 jobId = post(t);
        start(jobId, alice);
        skip(1);
        evict(jobId);
        _assertBlocked(jobId, carol, ILens.AcquireBlock.SameBlockAsEviction);
        _expect(jobId, carol, abi.encodeWithSelector(IJobsEvents.SameBlockAsEviction.selector));
        roll();
        vm.prank(carol);
        jobs.acquireLease(jobId, none);
    }

    function test_RevertGiven_NotOffering() external {
        uint256 jobId = post();
        skip(6);
        _assertBlocked(jobId, client, ILens.AcquireBlock.NotOffering);
        _expect(jobId, client, abi.encodeWithSelector(IJobsEvents.NotOffering.selector, client));
        vm.prank(alice);
        registry.setAccepting(false);
        _expect(jobId, alice, abi.encodeWithSelector(IJobsEvents.NotOffering.selector, alice));
        vm.prank(carol);
        registry.requestExit();
        _expect(jobId, carol, abi.encodeWithSelector(IJobsEvents.NotOffering.selector, carol));
    }

    function test_RevertGiven_Client() external {
        uint256 jobId = post();
        registerProvider(client, 1);
        address dave = makeAddr("dave");
        registerProvider(dave, 1, client);
        skip(6);
        _assertBlocked(jobId, client, ILens.AcquireBlock.IsClient);
        _expect(jobId, client, abi.encodeWithSelector(IJobsEvents.ClientCannotLease.selector, client));
        _expect(jobId, dave, abi.encodeWithSelector(IJobsEvents.ClientCannotLease.selector, dave));
    }

    function test_RevertGiven_Refused() external {
        uint256 jobId = post();
        start(jobId, alice);
        uint256 id = commit(jobId, alice, 0, 50);
        judge(id, Outcome.Refuse);
        skip(1 days);
        skip(7);
        vm.warp(lens.getJob(jobId).deadline - 1);
        _assertBlocked(jobId, alice, ILens.AcquireBlock.Barred);
        _expect(jobId, alice, abi.encodeWithSelector(IJobsEvents.ProviderBarred.selector, alice));
    }

    function test_RevertGiven_CoolingDown() external {
        JobTerms memory t = terms();
        t.deadline = uint40(block.timestamp + 1 days);
        uint256 jobId = post(t);
        acquire(jobId, alice);
        uint40 expiresAt = jobs.clockOf(jobId).expiresAt;
        vm.warp(expiresAt + 10 minutes - 1);
        roll();
        (ILens.AcquireBlock reason, uint40 until) = _blocked(jobId, alice);
        assertEq(uint8(reason), uint8(ILens.AcquireBlock.CoolingDown));
        assertEq(until, expiresAt + 10 minutes);
        _expect(jobId, alice, abi.encodeWithSelector(IJobsEvents.CoolingDown.selector, alice, until));
        skip(1);
        vm.prank(alice);
        assertEq(jobs.acquireLease(jobId, none), 2);
    }

    function test_EligibilityRoot() external {
        JobTerms memory t = terms();
        bytes32 a = keccak256(bytes.concat(keccak256(abi.encode(alice))));
        bytes32 b = keccak256(bytes.concat(keccak256(abi.encode(bob))));
        t.eligibilityRoot = a < b ? keccak256(bytes.concat(a, b)) : keccak256(bytes.concat(b, a));
        uint256 jobId = post(t);
        skip(6);
        _assertBlocked(jobId, carol, ILens.AcquireBlock.NotEligible);
        _expect(jobId, carol, abi.encodeWithSelector(IJobsEvents.NotEligible.selector, carol));
        _expect(jobId, alice, abi.encodeWithSelector(IJobsEvents.NotEligible.selector, alice));
        bytes32[] memory proof = new bytes32[](1);
        proof[0] = b;
        (ILens.AcquireBlock reason,) = lens.canAcquire(jobId, alice, proof);
        assertEq(uint8(reason), 0);
        vm.prank(alice);
        jobs.acquireLease(jobId, proof);
    }

    function test_RevertGiven_PriceAboveCeiling() external {
        uint256 jobId = post();
        (ILens.AcquireBlock reason, uint40 until) = _blocked(jobId, carol);
        assertEq(uint8(reason), uint8(ILens.AcquireBlock.PriceAboveCeiling));
        assertEq(until, block.timestamp + 4);
        skip(3);
        assertEq(lens.priceCeiling(jobId), 1_500);
        _expect(jobId, carol, abi.encodeWithSelector(IJobsEvents.PriceAboveCeiling.selector, 2_000, 1_500));
        skip(1);
        vm.prank(carol);
        jobs.acquireLease(jobId, none);
        assertEq(jobs.leaseRecord(jobId, 1).price, 2_000);
    }

    function test_RevertGiven_BondTooSmall() external {
        for (uint256 i = 0; i < 16; ++i) {
            acquire(post(), alice);
        }
        uint256 jobId = post();
        skip(6);
        _assertBlocked(jobId, alice, ILens.AcquireBlock.BondTooSmall);
        _expect(jobId, alice, abi.encodeWithSelector(IEscrow.BondTooSmall.selector, alice, 40_000, 60_000));
    }

    function test_RevertGiven_NoCommittee() external {
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(verifiers[i].addr);
            registry.requestExit();
        }
        uint256 jobId = post();
        skip(6);
        _assertBlocked(jobId, alice, ILens.AcquireBlock.NoCommittee);
        _expect(jobId, alice, abi.encodeWithSelector(IJobsEvents.NoCommittee.selector, 2, 3));
    }

    function test_RevertGiven_PayoutWalletSeated() external {
        uint256 jobId = post();
        start(jobId, alice);
        vm.prank(alice);
        jobs.releaseLease(jobId, 1);
        address dave = makeAddr("dave");
        registerProvider(dave, 1, seatOf(jobId, 1).addr);
        skip(7);
        roll();
        _assertBlocked(jobId, dave, ILens.AcquireBlock.SeatedVerifier);
        _expect(jobId, dave, abi.encodeWithSelector(IJobsEvents.SeatedVerifierCannotLease.selector, dave));
    }

    function test_AcquiresAndReserves() external {
        uint256 jobId = post();
        skip(7);
        _assertBlocked(jobId, alice, ILens.AcquireBlock.None);
        vm.expectEmit(address(jobs));
        emit IJobsEvents.SeatsAnchored(jobId, 3, uint40(block.number), 4);
        vm.expectEmit(address(jobs));
        emit IJobsEvents.LeaseAcquired(jobId, 1, alice, 1_000, uint40(block.timestamp + 30));
        vm.expectEmit(address(escrow));
        emit IEscrow.BondReserved(alice, ReserveKind.Lease, (jobId << 32) | 1, 2 * ROUND);
        vm.prank(alice);
        jobs.acquireLease(jobId, none);
        assertEq(reserved(alice), 2 * ROUND);
        ILens.LeaseView memory v = lens.getLease(jobId);
        assertTrue(v.live);
        assertEq(v.provider, alice);
        assertEq(v.pricePerStep, 1_000);
        assertEq(v.acquiredAt, block.timestamp);
        assertEq(v.lastActionAt, block.timestamp);
        assertEq(v.stallsAt, block.timestamp + 120);
        // A registered price may change; the lease's does not.
        vm.prank(alice);
        registry.updateProvider(providerProfile(9_999));
        assertEq(lens.getLease(jobId).pricePerStep, 1_000);
    }
}
