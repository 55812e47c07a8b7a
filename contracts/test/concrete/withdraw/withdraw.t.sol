// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "../../utils/ProtocolTest.sol";

contract WithdrawTest is ProtocolTest {
    function _earn() private {
        uint256 jobId = post();
        start(jobId, alice);
        uint256 id = commit(jobId, alice, 0, 50);
        judge(id, Outcome.Accept);
        skip(60);
        jobs.payOut(jobId, 1);
    }

    function test_RevertWhen_RecipientZero() external {
        vm.expectRevert(IEscrow.ZeroAddress.selector);
        escrow.withdraw(address(0));
    }

    function test_RevertGiven_NothingClaimable() external {
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.NothingToWithdraw.selector, alice));
        escrow.withdraw(alice);
    }

    function test_PaysAllToRecipient() external {
        _earn();
        address wallet = makeAddr("wallet");
        (uint256 held, uint256 owed) = escrow.reserves();
        assertEq(escrow.owedTo(alice), 50_000 + 1 * USDC);
        vm.expectEmit();
        emit IEscrow.Withdrawn(alice, wallet, 50_000);
        vm.prank(alice);
        assertEq(escrow.withdraw(wallet), 50_000);
        assertEq(usdc.balanceOf(wallet), 50_000);
        (uint256 heldAfter, uint256 owedAfter) = escrow.reserves();
        assertEq(held - heldAfter, 50_000);
        assertEq(owed - owedAfter, 50_000);
        assertEq(escrow.balanceOf(alice).bond, 1 * USDC);
        assertEq(escrow.owedTo(alice), 1 * USDC);
    }

    function test_RevertWhen_StrangerMovesMoney() external {
        bytes memory denied = abi.encodeWithSelector(IEscrow.NotAuthorized.selector, address(this));
        vm.expectRevert(denied);
        escrow.lock(1, client, 1);
        vm.expectRevert(denied);
        escrow.disburse(1, new Credit[](0), client);
        vm.expectRevert(denied);
        escrow.deposit(alice, client, 1);
        vm.expectRevert(denied);
        escrow.reserve(alice, 1, ReserveKind.Lease, 1);
        vm.expectRevert(denied);
        escrow.release(alice, 1, 1);
        vm.expectRevert(denied);
        escrow.slash(alice, client, 1, false, SlashKind.Squat, 1);
        vm.expectRevert(denied);
        escrow.returnBond(alice, client, 1);
    }

    function test_RevertWhen_CreditsExceedBudget() external {
        uint256 jobId = post();
        Credit[] memory credits = new Credit[](1);
        credits[0] = Credit(alice, uint80(5 * USDC + 1), CreditKind.ProviderPay);
        vm.prank(address(jobs));
        vm.expectRevert(abi.encodeWithSelector(IEscrow.BudgetExceeded.selector, jobId, 5 * USDC, 5 * USDC + 1));
        escrow.disburse(jobId, credits, address(0));
    }
}
