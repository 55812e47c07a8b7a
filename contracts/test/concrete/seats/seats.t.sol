// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "../../utils/ProtocolTest.sol";

contract SeatsTest is ProtocolTest {
    uint256 private jobId;

    function setUp() public override {
        super.setUp();
        jobId = post();
    }

    // ----- seatCommittee ---------------------------------------------------------------------------------------------

    function test_Seat_Reverts() external {
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.SeatsNotAnchored.selector, jobId));
        jobs.seatCommittee(jobId);
        acquire(jobId, alice);
        assertFalse(lens.getSeats(jobId).callable);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.AnchorTooRecent.selector, block.number));
        jobs.seatCommittee(jobId);
        roll();
        assertTrue(lens.getSeats(jobId).callable);
        jobs.seatCommittee(jobId);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.AlreadySeated.selector, jobId));
        jobs.seatCommittee(jobId);
    }

    /// An anchored draw that nobody made must not seat anybody once the job is over: it would hold their exits up.
    function test_Seat_RevertGiven_TheJobIsOver() external {
        acquire(jobId, alice);
        roll();
        JobTerms memory t = lens.getTerms(jobId);
        vm.warp(t.deadline + t.gracePeriod);
        jobs.close(jobId);
        assertFalse(lens.getSeats(jobId).callable);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStatus.selector, jobId, uint8(JobStatus.Closing)));
        jobs.seatCommittee(jobId);
        jobs.payOut(jobId, 50);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStatus.selector, jobId, uint8(JobStatus.Settled)));
        jobs.seatCommittee(jobId);
        // Closing drew the committee that everybody could foresee: it gets its round.
        assertTrue(lens.getSeats(jobId).drawn);
        assertEq(claimable(seatOf(jobId, 0).addr), FEE);
    }

    function test_Seat_ThreeDifferent() external {
        start(jobId, alice);
        ILens.SeatsView memory v = lens.getSeats(jobId);
        assertTrue(v.drawn);
        assertTrue(v.seats[0].verifier != v.seats[1].verifier);
        assertTrue(v.seats[0].verifier != v.seats[2].verifier);
        assertTrue(v.seats[1].verifier != v.seats[2].verifier);
        assertEq(registry.verifier(v.seats[0].verifier).seats, 1);
        assertEq(registry.verifierAt(v.seats[0].verifierId).account, v.seats[0].verifier);
    }

    function test_Seat_PassesOverInterestedAndUnwilling() external {
        addVerifiers(3);
        // 0: the client's own verifier key; 1: alice's wallet; 2: too dear; 3: another template. Left: 4, 5, 6.
        vm.prank(alice);
        registry.setPayout(alice, verifiers[1].addr);
        VerifierProfile memory p = verifierProfile();
        p.minFee = FEE + 1;
        vm.prank(verifiers[2].addr);
        registry.updateVerifier(p);
        p = verifierProfile();
        p.templateMask = 2;
        vm.prank(verifiers[3].addr);
        registry.updateVerifier(p);
        fund(verifiers[0].addr, 5 * USDC);
        JobTerms memory t = terms();
        vm.prank(verifiers[0].addr);
        uint256 id = jobs.postJob(t);
        start(id, alice);
        for (uint256 seat = 0; seat < 3; ++seat) {
            address a = seatOf(id, seat).addr;
            assertTrue(a == verifiers[4].addr || a == verifiers[5].addr || a == verifiers[6].addr);
        }
    }

    function test_Seat_LostHashIsAnchoredAnew() external {
        acquire(jobId, alice);
        vm.roll(block.number + 257);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotSeated.selector, jobId));
        this.commitAs(alice);
        vm.expectEmit();
        emit IJobsEvents.SeatsAnchored(jobId, 3, uint40(block.number), 4);
        jobs.seatCommittee(jobId);
        assertFalse(jobs.panelOf(jobId).drawn);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.AnchorTooRecent.selector, block.number));
        jobs.seatCommittee(jobId);
        roll();
        jobs.seatCommittee(jobId);
        assertTrue(jobs.panelOf(jobId).drawn);
    }

    /// @dev Two leave with their bonds within the life of the anchor's hash (it takes a short unbonding time, or few blocks).
    function test_Seat_TooFewAreLeftOfTheAnchorsRoster() external {
        JobTerms memory t = terms();
        t.deadline = uint40(block.timestamp + 60 days);
        uint256 id = post(t);
        acquire(id, alice);
        skip(1);
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(verifiers[i].addr);
            registry.requestExit();
        }
        skip(14 days);
        roll();
        (ILens.AcquireBlock reason,) = lens.canAcquire(id, carol, new bytes32[](0));
        assertEq(uint8(reason), uint8(ILens.AcquireBlock.None), "as it was at the anchor");
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(verifiers[i].addr);
            registry.withdrawBond();
        }
        (reason,) = lens.canAcquire(id, carol, new bytes32[](0));
        assertEq(uint8(reason), uint8(ILens.AcquireBlock.NoCommittee));
        vm.prank(carol);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotSeated.selector, id));
        jobs.acquireLease(id, new bytes32[](0));
    }

    function commitAs(address who) external {
        commit(jobId, who, 0, 50);
    }

    /// @dev Verifiers that were eligible at the anchor have left altogether since (possible only where unbonding is shorter than
    /// 256 blocks): the draw finds too few and a new anchor is set, once enough others are there.
    function test_Seat_TooFewLeftOfTheAnchor() external {
        acquire(jobId, alice);
        roll();
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(verifiers[i].addr);
            registry.requestExit();
        }
        skip(14 days);
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(verifiers[i].addr);
            registry.withdrawBond();
        }
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NoCommittee.selector, 2, 3));
        jobs.seatCommittee(jobId);
        addVerifiers(1);
        vm.expectEmit();
        emit IJobsEvents.SeatsAnchored(jobId, 3, uint40(block.number), 4);
        jobs.seatCommittee(jobId);
        roll();
        jobs.seatCommittee(jobId);
        assertTrue(jobs.panelOf(jobId).drawn);
    }

    function test_Replace_RevertGiven_Settled() external {
        start(jobId, alice);
        vm.prank(client);
        jobs.cancel(jobId);
        skip(30);
        jobs.close(jobId);
        jobs.payOut(jobId, 0);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStatus.selector, jobId, JobStatus.Settled));
        jobs.replaceSeat(jobId, 0);
    }

    /// @dev Whatever verifiers do after the anchor, its hash draws the same three.
    function test_Seat_NothingAfterTheAnchorChangesTheDraw() external {
        addVerifiers(4);
        acquire(jobId, alice);
        roll();
        uint256 snapshot = vm.snapshotState();
        jobs.seatCommittee(jobId);
        address[3] memory expected = [seatOf(jobId, 0).addr, seatOf(jobId, 1).addr, seatOf(jobId, 2).addr];
        vm.revertToState(snapshot);

        skip(5);
        VerifierProfile memory p = verifierProfile();
        p.minFee = 50 * USDC;
        for (uint256 i = 0; i < 4; ++i) {
            vm.prank(verifiers[i].addr);
            registry.updateVerifier(p);
            vm.prank(verifiers[i + 4].addr);
            registry.requestExit();
        }
        vm.prank(alice);
        registry.setPayout(alice, expected[0]);
        addVerifiers(5);
        vm.roll(block.number + 100);
        jobs.seatCommittee(jobId);
        for (uint256 seat = 0; seat < 3; ++seat) {
            assertEq(seatOf(jobId, seat).addr, expected[seat]);
        }
    }

    // ----- replaceSeat -----------------------------------------------------------------------------------------------

    function _notReplaceable(uint8 seat) private {
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.SeatNotReplaceable.selector, jobId, seat));
        jobs.replaceSeat(jobId, seat);
    }

    function test_Replace_RevertGiven_NoFault() external {
        _notReplaceable(0);
        start(jobId, alice);
        _notReplaceable(0);
        _notReplaceable(3);
        commit(jobId, alice, 0, 50);
        skip(29);
        _notReplaceable(0);
    }

    function test_Replace_SilentSeat() external {
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        cast(c1, 1, Outcome.Accept);
        skip(30);
        _notReplaceable(1);
        Person memory silent = seatOf(jobId, 0);
        assertTrue(lens.getSeats(jobId).seats[0].replaceable);
        vm.expectEmit();
        emit IEscrow.BondSlashed(silent.addr, treasury, SlashKind.MissedSeat, c1, 1 * USDC, false);
        vm.expectEmit();
        emit IRegistry.VerifierSuspended(silent.addr, registry.verifier(silent.addr).id);
        jobs.replaceSeat(jobId, 0);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.AnchorTooRecent.selector, block.number));
        jobs.replaceSeat(jobId, 0);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.ReplacementUnderWay.selector, 0));
        jobs.replaceSeat(jobId, 2);
        roll();
        jobs.replaceSeat(jobId, 0);
        assertTrue(seatOf(jobId, 0).addr != silent.addr);
        // Its own clock starts now.
        _notReplaceable(0);
        skip(29);
        _notReplaceable(0);
        cast(c1, 0, Outcome.Accept);
        assertStatus(c1, CheckpointStatus.Accepted);
        // The one that was replaced can leave at once.
        jobs.releaseSeats(jobId);
        assertEq(registry.verifier(silent.addr).seats, 0);
        // Both voters are paid, the silent one is not.
        skip(60);
        jobs.payOut(jobId, 1);
        assertEq(claimable(silent.addr), 0);
        assertEq(claimable(seatOf(jobId, 0).addr), FEE);
        // Made whole again, the suspended verifier is back.
        fund(silent.addr, 1 * USDC);
        vm.prank(silent.addr);
        registry.depositBond(silent.addr, 1 * USDC);
        assertEq(uint8(registry.verifier(silent.addr).status), uint8(VerifierStatus.Active));
    }

    function test_Replace_LeavingSeatKeepsItsVote() external {
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        cast(c1, 2, Outcome.Accept);
        Person memory leaving = seatOf(jobId, 2);
        vm.prank(leaving.addr);
        registry.requestExit();
        jobs.replaceSeat(jobId, 2);
        assertEq(free(leaving.addr), 100 * USDC);
        roll();
        jobs.replaceSeat(jobId, 2);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NoVoteCounted.selector, c1));
        this.castAs(c1, 2);
        cast(c1, 0, Outcome.Accept);
        skip(60);
        jobs.payOut(jobId, 1);
        assertEq(claimable(leaving.addr), FEE);
    }

    function castAs(uint256 id, uint256 seat) external {
        cast(id, seat, Outcome.Accept);
    }

    function test_Replace_RevertGiven_NobodyElse() external {
        start(jobId, alice);
        commit(jobId, alice, 0, 50);
        _exitTheFourth();
        skip(30);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NoCommittee.selector, 0, 1));
        jobs.replaceSeat(jobId, 0);
    }

    function _exitTheFourth() private {
        for (uint256 i = 0; i < verifiers.length; ++i) {
            if (registry.verifier(verifiers[i].addr).seats != 0) continue;
            vm.prank(verifiers[i].addr);
            registry.requestExit();
        }
    }

    function test_Replace_LostHash() external {
        start(jobId, alice);
        commit(jobId, alice, 0, 50);
        skip(30);
        jobs.replaceSeat(jobId, 1);
        vm.roll(block.number + 300);
        jobs.replaceSeat(jobId, 1);
        assertEq(jobs.panelOf(jobId).replacing, 2);
        // The last candidate leaves, the hash is lost again: the seat stays.
        skip(1);
        _exitTheFourth();
        vm.roll(block.number + 300);
        vm.expectEmit();
        emit IJobsEvents.ReplacementAbandoned(jobId, 1);
        jobs.replaceSeat(jobId, 1);
        assertEq(jobs.panelOf(jobId).replacing, 0);
    }

    function test_SilentSeatsCloseTheJob() external {
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        judge(c1, Outcome.Accept);
        commit(jobId, alice, c1, 100);
        skip(89);
        assertFalse(lens.closable(jobId));
        skip(1);
        assertFalse(lens.closable(jobId), "somebody could be drawn");
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotClosable.selector, jobId));
        jobs.close(jobId);
        _exitTheFourth();
        assertTrue(lens.closable(jobId));
        jobs.close(jobId);
        skip(60);
        jobs.payOut(jobId, 50);
        assertEq(claimable(alice), 50_000);
        assertEq(claimable(client), 5 * USDC - 50_000 - 2 * FEE);
    }
}
