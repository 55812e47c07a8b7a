// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import "../../utils/ProtocolTest.sol";

contract PostJobTest is ProtocolTest {
    function _expect(JobTerms memory t, string memory term, uint256 value, uint256 min, uint256 max) private {
        vm.prank(client);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.TermOutOfRange.selector, term, value, min, max));
        jobs.postJob(t);
    }

    function test_RevertWhen_TermOutOfRange() external {
        JobTerms memory t = terms();
        t.totalSteps = 0;
        _expect(t, "totalSteps", 0, 1, 1e7);
        t.totalSteps = 1e7 + 1;
        _expect(t, "totalSteps", 1e7 + 1, 1, 1e7);
        t = terms();
        t.checkpointInterval = 0;
        _expect(t, "checkpointInterval", 0, 1, 400);
        t.checkpointInterval = 401;
        _expect(t, "checkpointInterval", 401, 1, 400);
        t = terms();
        t.maxPricePerStep = 0;
        _expect(t, "maxPricePerStep", 0, 1, 1_000e6);
        t.maxPricePerStep = 1_000e6 + 1;
        _expect(t, "maxPricePerStep", 1_000e6 + 1, 1, 1_000e6);
        t = terms();
        t.verifierFee = 0;
        _expect(t, "verifierFee", 0, 1, 100e6);
        t.verifierFee = 100e6 + 1;
        _expect(t, "verifierFee", 100e6 + 1, 1, 100e6);
        t.verifierFee = 999;
        _expect(t, "verifierFee", 999, 1_000, 100e6);
    }

    function test_RevertWhen_TimeOutOfRange() external {
        JobTerms memory t = terms();
        t.leaseDuration = 2;
        _expect(t, "leaseDuration", 2, 3, 1 hours);
        t.leaseDuration = 1 hours + 1;
        _expect(t, "leaseDuration", 1 hours + 1, 3, 1 hours);
        t = terms();
        t.segmentTimeout = 29;
        _expect(t, "segmentTimeout", 29, 30, 24 hours);
        t = terms();
        t.pulseTimeoutMs = 499;
        _expect(t, "pulseTimeoutMs", 499, 500, 30_000);
        t = terms();
        t.auctionRamp = 1 hours + 1;
        _expect(t, "auctionRamp", 1 hours + 1, 0, 1 hours);
        t = terms();
        t.verdictTimeout = 4;
        _expect(t, "verdictTimeout", 4, 5, 6 hours);
        t = terms();
        t.deadline = uint40(block.timestamp + 119);
        _expect(t, "deadline", t.deadline, block.timestamp + 120, block.timestamp + 90 days);
        t = terms();
        t.gracePeriod = 119;
        _expect(t, "gracePeriod", 119, 120, 7 days);
        t = terms();
        t.disputeWindow = 1;
        _expect(t, "disputeWindow", 1, 2, 7 days);
    }

    function test_RevertWhen_BudgetUnderWorstCase() external {
        JobTerms memory t = terms();
        uint64 worst = uint64(lens.maxLiability(t));
        t.budget = worst - 1;
        _expect(t, "budget", t.budget, worst, type(uint64).max);
        t.budget = worst;
        post(t);
        // Small jobs: one USDC at least.
        t.totalSteps = 10;
        t.checkpointInterval = 10;
        t.budget = 1 * USDC - 1;
        _expect(t, "budget", t.budget, 1 * USDC, type(uint64).max);
    }

    function test_RevertWhen_HashZero() external {
        JobTerms memory t = terms();
        t.specHash = 0;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.ZeroHash.selector, "specHash"));
        vm.prank(client);
        jobs.postJob(t);
        t = terms();
        t.genesisHash = 0;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.ZeroHash.selector, "genesisHash"));
        vm.prank(client);
        jobs.postJob(t);
    }

    function test_RevertWhen_TooManyCheckpoints() external {
        JobTerms memory t = terms();
        (t.totalSteps, t.checkpointInterval) = (10_001, 1);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.TooManyCheckpoints.selector, 10_001, 10_000));
        vm.prank(client);
        jobs.postJob(t);
    }

    function test_RevertGiven_TemplateNotApproved() external {
        JobTerms memory t = terms();
        t.templateId = 1;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.TemplateNotApproved.selector, 1));
        vm.prank(client);
        jobs.postJob(t);
        vm.prank(owner);
        registry.revokeTemplate(0);
        t.templateId = 0;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.TemplateNotApproved.selector, 0));
        vm.prank(client);
        jobs.postJob(t);
    }

    function test_RevertGiven_NoAllowance() external {
        vm.prank(client);
        usdc.approve(address(escrow), 1);
        JobTerms memory t = terms();
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(escrow), 1, 5 * USDC)
        );
        vm.prank(client);
        jobs.postJob(t);
    }

    function test_PostsAndPins() external {
        JobTerms memory t = terms();
        t.eligibilityRoot = keccak256("root");
        vm.expectEmit(address(escrow));
        emit IEscrow.BudgetLocked(1, client, 5 * USDC);
        vm.expectEmit(address(jobs));
        emit IJobsEvents.JobPosted(1, client, 0, 0, arbiter, treasury, t);
        uint256 jobId = post(t);
        assertEq(jobId, 1);
        assertEq(jobs.jobCount(), 1);
        assertEq(abi.encode(lens.getTerms(jobId)), abi.encode(t));
        (uint256 budget, uint256 locked) = escrow.budgetOf(jobId);
        assertEq(budget, 5 * USDC);
        assertEq(locked, 5 * USDC);
        assertEq(jobs.clockOf(jobId).openSince, block.timestamp);

        vm.prank(owner);
        registry.nameConfig(makeAddr("arbiter2"), makeAddr("treasury2"));
        ILens.JobView memory v = lens.getJob(jobId);
        assertEq(v.arbiter, arbiter);
        assertEq(v.treasury, treasury);
        assertEq(lens.getJob(post()).arbiter, makeAddr("arbiter2"));
    }

    // ----- permit ----------------------------------------------------------------------------------------------------

    function _permit(address who, uint256 key, uint256 value) private view returns (Permit memory p) {
        p.deadline = block.timestamp + 1;
        IERC20Permit token = IERC20Permit(address(usdc));
        bytes32 hash = keccak256(
            abi.encode(
                keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                who,
                address(escrow),
                value,
                token.nonces(who),
                p.deadline
            )
        );
        (p.v, p.r, p.s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", token.DOMAIN_SEPARATOR(), hash)));
    }

    function test_PermitInsteadOfAllowance() external {
        (address who, uint256 key) = makeAddrAndKey("permitting");
        deal(address(usdc), who, 5 * USDC);
        JobTerms memory t = terms();
        Permit memory p = _permit(who, key, t.budget);
        vm.prank(who);
        assertEq(jobs.postJobWithPermit(t, p), 1);
        assertEq(usdc.balanceOf(who), 0);
    }

    function test_PermitFrontRun() external {
        (address who, uint256 key) = makeAddrAndKey("permitting");
        deal(address(usdc), who, 5 * USDC);
        JobTerms memory t = terms();
        Permit memory p = _permit(who, key, t.budget);
        IERC20Permit(address(usdc)).permit(who, address(escrow), t.budget, p.deadline, p.v, p.r, p.s);
        vm.prank(who);
        assertEq(jobs.postJobWithPermit(t, p), 1);
    }

    function test_RevertWhen_PermitBadAndNoAllowance() external {
        (address who,) = makeAddrAndKey("permitting");
        deal(address(usdc), who, 5 * USDC);
        JobTerms memory t = terms();
        vm.prank(who);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(escrow), 0, 5 * USDC)
        );
        jobs.postJobWithPermit(t, Permit(block.timestamp, 27, 0, 0));
    }
}
