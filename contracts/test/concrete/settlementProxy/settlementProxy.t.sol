// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {ITestUSDC} from "src/interfaces/ITestUSDC.sol";
import "../../utils/ProtocolTest.sol";

contract SettlementProxyTest is ProtocolTest {
    function test_UnknownSelectorReverts() external {
        (bool ok,) = address(jobs).call(abi.encodeWithSignature("mint(address,uint256)", alice, 1));
        assertFalse(ok);
        (ok,) = address(jobs).call("");
        assertFalse(ok);
        vm.deal(address(this), 1 ether);
        (ok,) = address(jobs).call{value: 1}(abi.encodeCall(jobs.jobCount, ()));
        assertFalse(ok, "no ether");
    }

    function test_SettlementDirectly() external {
        uint256 jobId = post();
        IJobs direct = IJobs(jobs.settlement());
        assertEq(direct.jobCount(), 0);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.UnknownJob.selector, jobId));
        direct.close(jobId);
        JobTerms memory t = terms();
        vm.prank(client);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.NotAuthorized.selector, address(direct)));
        direct.postJob(t);
    }

    function test_EverythingIsThere() external view {
        assertEq(jobs.PROTOCOL_VERSION(), 1);
        assertEq(registry.PROTOCOL_VERSION(), 1);
        assertEq(jobs.escrow(), address(escrow));
        assertEq(jobs.registry(), address(registry));
        assertEq(jobs.court(), address(court));
        assertEq(court.jobs(), address(jobs));
        assertEq(lens.jobs(), address(jobs));
        (bytes32 spec, bytes32 genesis, bytes32 root) = jobs.jobHashes(1);
        assertEq(spec | genesis | root, 0);
    }

    function test_Faucet() external {
        ITestUSDC token = ITestUSDC(address(usdc));
        uint256 most = token.FAUCET_LIMIT();
        token.mint(alice, most);
        assertEq(IERC20Metadata(address(usdc)).decimals(), 6);
        vm.expectRevert(abi.encodeWithSelector(ITestUSDC.FaucetLimit.selector, most + 1, most));
        token.mint(alice, most + 1);
    }

    function build(string calldata what, bytes calldata arguments) external {
        vm.deployCode(what, arguments);
    }

    function _cannotBuild(string memory what, bytes memory arguments) private {
        (bool ok,) = address(this).call(abi.encodeCall(this.build, (what, arguments)));
        assertFalse(ok, what);
    }

    function test_RevertWhen_ConstructedWithZero() external {
        for (uint256 i = 0; i < 4; ++i) {
            address[4] memory a = [alice, alice, alice, alice];
            a[i] = address(0);
            _cannotBuild("Escrow.sol:Escrow", abi.encode(a));
            if (i == 3) continue;
            _cannotBuild(
                "Registry.sol:Registry", abi.encode(owner, a[0], a[1], a[2], Config(arbiter, treasury), limits())
            );
        }
        _cannotBuild(
            "Registry.sol:Registry", abi.encode(owner, alice, alice, alice, Config(arbiter, address(0)), limits())
        );
        this.build("Escrow.sol:Escrow", abi.encode([alice, alice, alice, alice]));
    }

    function test_RevertWhen_NotJobsOrCourt() external {
        bytes memory denied = abi.encodeWithSelector(IRegistry.NotAuthorized.selector, address(this));
        DrawRequest memory r;
        vm.expectRevert(denied);
        registry.draw(r);
        vm.expectRevert(denied);
        registry.leaveSeats(new uint16[](0));
        vm.expectRevert(denied);
        registry.slashVerifier(verifiers[0].addr, alice, 1, SlashKind.CutVote, 1);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotRegistered.selector, client));
        registry.setPayout(client, alice);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotRegistered.selector, address(this)));
        registry.requestExit();
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotRegistered.selector, address(this)));
        registry.withdrawBond();
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotRegistered.selector, address(this)));
        registry.updateVerifier(verifierProfile());
    }
}
