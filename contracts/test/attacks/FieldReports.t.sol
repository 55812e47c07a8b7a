// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "./AttackTest.sol";

/// @notice Failures that users of comparable systems reported in public; here each must end the other way. The reference is where
/// it was read.
contract FieldReportsTest is AttackTest {
    function commitAs(uint256 jobId, address who, uint256 parent, uint32 step) external {
        commit(jobId, who, parent, step);
    }

    function postAs(JobTerms calldata t) external {
        vm.prank(client);
        jobs.postJob(t);
    }

    function payOutAs(uint256 jobId) external {
        jobs.payOut(jobId, 50);
    }

    /// @dev akash-network/node 1635: a deployment ran on with an empty account because nothing triggered the withdrawal.
    /// Here no work without its worst case locked, and nothing has to be triggered for that to hold.
    function test_NoWorkWithoutMoney() external {
        JobTerms memory t = terms();
        t.budget = uint64(lens.maxLiability(t)) - 1;
        vm.expectPartialRevert(IRegistry.TermOutOfRange.selector);
        this.postAs(t);
        // The dearest course there is: highest price, three votes on each checkpoint, target met. It just fits.
        t.budget += 1;
        remember();
        uint256 jobId = post(t);
        start(jobId, bob);
        uint256 parent;
        for (uint32 step = 50; step <= 400; step += 50) {
            parent = commit(jobId, bob, parent, step);
            judge(parent, Outcome.Accept);
            cast(parent, 2, Outcome.Accept);
        }
        finish(jobId);
        tell("no work without money: the worst case was locked from the start");
        assertEq(claimable(client), 0);
        assertEq(delta[client], -int256(uint256(t.budget)));
    }

    /// @dev golemfactory/yagna 3126: interim bills were accepted for hours, the final one was never paid.
    function test_TheFinalBillIsPaid() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 parent;
        for (uint32 step = 50; step <= 400; step += 50) {
            parent = commit(jobId, alice, parent, step);
            judge(parent, Outcome.Accept);
        }
        // The client does nothing any more. A stranger pays the last bill.
        finish(jobId);
        tell("the final bill: owed at acceptance, paid by anybody's call");
        assertEq(delta[alice], 400_000);
    }

    /// @dev livepeer/protocol 663: a winning claim settled below its value and was used up all the same.
    function test_ACreditIsWholeOrNotAtAll() external {
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        judge(c1, Outcome.Accept);
        skip(60);
        // Make the escrow refuse: the whole payout reverts, nothing is consumed.
        vm.mockCallRevert(address(escrow), abi.encodeWithSelector(IEscrow.disburse.selector), "refused");
        vm.expectRevert("refused");
        this.payOutAs(jobId);
        assertStatus(c1, CheckpointStatus.Accepted);
        assertEq(claimable(alice), 0);
        vm.clearMockedCalls();
        jobs.payOut(jobId, 50);
        assertEq(claimable(alice), 50_000);
    }

    /// @dev skypilot-org/skypilot 7117: a spot machine was taken away and the manager hung for hours. With every verifier down too,
    /// the lease expires by itself and anyone may take over.
    function test_ADeadProviderAndDeadVerifiersHoldUpNobody() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        skip(30);
        acquire(jobId, carol);
        commit(jobId, carol, c1, 100);
        assertEq(lens.getLease(jobId).provider, carol);
        // And if nobody ever comes back, the client's money does.
        finish(jobId);
        tell("everybody dead: the rest goes back to the client");
        assertEq(delta[client], 0);
    }

    /// @dev kubeflow/trainer 2072: a dead machine left the job "restarting" for ever. Here every state names when it ends.
    function test_EveryStateHasATimedExit() external {
        uint256 jobId = post();
        assertGt(lens.getJob(jobId).commitsUntil, block.timestamp, "open: closable then");
        start(jobId, alice);
        assertGt(lens.getLease(jobId).expiresAt, block.timestamp, "leased: expires then");
        uint256 c1 = commit(jobId, alice, 0, 50);
        assertGt(lens.getCheckpoint(c1).judgeableAt + 30, block.timestamp, "pending: its seats may be replaced then");
        judge(c1, Outcome.Refuse);
        assertGt(lens.getCheckpoint(c1).maturesAt, block.timestamp, "refused: final then");
        vm.prank(client);
        jobs.cancel(jobId);
        jobs.close(jobId);
        assertGt(lens.getJob(jobId).judgedUntil, block.timestamp, "closing: over then");
        jobs.payOut(jobId, 50);
        assertJob(jobId, JobStatus.Settled);
    }

    /// @dev dstackai/dstack 2917: retries kept contacting the lost instance. A late answer under a stale fence is refused by name.
    function test_LateAnswersAreRefusedByName() external {
        uint256 jobId = post();
        start(jobId, alice);
        skip(1);
        evict(jobId);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.LeaseExpired.selector, block.timestamp));
        this.commitAs(jobId, alice, 0, 50);
    }

    /// @dev Two payments of the same epoch raced and one was lost. Here two calls in one block both land or one reverts by name.
    function test_TwoPayoutsInOneBlock() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        uint256 c2 = commit(jobId, alice, c1, 100);
        judge(c1, Outcome.Accept);
        judge(c2, Outcome.Accept);
        skip(60);
        jobs.payOut(jobId, 1);
        jobs.payOut(jobId, 1);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NothingToPay.selector, jobId));
        this.payOutAs(jobId);
        tell("two payouts in one block: both land, a third has nothing to pay");
        assertEq(delta[alice], 100_000);
    }
}
