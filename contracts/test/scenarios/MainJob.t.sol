// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "../utils/ProtocolTest.sol";

/// @notice The demo story on the contracts alone: A dies, P is refused, B finishes, every unit is accounted for.
contract MainJobTest is ProtocolTest {
    function test_RunSurvivesItsGpu() external {
        uint256 jobId = post();
        assertEq(lens.maxLiability(terms()), 1_200_000 + 96_000 + 8 * ROUND);
        assertEq(usdc.balanceOf(address(escrow)), 5 * USDC + 3 * USDC + 400 * USDC);

        // Alice, cheapest, trains to 100 and dies.
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        judge(c1, Outcome.Accept);
        skip(5);
        uint256 c2 = commit(jobId, alice, c1, 100);
        skip(1);
        evict(jobId);
        assertCause(jobId, 1, EndCause.Evicted);

        // Carol resumes from the unjudged tip and commits junk.
        uint32 f2 = acquire(jobId, carol);
        assertEq(f2, 2);
        judge(c2, Outcome.Accept);
        uint256 junk = commit(jobId, carol, c2, 150);
        uint256 child = commit(jobId, carol, junk, 200);
        judge(junk, Outcome.Refuse);
        assertStatus(junk, CheckpointStatus.Refused);
        assertStatus(child, CheckpointStatus.Void);
        assertCause(jobId, 2, EndCause.Refused);

        // Bob finishes from the head.
        acquire(jobId, bob);
        uint256 parent = c2;
        for (uint32 step = 150; step <= 400; step += 50) {
            uint256 id = commit(jobId, bob, parent, step);
            judge(id, Outcome.Accept);
            parent = id;
            skip(3);
        }
        assertJob(jobId, JobStatus.Completed);

        skip(60);
        jobs.payOut(jobId, 50);
        assertJob(jobId, JobStatus.Settled);
        assertEq(claimable(alice), 100 * 1_000);
        assertEq(claimable(carol), 0);
        assertEq(claimable(bob), 300 * 3_000);
        assertEq(claimable(treasury), 1_000_000 * 8 / 100);
        assertEq(claimable(client), 5 * USDC - 1_000_000 - 80_000 - 16 * FEE);

        skip(1 hours);
        jobs.settleRefusal(junk);
        assertEq(free(carol), 1 * USDC - 2 * FEE);
        assertEq(reserved(carol), 0);
        jobs.releaseBond(jobId, 1);
        jobs.releaseBond(jobId, 3);
        assertEq(reserved(alice) + reserved(bob), 0);

        (uint256 held, uint256 owed) = escrow.reserves();
        assertEq(held, owed);
        vm.prank(bob);
        assertEq(escrow.withdraw(bob), 900_000);
        assertSolvent();
    }
}
