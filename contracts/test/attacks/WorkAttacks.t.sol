// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "./AttackTest.sol";

contract WorkAttacksTest is AttackTest {
    function commitAs(uint256 jobId, address who, uint256 parent, uint32 step, bool release) external {
        commit(jobId, who, parent, step, release);
    }

    /// @dev Two branches from one parent, both good: the same steps are owed once.
    function test_ForkedSiblings() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 a = commit(jobId, alice, 0, 50, true);
        acquire(jobId, carol);
        uint256 b = commit(jobId, carol, 0, 50);
        uint256 b2 = commit(jobId, carol, b, 100);
        judge(a, Outcome.Accept);
        assertStatus(b, CheckpointStatus.Orphaned);
        assertStatus(b2, CheckpointStatus.Orphaned);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotJudgeable.selector, b));
        this.judgeAs(b);
        finish(jobId);
        tell("forked siblings: the first in the queue is paid, the other costs nobody anything");
        assertEq(delta[alice], 50_000);
        assertEq(delta[carol], 0);
    }

    function judgeAs(uint256 id) external {
        judge(id, Outcome.Accept);
    }

    /// @dev Commits nothing behind the last step, again and again: each would ask for a round of fees that the budget does not hold,
    /// and one left unjudged would keep the completed job from ever settling.
    function test_EmptyCheckpointAfterTheLast() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 parent;
        for (uint32 step = 50; step <= 400; step += 50) {
            parent = commit(jobId, alice, parent, step);
            if (step < 400) judge(parent, Outcome.Accept);
        }
        (bytes32 state, bytes32 trace) = (stateHash(400), traceRoot(400));
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStep.selector, 400, 400));
        vm.prank(alice);
        jobs.commitCheckpoint(jobId, 1, parent, 400, state, trace, false);
        judge(parent, Outcome.Accept);
        finish(jobId);
        tell("empty checkpoint after the last: refused, the job settles");
        assertEq(delta[alice], 400_000);
    }

    /// @dev Commits the parent's own bytes again as the next checkpoint.
    function test_EchoCheckpoint() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        judge(c1, Outcome.Accept);
        (bytes32 state, bytes32 trace) = (stateHash(50), traceRoot(50));
        vm.prank(alice);
        uint256 echo = jobs.commitCheckpoint(jobId, 1, c1, 100, state, trace, false);
        judge(echo, Outcome.Refuse);
        skip(1 hours);
        jobs.settleRefusal(echo);
        finish(jobId);
        tell("echo checkpoint: replay refuses it, the echo pays its judges");
        assertEq(delta[alice], 50_000 - int256(uint256(2 * FEE)));
    }

    function test_StepInflation() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStep.selector, 400, 50));
        this.commitAs(jobId, alice, 0, 400, false);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStep.selector, 400, 50));
        this.commitAs(jobId, alice, 0, 400, true);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStep.selector, 4_294_967_295, 50));
        this.commitAs(jobId, alice, 0, type(uint32).max, true);
        finish(jobId);
        tell("step inflation: only the next due step, or one before it");
    }

    function test_VoidDescendantsClaimingPay() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        uint256 c2 = commit(jobId, alice, c1, 100);
        uint256 c3 = commit(jobId, alice, c2, 150, true);
        judge(c1, Outcome.Unavailable);
        for (uint256 id = c2; id <= c3; ++id) {
            assertStatus(id, CheckpointStatus.Void);
            vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotJudgeable.selector, id));
            this.judgeAs(id);
        }
        finish(jobId);
        tell("void descendants claiming pay: never judged, never paid");
        assertEq(delta[alice], -int256(uint256(2 * FEE)));
        assertEq(delta[client], 0);
    }

    /// @dev The target cannot be met by anyone; the client hopes for a trained model at no cost.
    function test_ThievingClientWithAnUnreachableTarget() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 parent;
        for (uint32 step = 50; step <= 400; step += 50) {
            parent = commit(jobId, alice, parent, step);
            judge(parent, Outcome.Accept, false);
        }
        finish(jobId);
        tell("thieving client with an unreachable target: every step is paid, only the protocol's fee is lost");
        assertEq(delta[alice], 400_000);
        assertEq(delta[client], -400_000 - int256(uint256(16 * FEE)));
        assertEq(delta[treasury], 0);
    }

    function test_SilentClient() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        judge(commit(jobId, alice, 0, 50), Outcome.Accept);
        skip(60);
        vm.prank(makeAddr("anyone"));
        jobs.payOut(jobId, 50);
        tell("silent client: a stranger's call pays what is owed");
        assertEq(delta[alice], 50_000);
        finish(jobId);
    }

    /// @dev Prices and steps that divide badly: nothing is lost or made by rounding.
    function test_Rounding() external {
        remember();
        vm.prank(alice);
        registry.updateProvider(providerProfile(7));
        JobTerms memory t = terms();
        (t.totalSteps, t.checkpointInterval, t.verifierFee) = (13, 5, 1_001);
        uint256 jobId = post(t);
        start(jobId, alice);
        uint256 parent;
        for (uint32 step = 5; step <= 15; step += 5) {
            parent = commit(jobId, alice, parent, step > 13 ? 13 : step);
            judge(parent, Outcome.Accept);
        }
        finish(jobId);
        tell("rounding: the fee is rounded down, the odd unit is the client's");
        assertEq(delta[treasury], 7);
        assertEq(delta[client], -91 - 6 * 1_001 - 7);
    }

    function test_OverflowAtMaximumTerms() external {
        remember();
        JobTerms memory t = terms();
        (t.totalSteps, t.checkpointInterval) = (1e7, 1_000);
        (t.maxPricePerStep, t.verifierFee) = (1_000e6, 100e6);
        t.budget = uint64(lens.maxLiability(t));
        fund(client, t.budget);
        registerProvider(makeAddr("dear"), 1_000e6);
        vm.prank(client);
        registry.depositBond(makeAddr("dear"), 600 * USDC);
        remember();
        uint256 jobId = post(t);
        start(jobId, makeAddr("dear"));
        judge(commit(jobId, makeAddr("dear"), 0, 1_000), Outcome.Accept);
        skip(60);
        jobs.payOut(jobId, 50);
        assertEq(claimable(makeAddr("dear")), 1_000 * 1_000e6);
        finish(jobId);
        tell("overflow at maximum terms: a budget of ten billion USDC adds up");
        assertEq(delta[client], -int256(1_000 * 1_000e6 + 2 * 100e6));
    }

    function test_TemplateRevokedMidJob() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        vm.prank(owner);
        registry.revokeTemplate(0);
        judge(commit(jobId, alice, 0, 50), Outcome.Accept);
        finish(jobId);
        tell("template revoked mid-job: posted jobs go on");
        assertEq(delta[alice], 50_000);
    }

    /// @dev Renounced owner: see `test_Owner_MovesNoMoney`. Without an owner no template, arbiter or treasury changes any more;
    /// everything else lives on.
    function test_RenouncedOwner() external {
        vm.prank(owner);
        (bool ok,) = address(registry).call(abi.encodeWithSignature("renounceOwnership()"));
        assertTrue(ok);
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        judge(commit(jobId, alice, 0, 50), Outcome.Accept);
        finish(jobId);
        tell("renounced owner: jobs are posted, judged and paid as before");
        assertEq(delta[alice], 50_000);
    }
}
