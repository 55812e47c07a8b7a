// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "../../utils/ProtocolTest.sol";

contract CommitCheckpointTest is ProtocolTest {
    uint256 private jobId;

    function setUp() public override {
        super.setUp();
        jobId = post();
    }

    function commitAs(address who, uint256 parent, uint32 step, bool release) external returns (uint256) {
        return commit(jobId, who, parent, step, release);
    }

    function test_RevertWhen_FenceOrCallerWrong() external {
        start(jobId, alice);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.StaleFence.selector, 7, 1));
        vm.prank(alice);
        jobs.commitCheckpoint(jobId, 7, 0, 50, 0, 0, false);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotHolder.selector, bob, alice));
        this.commitAs(bob, 0, 50, false);
        vm.warp(jobs.clockOf(jobId).expiresAt);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.LeaseExpired.selector, block.timestamp));
        this.commitAs(alice, 0, 50, false);
    }

    function test_DrawsSeatsByItself() external {
        acquire(jobId, alice);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.AnchorTooRecent.selector, block.number));
        this.commitAs(alice, 0, 50, false);
        roll();
        commit(jobId, alice, 0, 50);
        assertTrue(jobs.panelOf(jobId).drawn);
    }

    function test_RevertGiven_CommitsClosed() external {
        JobTerms memory t = terms();
        t.gracePeriod = 120;
        jobId = post(t);
        vm.warp(t.deadline - 1);
        roll();
        vm.prank(alice);
        jobs.acquireLease(jobId, new bytes32[](0));
        roll();
        uint256 parent = commit(jobId, alice, 0, 50);
        for (uint32 step = 100; step <= 250; step += 50) {
            skip(29);
            parent = commit(jobId, alice, parent, step);
        }
        vm.warp(uint256(t.deadline) + 120);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.DeadlinePassed.selector, block.timestamp));
        this.commitAs(alice, parent, 300, false);
        // And nobody needs the client to be paid for what was judged.
        jobs.close(jobId);
        judge((jobId << 32) | 1, Outcome.Accept);
    }

    function test_FirstCommitNamesHeadOrTip() external {
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        uint256 c2 = commit(jobId, alice, c1, 100, true);
        acquire(jobId, carol);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongParent.selector, c1));
        this.commitAs(carol, c1, 100, false);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongParent.selector, (jobId + 1) << 32));
        this.commitAs(carol, (jobId + 1) << 32, 50, false);
        uint256 snapshot = vm.snapshotState();
        uint256 c3 = commit(jobId, carol, c2, 150);
        assertEq(lens.getCheckpoint(c3).parentId, c2);
        vm.revertToState(snapshot);
        // Beside the pending work, from the head: a fork.
        c3 = commit(jobId, carol, 0, 50);
        assertTrue(jobs.queueOf(jobId).forked);
        assertEq(lens.getQueue(jobId).tipId, c3);
        assertEq(lens.getQueue(jobId).pending.length, 3);
        // The first to be accepted orphans the rest.
        judge(c1, Outcome.Accept);
        assertStatus(c3, CheckpointStatus.Orphaned);
        assertStatus(c2, CheckpointStatus.Pending);
        assertEq(lens.getQueue(jobId).tipId, c2);
        // Carol, whose work was orphaned, goes on from the tip.
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongParent.selector, c3));
        this.commitAs(carol, c3, 100, false);
        uint256 c4 = commit(jobId, carol, c2, 150);
        judge(c2, Outcome.Accept);
        judge(c4, Outcome.Accept);
        assertEq(lens.getQueue(jobId).headId, c4);
    }

    function test_LaterCommitNamesItsPrevious() external {
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongParent.selector, 0));
        this.commitAs(alice, 0, 50, false);
        judge(c1, Outcome.Accept);
        commit(jobId, alice, c1, 100);
    }

    function test_VoidedWorkGoesOnFromTheHead() external {
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        uint256 c2 = commit(jobId, alice, c1, 100, true);
        acquire(jobId, carol);
        uint256 c3 = commit(jobId, carol, c2, 150);
        judge(c1, Outcome.Accept);
        skip(20);
        vm.expectEmit(address(jobs));
        emit IJobsEvents.CheckpointVoided(c3);
        judge(c2, Outcome.Refuse);
        assertStatus(c3, CheckpointStatus.Void);
        ILens.LeaseView memory v = lens.getLease(jobId);
        assertTrue(v.live);
        assertEq(v.stallsAt, block.timestamp + 120, "a whole segment again");
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongParent.selector, c3));
        this.commitAs(carol, c3, 200, false);
        uint256 c4 = commit(jobId, carol, c1, 100);
        assertEq(lens.getCheckpoint(c4).judgeableAt, block.timestamp);
    }

    function test_RevertWhen_StepNotDue() external {
        start(jobId, alice);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStep.selector, 49, 50));
        this.commitAs(alice, 0, 49, false);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStep.selector, 51, 50));
        this.commitAs(alice, 0, 51, true);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStep.selector, 0, 50));
        this.commitAs(alice, 0, 0, true);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.PayBelowRound.selector, 29_000, ROUND));
        this.commitAs(alice, 0, 29, true);
    }

    function test_OffScheduleReleaseEndsTheLease() external {
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 33, true);
        assertCause(jobId, 1, EndCause.Released);
        ILens.CheckpointView memory v = lens.getCheckpoint(c1);
        assertTrue(v.offSchedule);
        assertEq(v.pay, 33_000 - ROUND);
        acquire(jobId, carol);
        assertEq(lens.nextStep(c1), 50);
        uint256 c2 = commit(jobId, carol, c1, 50);
        assertEq(lens.getCheckpoint(c2).steps, 17);
        assertEq(lens.nextStep(c2), 100);
    }

    function test_LastStepIsDueOffTheInterval() external {
        JobTerms memory t = terms();
        (t.totalSteps, t.checkpointInterval) = (70, 50);
        jobId = post(t);
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        assertEq(lens.nextStep(c1), 70);
        uint256 c2 = commit(jobId, alice, c1, 70);
        assertFalse(lens.getCheckpoint(c2).offSchedule);
        assertEq(lens.nextStep(jobId << 32), 50);
    }

    function test_RevertWhen_TheParentIsTheLastStep() external {
        JobTerms memory t = terms();
        (t.totalSteps, t.checkpointInterval) = (70, 50);
        jobId = post(t);
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        uint256 c2 = commit(jobId, alice, c1, 70);
        for (uint256 release = 0; release < 2; ++release) {
            vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStep.selector, 70, 70));
            this.commitAs(alice, c2, 70, release == 1);
        }
    }

    function test_OneLastCommitWhileDraining() external {
        start(jobId, alice);
        vm.prank(client);
        jobs.cancel(jobId);
        uint256 c1 = commit(jobId, alice, 0, 50);
        assertCause(jobId, 1, EndCause.Released);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.LeaseExpired.selector, block.timestamp));
        this.commitAs(alice, c1, 100, false);
    }

    function test_CommitRenewsAndAnnounces() external {
        start(jobId, alice);
        skip(10);
        (bytes32 state, bytes32 trace) = (stateHash(50), traceRoot(50));
        vm.expectEmit();
        emit IJobsEvents.CheckpointCommitted(
            (jobId << 32) | 1,
            jobId,
            1,
            0,
            50,
            state,
            trace,
            false,
            uint40(block.timestamp),
            uint40(block.timestamp + 30)
        );
        uint256 c1 = commit(jobId, alice, 0, 50);
        assertEq(lens.getLease(jobId).expiresAt, block.timestamp + 30);
        ILens.CheckpointView memory v = lens.getCheckpoint(c1);
        assertTrue(v.judgeable);
        assertEq(v.contentDigest, keccak256(abi.encode(state, trace)));
        uint256 c2 = commit(jobId, alice, c1, 100);
        assertFalse(lens.getCheckpoint(c2).judgeable);
        assertEq(lens.getCheckpoints(jobId, 1, 5).length, 2);
    }
}
