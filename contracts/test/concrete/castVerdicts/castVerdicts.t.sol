// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "../../utils/ProtocolTest.sol";

contract CastVerdictsTest is ProtocolTest {
    uint256 private jobId;
    uint256 private c1;

    function setUp() public override {
        super.setUp();
        jobId = post();
        start(jobId, alice);
        c1 = commit(jobId, alice, 0, 50);
    }

    function castAs(uint256 id, uint256 seat, Outcome outcome) external {
        cast(id, seat, outcome);
    }

    function test_RevertGiven_NotInTurn() external {
        SignedVerdict[] memory none;
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.UnknownCheckpoint.selector, c1 + 1));
        jobs.castVerdicts(c1 + 1, none);
        uint256 c2 = commit(jobId, alice, c1, 100);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotJudgeable.selector, c2));
        this.castAs(c2, 0, Outcome.Accept);
        judge(c1, Outcome.Refuse);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotJudgeable.selector, c2));
        this.castAs(c2, 0, Outcome.Accept);
    }

    function test_RevertGiven_ClosedTooLong() external {
        vm.prank(client);
        jobs.cancel(jobId);
        skip(30);
        jobs.close(jobId);
        skip(59);
        cast(c1, 0, Outcome.Accept);
        skip(1);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotJudgeable.selector, c1));
        this.castAs(c1, 1, Outcome.Accept);
    }

    function test_RevertGiven_NoVoteCounts() external {
        bytes memory nothing = abi.encodeWithSelector(IJobsEvents.NoVoteCounted.selector, c1);
        SignedVerdict[] memory votes = new SignedVerdict[](1);
        votes[0] = vote(c1, Person(alice, 123), Outcome.Accept);
        vm.expectRevert(nothing);
        jobs.castVerdicts(c1, votes);
        votes[0] = vote(c1, seatOf(jobId, 0), Outcome.None);
        vm.expectRevert(nothing);
        jobs.castVerdicts(c1, votes);
        cast(c1, 0, Outcome.Accept);
        vm.expectRevert(nothing);
        this.castAs(c1, 0, Outcome.Refuse);
    }

    function test_OneVoteWaits() external {
        Person memory p = seatOf(jobId, 2);
        SignedVerdict[] memory votes = new SignedVerdict[](1);
        votes[0] = vote(c1, p, Outcome.Accept);
        vm.expectEmit();
        // Not the last step: metTarget is read as false.
        emit IJobsEvents.VerdictCast(c1, p.addr, 2, Outcome.Accept, false, 965_000, votes[0].evidenceHash);
        jobs.castVerdicts(c1, votes);
        assertStatus(c1, CheckpointStatus.Pending);
        assertEq(lens.getCheckpoint(c1).votes[0].verifier, p.addr);
        assertTrue(lens.getSeats(jobId).seats[2].voted);
    }

    function test_TwoAccept() external {
        cast(c1, 0, Outcome.Accept);
        vm.expectEmit();
        emit IJobsEvents.CheckpointAccepted(c1, jobId, alice, 50, 50_000);
        cast(c1, 2, Outcome.Accept);
        assertEq(lens.getQueue(jobId).headId, c1);
        assertEq(lens.getCheckpoint(c1).maturesAt, block.timestamp + 60);
    }

    /// @dev Accept and Refuse normalise metTarget where it has no meaning, so that it cannot split a vote.
    function test_MetTargetOnlyOnTheLastStep() external {
        SignedVerdict[] memory votes = new SignedVerdict[](2);
        votes[0] = vote(c1, seatOf(jobId, 0), Outcome.Accept, true);
        votes[1] = vote(c1, seatOf(jobId, 1), Outcome.Accept, false);
        jobs.castVerdicts(c1, votes);
        assertStatus(c1, CheckpointStatus.Accepted);
    }

    function _toTheEnd() private returns (uint256 last) {
        judge(c1, Outcome.Accept);
        last = c1;
        for (uint32 step = 100; step <= 400; step += 50) {
            last = commit(jobId, alice, last, step);
            if (step < 400) judge(last, Outcome.Accept);
        }
    }

    function test_LastStepCompletes() external {
        uint256 last = _toTheEnd();
        vm.expectEmit();
        emit IJobsEvents.JobCompleted(jobId, last, true);
        judge(last, Outcome.Accept);
        assertJob(jobId, JobStatus.Completed);
        assertCause(jobId, 1, EndCause.JobClosed);
    }

    function test_LastStepWithoutTarget() external {
        uint256 last = _toTheEnd();
        SignedVerdict[] memory votes = new SignedVerdict[](3);
        votes[0] = vote(last, seatOf(jobId, 0), Outcome.Accept, true);
        votes[1] = vote(last, seatOf(jobId, 1), Outcome.Accept, false);
        votes[2] = vote(last, seatOf(jobId, 2), Outcome.Accept, false);
        jobs.castVerdicts(last, votes);
        assertJob(jobId, JobStatus.Completed);
        assertFalse(lens.getJob(jobId).metTarget);
        skip(60);
        jobs.payOut(jobId, 50);
        assertEq(claimable(treasury), 0);
        assertEq(claimable(alice), 400_000);
        // All three said Accept of the last; two of them in each round before.
        assertEq(claimable(client), 5 * USDC - 400_000 - 17 * FEE);
    }

    function test_TwoRefuse() external {
        uint256 c2 = commit(jobId, alice, c1, 100);
        cast(c1, 0, Outcome.Refuse);
        vm.expectEmit();
        emit IJobsEvents.CheckpointRefused(c1, jobId, alice, uint40(block.timestamp + 1 hours));
        cast(c1, 1, Outcome.Refuse);
        assertStatus(c2, CheckpointStatus.Void);
        assertCause(jobId, 1, EndCause.Refused);
        assertTrue(jobs.standingOf(jobId, alice).barred);
        assertEq(reserved(alice), 2 * ROUND);
        assertEq(lens.getCheckpoint(c1).maturesAt, block.timestamp + 1 hours);
    }

    function test_TwoUnavailable() external {
        judge(c1, Outcome.Unavailable);
        assertStatus(c1, CheckpointStatus.Unavailable);
        assertCause(jobId, 1, EndCause.Unavailable);
        assertFalse(jobs.standingOf(jobId, alice).barred);
        assertEq(jobs.standingOf(jobId, alice).coolingUntil, block.timestamp + 10 minutes);
        assertEq(claimable(seatOf(jobId, 0).addr), FEE);
        assertEq(claimable(seatOf(jobId, 2).addr), 0);
        jobs.releaseBond(jobId, 1);
        assertEq(free(alice), 1 * USDC - 2 * FEE);
    }

    function test_ThreeDifferentAreUnavailable() external {
        cast(c1, 0, Outcome.Accept);
        cast(c1, 1, Outcome.Refuse);
        assertStatus(c1, CheckpointStatus.Pending);
        cast(c1, 2, Outcome.Unavailable);
        assertStatus(c1, CheckpointStatus.Unavailable);
        assertEq(claimable(seatOf(jobId, 2).addr), FEE);
        assertEq(claimable(seatOf(jobId, 0).addr), 0);
    }

    /// @dev The refused provider is found out under its new lease as well.
    function test_RefusalEndsTheProvidersNewLease() external {
        vm.prank(alice);
        jobs.releaseLease(jobId, 1);
        acquire(jobId, alice);
        judge(c1, Outcome.Refuse);
        assertCause(jobId, 2, EndCause.Refused);
        jobs.releaseBond(jobId, 2);
        assertEq(reserved(alice), 2 * ROUND);
    }

    function test_ThirdVoteUntilMaturity() external {
        judge(c1, Outcome.Accept);
        skip(59);
        cast(c1, 2, Outcome.Accept);
        skip(1);
        jobs.payOut(jobId, 1);
        for (uint256 seat = 0; seat < 3; ++seat) {
            assertEq(claimable(seatOf(jobId, seat).addr), FEE);
        }
    }

    function test_ThirdVoteThatDisagreesIsNotPaid() external {
        judge(c1, Outcome.Accept);
        cast(c1, 2, Outcome.Refuse);
        assertStatus(c1, CheckpointStatus.Accepted);
        skip(60);
        jobs.payOut(jobId, 1);
        assertEq(claimable(seatOf(jobId, 2).addr), 0);
    }

    function test_RevertGiven_ThirdVoteTooLate() external {
        judge(c1, Outcome.Accept);
        skip(60);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotJudgeable.selector, c1));
        this.castAs(c1, 2, Outcome.Accept);
    }

    // ----- settleRefusal ---------------------------------------------------------------------------------------------

    function test_SettleRefusal() external {
        vm.expectRevert(
            abi.encodeWithSelector(IJobsEvents.WrongCheckpointStatus.selector, c1, CheckpointStatus.Pending)
        );
        jobs.settleRefusal(c1);
        judge(c1, Outcome.Refuse);
        cast(c1, 2, Outcome.Refuse);
        uint256 until = block.timestamp + 1 hours;
        vm.warp(until - 1);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.AppealWindowOpen.selector, until));
        jobs.settleRefusal(c1);
        vm.warp(until);
        vm.expectEmit();
        emit IJobsEvents.RefusalFinal(c1, jobId);
        jobs.settleRefusal(c1);
        assertEq(free(alice), 1 * USDC - ROUND);
        assertEq(claimable(seatOf(jobId, 2).addr), FEE);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongCheckpointStatus.selector, c1, CheckpointStatus.Final));
        jobs.settleRefusal(c1);
    }
}
