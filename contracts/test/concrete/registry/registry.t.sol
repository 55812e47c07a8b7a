// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import "../../utils/ProtocolTest.sol";

contract RegistryTest is ProtocolTest {
    // ----- providers -------------------------------------------------------------------------------------------------

    function test_RegisterProvider_Reverts() external {
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.AlreadyRegistered.selector, alice));
        registry.registerProvider(providerProfile(1), alice, 1 * USDC);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.AlreadyRegistered.selector, alice));
        registry.registerVerifier(verifierProfile(), 100 * USDC);
        vm.stopPrank();
        vm.prank(verifiers[0].addr);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.AlreadyRegistered.selector, verifiers[0].addr));
        registry.registerProvider(providerProfile(1), alice, 1 * USDC);

        vm.startPrank(client);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.BondBelowMinimum.selector, USDC - 1, USDC));
        registry.registerProvider(providerProfile(1), client, USDC - 1);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.PriceOutOfRange.selector, 0, 1, 1_000e6));
        registry.registerProvider(providerProfile(0), client, USDC);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.PriceOutOfRange.selector, 1_000e6 + 1, 1, 1_000e6));
        registry.registerProvider(providerProfile(1_000e6 + 1), client, USDC);
        ProviderProfile memory p = providerProfile(1);
        p.name = "";
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NameLength.selector, 0, 64));
        registry.registerProvider(p, client, USDC);
        vm.stopPrank();
    }

    function test_RegisterProvider() external {
        ProviderProfile memory p = providerProfile(42);
        vm.expectEmit();
        emit IRegistry.ProviderRegistered(client, client, p);
        vm.prank(client);
        registry.registerProvider(p, address(0), 2 * USDC);
        Provider memory v = registry.provider(client);
        assertTrue(v.registered && v.accepting);
        assertEq(v.payout, client);
        assertEq(v.name, "garage 3060");
        assertEq(registry.providerCount(), 4);
        assertEq(registry.providerAt(3), client);
        assertEq(free(client), 2 * USDC);
    }

    function test_UpdateProvider() external {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotRegistered.selector, address(this)));
        registry.updateProvider(providerProfile(1));
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotRegistered.selector, address(this)));
        registry.setAccepting(true);
        vm.prank(alice);
        registry.updateProvider(providerProfile(5));
        assertEq(registry.provider(alice).pricePerStep, 5);
        vm.prank(alice);
        registry.setAccepting(false);
        assertFalse(registry.provider(alice).accepting);
    }

    function test_SetPayout() external {
        address cold = makeAddr("cold");
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotPayout.selector, bob, alice));
        registry.setPayout(alice, bob);
        vm.startPrank(alice);
        vm.expectRevert(IRegistry.ZeroAddress.selector);
        registry.setPayout(alice, address(0));
        registry.setPayout(alice, cold);
        // The hot key has lost its say.
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotPayout.selector, alice, cold));
        registry.setPayout(alice, alice);
        vm.stopPrank();
        vm.prank(cold);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.ChangeTooSoon.selector, block.timestamp + 1 hours));
        registry.setPayout(alice, alice);
        skip(1 hours);
        vm.prank(cold);
        registry.setPayout(alice, alice);
    }

    // ----- verifiers -------------------------------------------------------------------------------------------------

    function test_UpdateVerifier() external {
        Person memory v = verifiers[0];
        VerifierProfile memory p = verifierProfile();
        p.endpoint = "https://v0.example";
        vm.prank(v.addr);
        registry.updateVerifier(p);
        assertEq(registry.verifier(v.addr).endpoint, "https://v0.example");
        p.minFee = 9_000;
        vm.prank(v.addr);
        registry.updateVerifier(p);
        assertEq(registry.verifier(v.addr).minFee, 9_000);
        p.templateMask = 1;
        vm.prank(v.addr);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.ChangeTooSoon.selector, block.timestamp + 1 hours));
        registry.updateVerifier(p);
        skip(1 hours);
        vm.prank(v.addr);
        registry.updateVerifier(p);
        assertEq(registry.verifier(v.addr).templateMask, 1);
        p.minFee = 100e6 + 1;
        vm.prank(v.addr);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.FeeOutOfRange.selector, 100e6 + 1, 100e6));
        registry.updateVerifier(p);
    }

    function test_RegisterVerifier_RevertWhen_BondBelowMinimum() external {
        vm.prank(client);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.BondBelowMinimum.selector, 100 * USDC - 1, 100 * USDC));
        registry.registerVerifier(verifierProfile(), 100 * USDC - 1);
    }

    // ----- bonds -----------------------------------------------------------------------------------------------------

    function test_DepositBond() external {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotRegistered.selector, client));
        registry.depositBond(client, 1);
        vm.prank(client);
        registry.depositBond(alice, 7);
        assertEq(free(alice), 1 * USDC + 7);
    }

    function test_ProviderLeaves() external {
        uint256 jobId = post();
        acquire(jobId, alice);
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.StillReserved.selector, 2 * ROUND));
        registry.withdrawBond();
        vm.stopPrank();
        skip(30);
        jobs.releaseBond(jobId, 1);
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotExiting.selector, alice));
        registry.withdrawBond();
        registry.requestExit();
        vm.expectRevert(abi.encodeWithSelector(IRegistry.Exiting.selector, alice));
        registry.requestExit();
        vm.expectRevert(abi.encodeWithSelector(IRegistry.Exiting.selector, alice));
        registry.setAccepting(true);
        skip(14 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.StillUnbonding.selector, block.timestamp + 1));
        registry.withdrawBond();
        skip(1);
        registry.withdrawBond();
        assertEq(escrow.withdraw(alice), 1 * USDC - ROUND);
        assertFalse(registry.provider(alice).registered);
        registry.registerProvider(providerProfile(1), alice, 1 * USDC);
        vm.stopPrank();
        assertEq(registry.providerCount(), 3);
    }

    function test_VerifierLeaves() external {
        uint256 jobId = post();
        start(jobId, alice);
        Person memory v = seatOf(jobId, 0);
        vm.prank(v.addr);
        registry.requestExit();
        skip(14 days);
        vm.prank(v.addr);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.StillSeated.selector, 1));
        registry.withdrawBond();
        jobs.close(jobId);
        jobs.payOut(jobId, 0);
        vm.expectEmit();
        emit IRegistry.ExitRequested(v.addr, uint40(block.timestamp + 14 days));
        jobs.releaseSeats(jobId);
        uint16 id = registry.verifier(v.addr).id;
        skip(14 days - 1);
        vm.prank(v.addr);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.StillUnbonding.selector, block.timestamp + 1));
        registry.withdrawBond();
        skip(1);
        vm.prank(v.addr);
        registry.withdrawBond();
        // Its bond, and its fee of a job that was drawn for and never worked on.
        assertEq(claimable(v.addr), 100 * USDC + FEE);
        assertEq(uint8(registry.verifier(v.addr).status), uint8(VerifierStatus.None));
        uint256 count = registry.verifierCount();
        addVerifiers(1);
        assertEq(registry.verifierCount(), count, "the entry is reused");
        assertEq(registry.verifier(verifiers[4].addr).id, id);
    }

    // ----- equivocation ----------------------------------------------------------------------------------------------

    function test_ReportEquivocation() external {
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        Person memory v = seatOf(jobId, 0);
        (Checkpoint memory c, bytes32 digest) = jobs.checkpointRecord(c1);
        uint32[2] memory fences = [c.fence, c.fence];
        bytes32[2] memory digests = [digest, digest];
        SignedVerdict[2] memory pair = [vote(c1, v, Outcome.Accept), vote(c1, v, Outcome.Accept)];
        vm.expectRevert(IRegistry.SameVerdict.selector);
        registry.reportEquivocation(c1, fences, digests, pair);
        pair[1] = vote(c1, seatOf(jobId, 1), Outcome.Refuse);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotRegistered.selector, v.addr));
        registry.reportEquivocation(c1, fences, digests, pair);

        pair[1] = vote(c1, v, Outcome.Refuse);
        vm.expectEmit();
        emit IRegistry.EquivocationReported(v.addr, bob, c1);
        vm.prank(bob);
        registry.reportEquivocation(c1, fences, digests, pair);
        assertEq(claimable(bob), 50 * USDC);
        assertEq(claimable(treasury), 50 * USDC);
        assertEq(free(v.addr), 0);
        assertEq(uint8(registry.verifier(v.addr).status), uint8(VerifierStatus.Suspended));
        jobs.replaceSeat(jobId, 0);
    }

    // ----- owner -----------------------------------------------------------------------------------------------------

    function test_Owner_RevertWhen_Stranger() external {
        bytes memory denied = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this));
        vm.expectRevert(denied);
        registry.approveTemplate("x", 1);
        vm.expectRevert(denied);
        registry.revokeTemplate(0);
        vm.expectRevert(denied);
        registry.nameConfig(client, client);
    }

    function test_Owner_Templates() external {
        vm.startPrank(owner);
        assertEq(registry.approveTemplate("mlp", 5), 1);
        assertEq(registry.approveTemplate("mlp", 6), 1, "again: the same id");
        assertEq(registry.template(1).minVerifierFee, 6);
        registry.revokeTemplate(1);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.TemplateNotApproved.selector, 1));
        registry.revokeTemplate(1);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.UnknownTemplate.selector, 2));
        registry.revokeTemplate(2);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.FeeOutOfRange.selector, 100e6 + 1, 100e6));
        registry.approveTemplate("y", 100e6 + 1);
        for (uint256 i = 2; i < 16; ++i) {
            registry.approveTemplate(vm.toString(i), 1);
        }
        vm.expectRevert(IRegistry.TooManyTemplates.selector);
        registry.approveTemplate("one more", 1);
        vm.expectRevert(IRegistry.ZeroAddress.selector);
        registry.nameConfig(address(0), client);
        assertEq(registry.nameConfig(client, bob), 1);
        assertEq(registry.config(1).treasury, bob);
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(IRegistry.UnknownTemplate.selector, 16));
        registry.template(16);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.UnknownConfig.selector, 2));
        registry.config(2);
    }

    /// @dev Every function that only the owner may call, called in the middle of a job: no balance and no term moves.
    function test_Owner_MovesNoMoney() external {
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        judge(c1, Outcome.Accept);
        bytes32 before = _world(jobId);
        vm.startPrank(owner);
        registry.approveTemplate("text-classification", 50e6);
        registry.revokeTemplate(0);
        registry.nameConfig(owner, owner);
        Ownable2Step(address(registry)).transferOwnership(bob);
        vm.stopPrank();
        vm.prank(bob);
        Ownable2Step(address(registry)).acceptOwnership();
        vm.prank(bob);
        Ownable(address(registry)).renounceOwnership();
        assertEq(_world(jobId), before);
        skip(60);
        jobs.payOut(jobId, 50);
        assertEq(claimable(alice), 50_000);
    }

    function _world(uint256 jobId) private view returns (bytes32) {
        (uint256 held, uint256 owed) = escrow.reserves();
        return keccak256(
            abi.encode(
                held,
                owed,
                lens.getJob(jobId),
                escrow.balanceOf(alice),
                escrow.balanceOf(client),
                escrow.balanceOf(treasury),
                escrow.balanceOf(owner),
                escrow.balanceOf(seatOf(jobId, 0).addr)
            )
        );
    }
}
