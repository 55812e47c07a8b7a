// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "../../utils/ProtocolTest.sol";

contract PayOutAndEndsTest is ProtocolTest {
    uint256 private jobId;

    function setUp() public override {
        super.setUp();
        jobId = post();
    }

    function _cancel() private {
        vm.prank(client);
        jobs.cancel(jobId);
    }

    function _chain(uint32 from, uint32 to, uint256 parent) private returns (uint256) {
        for (uint32 step = from; step <= to; step += 50) {
            parent = commit(jobId, alice, parent, step);
            judge(parent, Outcome.Accept);
        }
        return parent;
    }

    // ----- payOut ----------------------------------------------------------------------------------------------------

    function test_PayOut_RevertWhen_NothingToDo() external {
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.UnknownJob.selector, 9));
        jobs.payOut(9, 1);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.BatchTooLarge.selector, 51, 50));
        jobs.payOut(jobId, 51);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NothingToPay.selector, jobId));
        jobs.payOut(jobId, 50);
        start(jobId, alice);
        _chain(50, 50, 0);
        skip(59);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NothingToPay.selector, jobId));
        jobs.payOut(jobId, 50);
        skip(1);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NothingToPay.selector, jobId));
        jobs.payOut(jobId, 0);
        jobs.payOut(jobId, 50);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NothingToPay.selector, jobId));
        jobs.payOut(jobId, 50);
    }

    function test_PayOut_InOrderAndBatches() external {
        start(jobId, alice);
        uint256 c2 = _chain(50, 100, 0);
        skip(10);
        _chain(150, 150, c2);
        skip(50);
        (uint256 mature, bool settles) = lens.payOutStatus(jobId);
        assertEq(mature, 2);
        assertFalse(settles);
        address[3] memory voters = [seatOf(jobId, 0).addr, seatOf(jobId, 1).addr, address(0)];
        vm.expectEmit(address(jobs));
        emit IJobsEvents.CheckpointPaid((jobId << 32) | 1, alice, 50_000, FEE, voters);
        jobs.payOut(jobId, 1);
        assertEq(claimable(alice), 50_000);
        jobs.payOut(jobId, 50);
        assertEq(claimable(alice), 100_000);
        assertStatus(c2, CheckpointStatus.Paid);
        assertStatus(c2 + 1, CheckpointStatus.Accepted);
        assertEq(lens.getJob(jobId).providerPay, 100_000);
    }

    function test_PayOut_ToTheWalletOfTheDay() external {
        start(jobId, alice);
        _chain(50, 50, 0);
        vm.prank(alice);
        registry.setPayout(alice, makeAddr("cold wallet"));
        skip(60);
        jobs.payOut(jobId, 1);
        assertEq(claimable(makeAddr("cold wallet")), 50_000);
    }

    function test_PayOut_PassesOverTheRefused() external {
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        judge(c1, Outcome.Refuse);
        acquire(jobId, carol);
        uint256 c2 = commit(jobId, carol, 0, 50);
        judge(c2, Outcome.Accept);
        skip(60);
        jobs.payOut(jobId, 50);
        assertEq(claimable(alice), 0);
        assertEq(claimable(carol), 100_000);
        assertEq(jobs.ledgerOf(jobId).payCursor, 3);
    }

    function test_PayOut_SettlesExactly() external {
        start(jobId, alice);
        _chain(50, 400, 0);
        skip(60);
        (uint256 mature, bool settles) = lens.payOutStatus(jobId);
        assertEq(mature, 8);
        assertTrue(settles);
        vm.expectEmit(address(jobs));
        emit IJobsEvents.JobSettled(jobId, 400_000, 16 * FEE, 32_000, 5 * USDC - 400_000 - 16 * FEE - 32_000);
        jobs.payOut(jobId, 50);
        (, uint256 locked) = escrow.budgetOf(jobId);
        assertEq(locked, 0);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStatus.selector, jobId, JobStatus.Settled));
        jobs.payOut(jobId, 50);
        // Seats are free, once.
        assertEq(registry.verifier(seatOf(jobId, 0).addr).seats, 1);
        jobs.releaseSeats(jobId);
        assertEq(registry.verifier(seatOf(jobId, 0).addr).seats, 0);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NoSeatToRelease.selector, jobId));
        jobs.releaseSeats(jobId);
    }

    // ----- cancel ----------------------------------------------------------------------------------------------------

    function test_Cancel_RevertWhen_NotAllowed() external {
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotClient.selector, address(this), client));
        jobs.cancel(jobId);
        _cancel();
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.AlreadyCancelled.selector, jobId));
        _cancel();
        jobs.close(jobId);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStatus.selector, jobId, JobStatus.Closing));
        _cancel();
    }

    function test_Cancel_WithoutLeaseRefundsAll() external {
        vm.expectEmit();
        emit IJobsEvents.JobCancelled(jobId, uint40(block.timestamp), false);
        _cancel();
        assertTrue(lens.closable(jobId));
        jobs.close(jobId);
        jobs.payOut(jobId, 0);
        assertEq(claimable(client), 5 * USDC);
        assertJob(jobId, JobStatus.Settled);
    }

    function test_Cancel_DrainsTheLease() external {
        start(jobId, alice);
        skip(10);
        _cancel();
        uint40 expiresAt = jobs.clockOf(jobId).expiresAt;
        vm.warp(expiresAt - 1);
        assertFalse(lens.closable(jobId));
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotClosable.selector, jobId));
        jobs.close(jobId);
        vm.warp(expiresAt);
        vm.expectEmit();
        emit IJobsEvents.LeaseEnded(jobId, 1, alice, EndCause.JobClosed, expiresAt, expiresAt);
        vm.expectEmit();
        emit IJobsEvents.JobClosing(jobId, expiresAt + 60);
        jobs.close(jobId);
        assertEq(jobs.standingOf(jobId, alice).coolingUntil, 0);
        jobs.payOut(jobId, 0);
        // Seats had been drawn and nothing accepted: one round.
        assertEq(claimable(seatOf(jobId, 1).addr), FEE);
        assertEq(claimable(client), 5 * USDC - ROUND);
    }

    function test_Cancel_DrawsWhatCouldBeDrawn() external {
        acquire(jobId, alice);
        roll();
        vm.expectEmit(true, false, false, false, address(jobs));
        emit IJobsEvents.JobCancelled(jobId, 0, true);
        _cancel();
        assertTrue(jobs.jobRecord(jobId).cancelFeeDue);
    }

    /// @dev The draw cannot be foreseen there: an acquire in front of the cancel costs the client nothing.
    function test_Cancel_InTheAnchorsBlockOwesNothing() external {
        acquire(jobId, alice);
        _cancel();
        assertFalse(jobs.jobRecord(jobId).cancelFeeDue);
        vm.prank(alice);
        jobs.releaseLease(jobId, 1);
        roll();
        jobs.close(jobId);
        assertFalse(jobs.jobRecord(jobId).cancelFeeDue);
    }

    function test_Cancel_AfterAnAcceptedOneOwesNoRound() external {
        start(jobId, alice);
        _chain(50, 50, 0);
        _cancel();
        skip(60);
        jobs.close(jobId);
        jobs.payOut(jobId, 50);
        assertEq(claimable(client), 5 * USDC - 50_000 - 2 * FEE);
        assertEq(claimable(treasury), 0);
    }

    // ----- close -----------------------------------------------------------------------------------------------------

    function test_Close_AtDeadlineAndGrace() external {
        uint256 until = lens.getJob(jobId).commitsUntil;
        vm.warp(until - 1);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotClosable.selector, jobId));
        jobs.close(jobId);
        vm.warp(until);
        assertTrue(lens.closable(jobId));
        jobs.close(jobId);
        assertJob(jobId, JobStatus.Closing);
    }

    function test_Close_JudgesPendingWork() external {
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        uint256 c2 = commit(jobId, alice, c1, 100);
        _cancel();
        skip(30);
        jobs.close(jobId);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NothingToPay.selector, jobId));
        jobs.payOut(jobId, 50);
        judge(c1, Outcome.Accept);
        skip(60);
        assertStatus(c2, CheckpointStatus.Void);
        (, bool settles) = lens.payOutStatus(jobId);
        assertTrue(settles);
        vm.expectEmit();
        emit IJobsEvents.CheckpointVoided(c2);
        jobs.payOut(jobId, 50);
        assertJob(jobId, JobStatus.Settled);
        assertEq(claimable(alice), 50_000);
        assertEq(claimable(client), 5 * USDC - 50_000 - 2 * FEE);
        jobs.releaseBond(jobId, 1);
        assertEq(free(alice), 1 * USDC);
    }

    function test_Close_LastStepStillCompletes() external {
        start(jobId, alice);
        uint256 last = commit(jobId, alice, _chain(50, 350, 0), 400);
        _cancel();
        skip(30);
        jobs.close(jobId);
        judge(last, Outcome.Accept);
        assertJob(jobId, JobStatus.Completed);
        skip(60);
        jobs.payOut(jobId, 50);
        assertEq(claimable(treasury), 32_000);
    }
}
