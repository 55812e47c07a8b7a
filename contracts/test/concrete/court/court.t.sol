// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "../../utils/ProtocolTest.sol";

contract CourtTest is ProtocolTest {
    bytes32 private constant WHY = keccak256("reason");

    uint256 private jobId;
    uint256 private c1;
    uint256 private c2;

    function setUp() public override {
        super.setUp();
        jobId = post();
        start(jobId, alice);
        c1 = commit(jobId, alice, 0, 50);
        judge(c1, Outcome.Accept);
        skip(10);
        c2 = commit(jobId, alice, c1, 100);
        judge(c2, Outcome.Accept);
        skip(1);
    }

    function _dispute(uint256 id) private {
        vm.prank(client);
        court.dispute(id, WHY);
    }

    function _asArbiter() private {
        vm.prank(arbiter);
    }

    // ----- dispute ---------------------------------------------------------------------------------------------------

    function test_Dispute_Reverts() external {
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotClient.selector, address(this), client));
        court.dispute(c1, WHY);
        uint256 c3 = commit(jobId, alice, c2, 150);
        vm.expectRevert(
            abi.encodeWithSelector(IJobsEvents.WrongCheckpointStatus.selector, c3, CheckpointStatus.Pending)
        );
        _dispute(c3);
        skip(49);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WindowOver.selector, block.timestamp));
        _dispute(c1);
        _dispute(c2);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.UnderChallenge.selector, c2));
        _dispute(c2);
    }

    function test_Dispute_ContestsAndDrains() external {
        assertEq(court.disputeBond(jobId), 1 * USDC);
        uint256 before = usdc.balanceOf(client);
        vm.expectEmit();
        emit IJobsEvents.ChainContested(jobId, c1, jobs.clockOf(jobId).expiresAt);
        vm.expectEmit();
        emit ICourt.ChallengeOpened(
            c1, jobId, client, ChallengeKind.Dispute, 1 * USDC, WHY, uint40(block.timestamp + 3 days)
        );
        _dispute(c1);
        assertEq(before - usdc.balanceOf(client), 1 * USDC);
        assertEq(reserved(client), 1 * USDC);
        assertTrue(lens.getJob(jobId).draining);
        assertEq(lens.getJob(jobId).contestedFrom, c1);
        skip(1 hours);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NothingToPay.selector, jobId));
        jobs.payOut(jobId, 50);
        vm.prank(carol);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.Draining.selector, jobId));
        jobs.acquireLease(jobId, new bytes32[](0));
        // Not even past deadline and grace: the pause is not the provider's.
        skip(1 hours);
        assertFalse(lens.closable(jobId));
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotClosable.selector, jobId));
        jobs.close(jobId);
    }

    function test_Dispute_BondGrowsWithWhatIsUnpaid() external {
        JobTerms memory t = terms();
        t.budget = 100 * USDC;
        uint256 id = post(t);
        assertEq(court.disputeBond(id), 5 * USDC);
    }

    // ----- uphold ----------------------------------------------------------------------------------------------------

    function test_Uphold_Reverts() external {
        vm.expectRevert(abi.encodeWithSelector(ICourt.NoOpenChallenge.selector, c1));
        court.uphold(c1);
        _dispute(c1);
        vm.expectRevert(abi.encodeWithSelector(ICourt.NotArbiter.selector, address(this), arbiter));
        court.uphold(c1);
        _asArbiter();
        vm.expectRevert(abi.encodeWithSelector(ICourt.WrongKind.selector, c1));
        court.grant(c1);
        skip(3 days);
        _asArbiter();
        vm.expectRevert(abi.encodeWithSelector(ICourt.ArbiterTimeOver.selector, block.timestamp));
        court.uphold(c1);
    }

    function test_Uphold() external {
        uint40 deadline = lens.getJob(jobId).deadline;
        _dispute(c1);
        uint256 c3 = commit(jobId, alice, c2, 150);
        assertCause(jobId, 1, EndCause.Released);
        judge(c3, Outcome.Accept);
        skip(1000);
        // What was accepted before the dispute is mature; c3, accepted meanwhile, has its window from here.
        vm.expectEmit();
        emit IJobsEvents.ChainUpheld(jobId, c1, c2, deadline + 1000);
        _asArbiter();
        court.uphold(c1);
        assertEq(uint8(court.challengeOf(c1).state), uint8(ChallengeState.Upheld));
        assertEq(claimable(alice), USDC / 2);
        assertEq(claimable(treasury), USDC / 2);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WindowOver.selector, lens.getCheckpoint(c2).decidedAt));
        _dispute(c2);
        jobs.payOut(jobId, 50);
        assertEq(claimable(alice), USDC / 2 + 100_000);
        assertEq(lens.getCheckpoint(c3).maturesAt, block.timestamp + 60);
        skip(60);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WindowOver.selector, block.timestamp));
        _dispute(c3);
        jobs.payOut(jobId, 50);
        assertEq(claimable(alice), USDC / 2 + 150_000);
        acquire(jobId, alice);
        assertEq(lens.getJob(jobId).deadline, deadline + 1000);
    }

    function test_Uphold_LeaseOutlivesTheDrain() external {
        _dispute(c2);
        skip(5);
        _asArbiter();
        court.uphold(c2);
        vm.prank(alice);
        jobs.renewLease(jobId, 1);
    }

    // ----- cut -------------------------------------------------------------------------------------------------------

    function test_Cut_RevertWhen_NotContested() external {
        _dispute(c2);
        _asArbiter();
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.UnknownCheckpoint.selector, c1));
        court.cut(c2, c1);
        _asArbiter();
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.UnknownCheckpoint.selector, c2 + 9));
        court.cut(c2, c2 + 9);
    }

    function test_Cut() external {
        uint256 c3 = commit(jobId, alice, c2, 150);
        _dispute(c1);
        address[2] memory voters = [seatOf(jobId, 0).addr, seatOf(jobId, 1).addr];
        vm.expectEmit();
        emit IJobsEvents.CheckpointVoided(c3);
        vm.expectEmit();
        emit IJobsEvents.ChainCut(jobId, c2, c1);
        _asArbiter();
        court.cut(c1, c2);
        assertStatus(c1, CheckpointStatus.Accepted);
        assertStatus(c2, CheckpointStatus.Cut);
        assertJob(jobId, JobStatus.Closing);
        assertCause(jobId, 1, EndCause.JobClosed);
        assertEq(lens.getQueue(jobId).headId, c1);
        // Bond back, and 20 of each voter's 100.
        assertEq(claimable(client), 41 * USDC);
        for (uint256 i = 0; i < 2; ++i) {
            assertEq(free(voters[i]), 80 * USDC);
        }
        jobs.payOut(jobId, 50);
        assertJob(jobId, JobStatus.Settled);
        assertEq(claimable(alice), 50_000);
        assertEq(claimable(treasury), 0);
        assertEq(claimable(client), 41 * USDC + 5 * USDC - 50_000 - 2 * FEE);
        assertStatus(c1, CheckpointStatus.Paid);
        assertStatus(c2, CheckpointStatus.Cut);
        jobs.releaseBond(jobId, 1);
        assertEq(free(alice), 1 * USDC);
    }

    function test_Cut_OfACompletedJobTakesTheFeeToo() external {
        uint256 last = c2;
        for (uint32 step = 150; step <= 400; step += 50) {
            last = commit(jobId, alice, last, step);
            judge(last, Outcome.Accept);
        }
        assertJob(jobId, JobStatus.Completed);
        _dispute(c1);
        _asArbiter();
        court.cut(c1, c1);
        jobs.payOut(jobId, 50);
        assertEq(claimable(alice) + claimable(treasury), 0);
        assertEq(claimable(client), 41 * USDC + 5 * USDC);
    }

    // ----- appeals ---------------------------------------------------------------------------------------------------

    function _refused() private returns (uint256 id) {
        id = commit(jobId, alice, c2, 150);
        judge(id, Outcome.Refuse);
    }

    function test_Appeal_Reverts() external {
        uint256 id = _refused();
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotHolder.selector, bob, alice));
        court.appeal(id, WHY);
        skip(1 hours);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WindowOver.selector, block.timestamp));
        court.appeal(id, WHY);
    }

    function _appealed() private returns (uint256 id) {
        id = _refused();
        vm.prank(alice);
        court.appeal(id, WHY);
        assertStatus(id, CheckpointStatus.Appealed);
        skip(1 hours);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.UnderChallenge.selector, id));
        jobs.settleRefusal(id);
    }

    function test_Grant() external {
        uint256 id = _appealed();
        vm.expectEmit();
        emit IJobsEvents.RefusalOverturned(id, jobId);
        _asArbiter();
        court.grant(id);
        assertStatus(id, CheckpointStatus.Overturned);
        assertFalse(jobs.standingOf(jobId, alice).barred);
        // Lost pay 0.05 from the first voter's forfeit of 20, the rest of both to the treasury; bond back.
        assertEq(claimable(alice), 50_000 + 1 * USDC);
        assertEq(claimable(treasury), 40 * USDC - 50_000);
        assertEq(free(alice), 1 * USDC);
        assertEq(reserved(alice), 0);
        vm.expectRevert(abi.encodeWithSelector(ICourt.NoOpenChallenge.selector, id));
        _asArbiter();
        court.reject(id);
    }

    function test_Reject() external {
        uint256 id = _appealed();
        _asArbiter();
        court.reject(id);
        assertStatus(id, CheckpointStatus.Final);
        assertEq(claimable(treasury), 1 * USDC);
        assertEq(free(alice), 1 * USDC - 2 * FEE);
        assertEq(claimable(alice), 0);
        assertTrue(jobs.standingOf(jobId, alice).barred);
    }

    // ----- lapse -----------------------------------------------------------------------------------------------------

    function test_Lapse_OfADispute() external {
        uint40 deadline = lens.getJob(jobId).deadline;
        _dispute(c1);
        skip(3 days - 1);
        vm.expectRevert(abi.encodeWithSelector(ICourt.ArbiterTimeRuns.selector, block.timestamp + 1));
        court.lapse(c1);
        skip(1);
        court.lapse(c1);
        assertEq(claimable(client), 1 * USDC);
        assertEq(lens.getJob(jobId).deadline, deadline + 3 days);
        jobs.payOut(jobId, 50);
        assertEq(claimable(alice), 100_000);
    }

    function test_Lapse_OfAnAppeal() external {
        uint256 id = _appealed();
        skip(3 days);
        court.lapse(id);
        assertStatus(id, CheckpointStatus.Final);
        assertEq(claimable(alice), 1 * USDC);
        assertEq(uint8(court.challengeOf(id).state), uint8(ChallengeState.Lapsed));
    }

    function test_RevertWhen_StrangerCallsJobsForTheCourt() external {
        bytes memory denied = abi.encodeWithSelector(IJobsEvents.NotAuthorized.selector, address(this));
        vm.expectRevert(denied);
        jobs.contest(c1, client);
        vm.expectRevert(denied);
        jobs.uphold(c1);
        vm.expectRevert(denied);
        jobs.cut(c1, c1);
        vm.expectRevert(denied);
        jobs.holdRefusal(c1, alice);
        vm.expectRevert(denied);
        jobs.finalizeRefusal(c1);
        vm.expectRevert(denied);
        jobs.overturn(c1);
    }
}
