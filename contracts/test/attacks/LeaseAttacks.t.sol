// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "./AttackTest.sol";

contract LeaseAttacksTest is AttackTest {
    function commitWith(uint256 jobId, address who, uint32 fence, uint256 parent, uint32 step) external {
        (bytes32 state, bytes32 trace) = (stateHash(step), traceRoot(step));
        vm.prank(who);
        jobs.commitCheckpoint(jobId, fence, parent, step, state, trace, false);
    }

    function test_ZombieAfterTakeover() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        skip(1);
        evict(jobId);
        acquire(jobId, carol);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.StaleFence.selector, 1, 2));
        this.commitWith(jobId, alice, 1, c1, 100);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NotHolder.selector, alice, carol));
        this.commitWith(jobId, alice, 2, c1, 100);
        // What alice committed in time is hers all the same.
        judge(c1, Outcome.Accept);
        finish(jobId);
        tell("zombie after takeover: refused by name; paid for what it had committed in time");
        assertEq(delta[alice], 50_000);
    }

    function test_TheSameProvidersOldLease() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        skip(1);
        evict(jobId);
        assertEq(acquire(jobId, alice), 2);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.StaleFence.selector, 1, 2));
        this.commitWith(jobId, alice, 1, 0, 50);
        commit(jobId, alice, 0, 50);
        finish(jobId);
        tell("the same provider's old lease: its old fence is dead");
        assertEq(delta[alice], 0);
    }

    /// @dev Price 1 wins every auction a second after it opens. Holding without working costs SQUAT each time, or ten minutes.
    function test_SquattingAtPriceOne() external {
        remember();
        vm.prank(alice);
        registry.updateProvider(providerProfile(1));
        uint256 jobId = post();
        skip(1);
        roll();
        vm.prank(alice);
        jobs.acquireLease(jobId, new bytes32[](0));
        roll();
        vm.prank(alice);
        jobs.releaseLease(jobId, 1);
        skip(59);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.CoolingDown.selector, alice, block.timestamp + 1));
        jobs.acquireLease(jobId, new bytes32[](0));
        acquire(jobId, carol);
        judge(commit(jobId, carol, 0, 50), Outcome.Accept);
        finish(jobId);
        tell("squatting at price 1: the squatter pays SQUAT and waits while the others work");
        assertEq(delta[alice], -int256(uint256(ROUND)));
        assertEq(delta[carol], 100_000);
    }

    /// @dev The squatter answers every pulse, so that nobody evicts it, and lets each lease run out.
    function test_SquattingByExpiry() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        skip(30);
        acquire(jobId, carol);
        assertEq(free(alice), 1 * USDC - ROUND - ROUND);
        jobs.releaseBond(jobId, 1);
        judge(commit(jobId, carol, 0, 50), Outcome.Accept);
        finish(jobId);
        tell("squatting by expiry: SQUAT, and ten minutes in which others work");
        assertEq(delta[alice], -int256(uint256(ROUND)));
        assertEq(delta[treasury], int256(uint256(ROUND)));
    }

    /// @dev Nine wait and the first is refused: the queue is still full, so the new holder cannot commit and does not stall.
    function test_StallBehindAFullQueue() external {
        uint256 jobId = post();
        start(jobId, alice);
        uint256 junk = commit(jobId, alice, 0, 50, true);
        acquire(jobId, carol);
        uint256 parent;
        for (uint32 step = 50; step <= 400; step += 50) {
            parent = commit(jobId, carol, parent, step, step == 400);
        }
        assertEq(jobs.queueOf(jobId).pending, 9);
        acquire(jobId, bob);
        // A lease that runs out meanwhile is no squatter's.
        uint256 snapshot = vm.snapshotState();
        skip(30);
        jobs.releaseBond(jobId, 3);
        assertCause(jobId, 3, EndCause.Expired);
        assertEq(claimable(treasury), 0);
        vm.revertToState(snapshot);
        judge(junk, Outcome.Refuse);
        assertEq(jobs.queueOf(jobId).pending, 8);
        assertEq(jobs.clockOf(jobId).segmentStart, 0);
        judge(junk + 1, Outcome.Accept);
        assertEq(jobs.clockOf(jobId).segmentStart, block.timestamp);
        console.log("a full queue that loses its first: the holder's clock stands still until it can commit");
    }

    function registerAgain(address who, address payout) public {
        vm.prank(who);
        registry.registerProvider(providerProfile(1_000), payout, 1 * USDC);
    }

    /// @dev A thief has the hot key, not the payout wallet: leaves with it and comes back under a wallet of his own.
    function test_AStolenHotKeyRedirectsPay() external {
        address wallet = makeAddr("cold wallet");
        address hot = makeAddr("hot key");
        registerProvider(hot, 1_000, wallet);
        JobTerms memory t = terms();
        (t.deadline, t.disputeWindow) = (uint40(block.timestamp + 60 days), 7 days);
        uint256 jobId = post(t);
        start(jobId, hot);
        vm.prank(hot);
        registry.requestExit();
        skip(14 days - 1);
        acquire(jobId, carol);
        judge(commit(jobId, carol, 0, 50), Outcome.Accept);
        jobs.releaseBond(jobId, 1);
        vm.prank(hot);
        registry.withdrawBond();
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotPayout.selector, hot, wallet));
        this.registerAgain(hot, makeAddr("thief"));
        registerAgain(hot, address(0));
        assertEq(registry.provider(hot).payout, wallet);
        vm.prank(wallet);
        registry.setPayout(hot, makeAddr("new cold wallet"));
        console.log("a stolen hot key: the payout wallet outlives the registration, and alone names another");
    }

    /// @dev Whoever sees carol's acquire and gets in front needs a price at or under the ceiling himself; carol's call names no
    /// terms that could be turned against her, and reverts by name.
    function test_FrontRunTakeover() external {
        remember();
        uint256 jobId = post();
        skip(4);
        vm.prank(alice);
        jobs.acquireLease(jobId, new bytes32[](0));
        vm.prank(carol);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.LeaseHeld.selector, 1, block.timestamp + 30));
        jobs.acquireLease(jobId, new bytes32[](0));
        finish(jobId);
        tell("front-run takeover: the second of two in a block reverts by name");
        assertEq(delta[carol], 0);
    }

    /// @dev Two seats once signed an eviction and kept it for later.
    function test_StashedEvictions() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        skip(1);
        uint64 t = uint64(block.timestamp * 1000);
        SignedEviction[] memory e = new SignedEviction[](2);
        e[0] = eviction(jobId, 1, seatOf(jobId, 0), t + 4_000);
        e[1] = eviction(jobId, 1, seatOf(jobId, 1), t + 4_000);
        // Alice acts: older statements are void.
        skip(4);
        commit(jobId, alice, 0, 50);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.TooFewSeats.selector, 0, 2));
        jobs.evictLease(jobId, 1, e);
        // Another lease: another fence.
        vm.prank(alice);
        jobs.releaseLease(jobId, 1);
        acquire(jobId, carol);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.StaleFence.selector, 1, 2));
        jobs.evictLease(jobId, 1, e);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.TooFewSeats.selector, 0, 2));
        jobs.evictLease(jobId, 2, e);
        finish(jobId);
        tell("stashed evictions: void after any lease action, any new fence, or thirty seconds");
    }

    function test_OneBondBehindManyLeases() external {
        remember();
        uint256 n;
        for (; n < 16; ++n) {
            acquire(post(), alice);
        }
        uint256 jobId = post();
        skip(7);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.BondTooSmall.selector, alice, 40_000, 2 * ROUND));
        jobs.acquireLease(jobId, new bytes32[](0));
        assertEq(reserved(alice), 16 * 2 * ROUND);
        console.log(
            "one bond behind many leases: each lease holds its own part of the bond; the seventeenth finds none"
        );
    }

    function test_UnbondingBeforeAVerdict() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        vm.prank(alice);
        registry.requestExit();
        judge(c1, Outcome.Refuse);
        skip(14 days);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.StillReserved.selector, 2 * ROUND));
        registry.withdrawBond();
        jobs.settleRefusal(c1);
        vm.prank(alice);
        registry.withdrawBond();
        finish(jobId);
        tell("unbonding before a verdict: the reservation outlasts the exit");
        assertEq(delta[alice], -int256(uint256(2 * FEE)));
    }

    /// @dev The provider of refused work comes back under a fresh key: it needs a new bond and starts from nothing.
    function test_RefusedProviderUnderANewAddress() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 junk = commit(jobId, alice, 0, 50);
        judge(junk, Outcome.Refuse);
        address again = makeAddr("alice again");
        registerProvider(again, 1_000, alice);
        acquire(jobId, again);
        uint256 junk2 = commit(jobId, again, 0, 50);
        judge(junk2, Outcome.Refuse);
        skip(1 hours);
        jobs.settleRefusal(junk);
        jobs.settleRefusal(junk2);
        assertEq(free(again), 1 * USDC - 2 * FEE);
        finish(jobId);
        tell("refused provider under a new address: each try costs its round, the client nothing");
        assertEq(delta[client], 0);
        assertEq(delta[alice], -int256(uint256(2 * FEE)));
    }

    function test_CancelAndExpiryInTheBlockAfterACommit() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        roll();
        vm.prank(client);
        jobs.cancel(jobId);
        skip(30);
        jobs.close(jobId);
        judge(c1, Outcome.Accept);
        skip(60);
        jobs.payOut(jobId, 50);
        tell("cancel in the block after a commit: the commit is judged and paid");
        assertEq(delta[alice], 50_000);

        remember();
        jobId = post();
        start(jobId, alice);
        vm.warp(jobs.clockOf(jobId).expiresAt - 1);
        c1 = commit(jobId, alice, 0, 50);
        vm.warp(jobs.clockOf(jobId).expiresAt);
        judge(c1, Outcome.Accept);
        finish(jobId);
        tell("expiry right after a commit: the commit is judged and paid");
        assertEq(delta[alice], 50_000);
    }
}
