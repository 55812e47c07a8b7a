// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {HostileToken} from "../tokens/HostileTokens.sol";
import "./AttackTest.sol";

contract TokenAttacksTest is AttackTest {
    HostileToken private token;

    function newToken() internal override returns (address) {
        token = HostileToken(vm.deployCode("HostileTokens.sol:HostileToken"));
        return address(token);
    }

    function _post() private returns (uint256) {
        JobTerms memory t = terms();
        vm.prank(client);
        return jobs.postJob(t);
    }

    function postAs() external returns (uint256) {
        return _post();
    }

    function _earned() private returns (uint256 jobId) {
        jobId = _post();
        start(jobId, alice);
        judge(commit(jobId, alice, 0, 50), Outcome.Accept);
        skip(60);
        jobs.payOut(jobId, 50);
    }

    function withdrawAs(address who, address to) external {
        vm.prank(who);
        escrow.withdraw(to);
    }

    function test_ReturnsFalse() external {
        token.setReturnsFalse(true);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token)));
        this.postAs();
        token.setReturnsFalse(false);
        _earned();
        token.setReturnsFalse(true);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token)));
        this.withdrawAs(alice, alice);
        assertEq(claimable(alice), 50_000, "the credit is whole");
        console.log("a token that returns false: refused, and a failed withdrawal uses up nothing");
    }

    function test_Reverts() external {
        _earned();
        token.setReverts(true);
        vm.expectRevert("told to revert");
        this.withdrawAs(alice, alice);
        assertEq(claimable(alice), 50_000);
        token.setReverts(false);
        this.withdrawAs(alice, alice);
        console.log("a token that reverts: nothing is lost, later it pays");
    }

    function test_ChargesAFee() external {
        token.setFee(100);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.InexactTransfer.selector, 5 * USDC, 5 * USDC * 99 / 100));
        this.postAs();
        console.log("a token that charges a fee: refused at the door");
    }

    /// @dev In the middle of the client's transfer: acquire, close, pay, withdraw.
    function test_Reenters() external {
        uint256 jobId = _earned();
        token.setReentry(address(jobs), abi.encodeCall(jobs.close, (jobId + 1)));
        uint256 next = _post();
        assertFalse(token.callSucceeded(), "the job does not exist before its money");
        assertJob(next, JobStatus.Open);
        token.setReentry(address(escrow), abi.encodeCall(escrow.withdraw, (address(token))));
        this.withdrawAs(alice, alice);
        assertFalse(token.callSucceeded());
        assertEq(usdc.balanceOf(alice), 10 * USDC - 1 * USDC + 50_000);
        assertSolvent();
        console.log("a token that reenters: finds nothing to act on");
    }

    function test_BlacklistedPayee() external {
        remember();
        _earned();
        token.setBlacklisted(alice, true);
        vm.expectRevert("blacklisted");
        this.withdrawAs(alice, alice);
        // Nobody else's pay waits on it, and its own goes to another wallet.
        address other = makeAddr("other wallet");
        this.withdrawAs(alice, other);
        assertEq(usdc.balanceOf(other), 50_000);
        uint256 jobId = _post();
        start(jobId, bob);
        judge(commit(jobId, bob, 0, 50), Outcome.Accept);
        finish(jobId);
        tell("blacklisted payee: pulls to another wallet, holds up nobody");
        assertEq(delta[bob], 150_000);
    }

    /// @dev The issuer takes from the escrow itself: withdrawals stop where money leaves rather than run the others dry.
    function test_Insolvent() external {
        _earned();
        token.confiscate(address(escrow), 1);
        (uint256 held, uint256 owed) = escrow.reserves();
        assertEq(owed, held + 1);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.Insolvent.selector, held - 50_000, owed - 50_000));
        this.withdrawAs(alice, alice);
        deal(address(token), address(this), 1);
        token.transfer(address(escrow), 1);
        this.withdrawAs(alice, alice);
        console.log("an issuer that confiscates: withdrawals stop until the gap is filled");
    }
}
