// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "../../utils/ProtocolTest.sol";

/// @notice The limits of a public network: drawing takes an hour's membership, budgets are capped.
contract PublicNetworkTest is ProtocolTest {
    function limits() internal pure override returns (Limits memory l) {
        l = super.limits();
        (l.minLeaseDuration, l.minVerdictTimeout, l.minDisputeWindow) = (30, 60, 10 minutes);
        (l.maxBudget, l.appealWindow, l.drawDelay) = (1_000 * USDC, 24 hours, 1 hours);
    }

    function terms() internal view override returns (JobTerms memory t) {
        t = super.terms();
        (t.verdictTimeout, t.disputeWindow) = (60, 10 minutes);
    }

    function test_RevertWhen_BudgetOverTheCap() external {
        JobTerms memory t = terms();
        t.budget = 1_000 * USDC + 1;
        uint256 worst = lens.maxLiability(t);
        vm.prank(client);
        vm.expectRevert(
            abi.encodeWithSelector(IRegistry.TermOutOfRange.selector, "budget", t.budget, worst, 1_000 * USDC)
        );
        jobs.postJob(t);
        t.budget = 1_000 * USDC;
        post(t);
    }

    function test_NewVerifiersWaitAnHour() external {
        uint256 jobId = post();
        skip(50 minutes);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NoCommittee.selector, 0, 3));
        vm.prank(alice);
        jobs.acquireLease(jobId, new bytes32[](0));
        skip(10 minutes - 1);
        jobId = post();
        addVerifiers(5);
        start(jobId, alice);
        for (uint256 seat = 0; seat < 3; ++seat) {
            address a = seatOf(jobId, seat).addr;
            for (uint256 i = 4; i < 9; ++i) {
                assertTrue(a != verifiers[i].addr, "a newcomer sits");
            }
        }
    }

    function test_ChangedFeeWaitsAnHour() external {
        skip(1 hours);
        VerifierProfile memory p = verifierProfile();
        p.minFee = 50 * USDC;
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(verifiers[i].addr);
            registry.updateVerifier(p);
        }
        Verifier memory v = registry.verifier(verifiers[0].addr);
        assertEq(v.minFee, 1_000);
        assertEq(v.nextMinFee, 50 * USDC);
        assertEq(v.nextFrom, block.timestamp + 1 hours);
        // Drawn now: on the old terms.
        start(post(), alice);
        // Nor is a second change possible before an hour after the first took effect.
        skip(2 hours - 8);
        vm.prank(verifiers[0].addr);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.ChangeTooSoon.selector, block.timestamp + 1));
        registry.updateVerifier(verifierProfile());
        uint256 jobId = post();
        skip(7);
        roll();
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NoCommittee.selector, 2, 3));
        jobs.acquireLease(jobId, new bytes32[](0));
    }

    function test_SuspendedVerifierWaitsAgain() external {
        skip(1 hours);
        uint256 jobId = post();
        start(jobId, alice);
        commit(jobId, alice, 0, 50);
        skip(60);
        address silent = seatOf(jobId, 0).addr;
        jobs.replaceSeat(jobId, 0);
        vm.prank(client);
        registry.depositBond(silent, 1);
        assertEq(uint8(registry.verifier(silent).status), uint8(VerifierStatus.Suspended), "not yet whole");
        vm.prank(client);
        registry.depositBond(silent, 1 * USDC);
        assertEq(registry.verifier(silent).activeFrom, block.timestamp + 1 hours);
        // A suspended one may leave as well.
        address other = seatOf(jobId, 1).addr;
        vm.prank(other);
        registry.requestExit();
        VerifierProfile memory p = verifierProfile();
        vm.prank(other);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.Exiting.selector, other));
        registry.updateVerifier(p);
        vm.prank(other);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.Exiting.selector, other));
        registry.requestExit();
    }
}
