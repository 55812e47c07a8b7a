// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Test} from "forge-std/Test.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ICourt} from "src/interfaces/ICourt.sol";
import {IEscrow} from "src/interfaces/IEscrow.sol";
import {IJobs} from "src/interfaces/IJobs.sol";
import {IJobsEvents} from "src/interfaces/IJobsEvents.sol";
import {ILens} from "src/interfaces/ILens.sol";
import {IRegistry} from "src/interfaces/IRegistry.sol";
import {ITestUSDC} from "src/interfaces/ITestUSDC.sol";
import "src/Types.sol";

/// @notice A deployed protocol with a client, providers and verifiers, and the moves they make. Contracts are deployed from
/// their artifacts, so that test files compile without their code.
abstract contract ProtocolTest is Test {
    struct Person {
        address addr;
        uint256 key;
    }

    uint64 internal constant USDC = 1e6;
    /// Fee of a vote in `terms`.
    uint64 internal constant FEE = 10_000;
    uint64 internal constant ROUND = 3 * FEE;

    bytes32 private constant VERDICT_TYPEHASH = keccak256(
        "Verdict(uint256 jobId,uint32 fence,uint256 checkpointId,bytes32 contentDigest,uint8 outcome,bool metTarget,uint32 score,bytes32 evidenceHash)"
    );
    bytes32 private constant EVICTION_TYPEHASH = keccak256("Eviction(uint256 jobId,uint32 fence,uint64 attestedAt)");

    IEscrow internal escrow;
    IRegistry internal registry;
    IJobs internal jobs;
    ICourt internal court;
    ILens internal lens;
    IERC20 internal usdc;

    address internal owner = makeAddr("owner");
    address internal arbiter = makeAddr("arbiter");
    address internal treasury = makeAddr("treasury");
    address internal client = makeAddr("client");
    address internal alice = makeAddr("alice");
    address internal bob = makeAddr("bob");
    address internal carol = makeAddr("carol");
    Person[] internal verifiers;

    function setUp() public virtual {
        vm.warp(1_700_000_000);
        vm.roll(1_000);
        deployProtocol(newToken(), limits());
        vm.prank(owner);
        registry.approveTemplate("text-classification", 1_000);
        fund(client, 1_000_000 * USDC);
        registerProvider(alice, 1_000);
        registerProvider(bob, 3_000);
        registerProvider(carol, 2_000);
        addVerifiers(4);
    }

    // Note: `sha256` is a call, which would use up a prank: hash before.

    // ----- world -----------------------------------------------------------------------------------------------------

    /// @dev Public windows with short drawing, so that tests meet every clock.
    function limits() internal pure virtual returns (Limits memory) {
        return Limits({
            minLeaseDuration: 3,
            minVerdictTimeout: 5,
            minDisputeWindow: 2,
            maxBudget: 0,
            minProviderBond: 1 * USDC,
            minVerifierBond: 100 * USDC,
            appealWindow: 1 hours,
            arbiterPeriod: 3 days,
            unbondingPeriod: 14 days,
            drawDelay: 0,
            longCoolDown: 10 minutes,
            shortCoolDown: 60
        });
    }

    function newToken() internal virtual returns (address) {
        return vm.deployCode("TestUSDC.sol:TestUSDC");
    }

    function deployProtocol(address token, Limits memory l) internal {
        usdc = IERC20(token);
        uint256 nonce = vm.getNonce(address(this));
        address e = vm.computeCreateAddress(address(this), nonce);
        address r = vm.computeCreateAddress(address(this), nonce + 1);
        address s = vm.computeCreateAddress(address(this), nonce + 2);
        address j = vm.computeCreateAddress(address(this), nonce + 3);
        address c = vm.computeCreateAddress(address(this), nonce + 4);
        escrow = IEscrow(vm.deployCode("Escrow.sol:Escrow", abi.encode(token, j, r, c)));
        registry =
            IRegistry(vm.deployCode("Registry.sol:Registry", abi.encode(owner, e, j, c, Config(arbiter, treasury), l)));
        vm.deployCode("Settlement.sol:Settlement", abi.encode(e, r, c, l));
        jobs = IJobs(vm.deployCode("Jobs.sol:Jobs", abi.encode(e, r, c, s, l)));
        court = ICourt(vm.deployCode("Court.sol:Court", abi.encode(e, r, j, l)));
        lens = ILens(vm.deployCode("Lens.sol:Lens", abi.encode(j)));
        assertEq(address(jobs), j, "foretold address");
        assertEq(address(court), c, "foretold address");
    }

    function fund(address who, uint256 amount) internal virtual {
        deal(address(usdc), who, usdc.balanceOf(who) + amount);
        vm.prank(who);
        usdc.approve(address(escrow), type(uint256).max);
    }

    function registerProvider(address who, uint64 price) internal {
        registerProvider(who, price, who);
    }

    function registerProvider(address who, uint64 price, address payout) internal {
        fund(who, 10 * USDC);
        vm.prank(who);
        registry.registerProvider(providerProfile(price), payout, 1 * USDC);
    }

    function providerProfile(uint64 price) internal pure returns (ProviderProfile memory) {
        return ProviderProfile("garage 3060", price, keccak256("device"), keccak256("key"), "{}");
    }

    function verifierProfile() internal pure returns (VerifierProfile memory) {
        return VerifierProfile("http://localhost:1", keccak256("key"), 1_000, type(uint16).max);
    }

    function addVerifiers(uint256 n) internal {
        for (uint256 i = 0; i < n; ++i) {
            (address addr, uint256 key) = makeAddrAndKey(string.concat("verifier", vm.toString(verifiers.length)));
            verifiers.push(Person(addr, key));
            fund(addr, 100 * USDC);
            vm.prank(addr);
            registry.registerVerifier(verifierProfile(), 100 * USDC);
        }
    }

    // ----- jobs ------------------------------------------------------------------------------------------------------

    /// @dev The demo's terms.
    function terms() internal view virtual returns (JobTerms memory) {
        return JobTerms({
            templateId: 0,
            specHash: sha256("spec"),
            genesisHash: sha256("genesis"),
            eligibilityRoot: 0,
            totalSteps: 400,
            checkpointInterval: 50,
            maxPricePerStep: 3_000,
            verifierFee: FEE,
            leaseDuration: 30,
            segmentTimeout: 120,
            pulseTimeoutMs: 500,
            auctionRamp: 6,
            verdictTimeout: 30,
            deadline: uint40(block.timestamp + 1 hours),
            gracePeriod: 10 minutes,
            disputeWindow: 60,
            budget: 5 * USDC
        });
    }

    function post() internal returns (uint256) {
        return post(terms());
    }

    function post(JobTerms memory t) internal returns (uint256) {
        vm.prank(client);
        return jobs.postJob(t);
    }

    /// @dev Lets the auction run until the provider's price is met, and acquires.
    function acquire(uint256 jobId, address who) internal returns (uint32 fence) {
        skip(7);
        roll();
        vm.prank(who);
        return jobs.acquireLease(jobId, new bytes32[](0));
    }

    /// @dev Acquires and has the committee drawn.
    function start(uint256 jobId, address who) internal returns (uint32 fence) {
        fence = acquire(jobId, who);
        if (!jobs.panelOf(jobId).drawn) {
            roll();
            jobs.seatCommittee(jobId);
        }
    }

    function roll() internal {
        vm.roll(block.number + 1);
    }

    function commit(uint256 jobId, address who, uint256 parentId, uint32 step) internal returns (uint256) {
        return commit(jobId, who, parentId, step, false);
    }

    function commit(uint256 jobId, address who, uint256 parentId, uint32 step, bool release)
        internal
        returns (uint256)
    {
        uint32 fence = jobs.clockOf(jobId).fence;
        (bytes32 state, bytes32 trace) = (stateHash(step), traceRoot(step));
        vm.prank(who);
        return jobs.commitCheckpoint(jobId, fence, parentId, step, state, trace, release);
    }

    function stateHash(uint32 step) internal pure returns (bytes32) {
        return sha256(abi.encode("state", step));
    }

    function traceRoot(uint32 step) internal pure returns (bytes32) {
        return keccak256(abi.encode("trace", step));
    }

    // ----- seats -----------------------------------------------------------------------------------------------------

    function seatOf(uint256 jobId, uint256 seat) internal view returns (Person memory) {
        address addr = jobs.memberOf(jobId, jobs.panelOf(jobId).seats[seat]).verifier;
        for (uint256 i = 0; i < verifiers.length; ++i) {
            if (verifiers[i].addr == addr) return verifiers[i];
        }
        revert("no such seat");
    }

    function vote(uint256 checkpointId, Person memory who, Outcome outcome)
        internal
        view
        returns (SignedVerdict memory)
    {
        return vote(checkpointId, who, outcome, outcome == Outcome.Accept);
    }

    function vote(uint256 checkpointId, Person memory who, Outcome outcome, bool metTarget)
        internal
        view
        returns (SignedVerdict memory v)
    {
        v.outcome = outcome;
        v.metTarget = metTarget;
        v.score = 965_000;
        v.evidenceHash = keccak256(abi.encode("predictions", who.addr, checkpointId));
        (Checkpoint memory c, bytes32 digest) = jobs.checkpointRecord(checkpointId);
        return sign(v, who.key, checkpointId, c.fence, digest);
    }

    function sign(SignedVerdict memory v, uint256 key, uint256 checkpointId, uint32 fence, bytes32 digest)
        internal
        view
        returns (SignedVerdict memory)
    {
        bytes32 hash = keccak256(
            abi.encode(
                VERDICT_TYPEHASH,
                checkpointId >> 32,
                fence,
                checkpointId,
                digest,
                v.outcome,
                v.metTarget,
                v.score,
                v.evidenceHash
            )
        );
        (v.r, v.vs) = vm.signCompact(key, typed(hash));
        return v;
    }

    function eviction(uint256 jobId, uint32 fence, Person memory who, uint64 attestedAt)
        internal
        view
        returns (SignedEviction memory e)
    {
        e.attestedAt = attestedAt;
        (e.r, e.vs) = vm.signCompact(who.key, typed(keccak256(abi.encode(EVICTION_TYPEHASH, jobId, fence, attestedAt))));
    }

    function typed(bytes32 hash) internal view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", jobs.DOMAIN_SEPARATOR(), hash));
    }

    /// @dev Seats 0 and 1 say the same.
    function judge(uint256 checkpointId, Outcome outcome) internal {
        judge(checkpointId, outcome, outcome == Outcome.Accept);
    }

    function judge(uint256 checkpointId, Outcome outcome, bool metTarget) internal {
        SignedVerdict[] memory votes = new SignedVerdict[](2);
        votes[0] = vote(checkpointId, seatOf(checkpointId >> 32, 0), outcome, metTarget);
        votes[1] = vote(checkpointId, seatOf(checkpointId >> 32, 1), outcome, metTarget);
        jobs.castVerdicts(checkpointId, votes);
    }

    function cast(uint256 checkpointId, uint256 seat, Outcome outcome) internal {
        SignedVerdict[] memory votes = new SignedVerdict[](1);
        votes[0] = vote(checkpointId, seatOf(checkpointId >> 32, seat), outcome);
        jobs.castVerdicts(checkpointId, votes);
    }

    function evict(uint256 jobId) internal {
        uint32 fence = jobs.clockOf(jobId).fence;
        SignedEviction[] memory e = new SignedEviction[](2);
        e[0] = eviction(jobId, fence, seatOf(jobId, 0), uint64(block.timestamp * 1000 + 1));
        e[1] = eviction(jobId, fence, seatOf(jobId, 1), uint64(block.timestamp * 1000 + 2));
        jobs.evictLease(jobId, fence, e);
    }

    // ----- money -----------------------------------------------------------------------------------------------------

    function claimable(address who) internal view returns (uint256) {
        return escrow.balanceOf(who).claimable;
    }

    function free(address who) internal view returns (uint256) {
        Balance memory a = escrow.balanceOf(who);
        return a.bond - a.reserved;
    }

    function reserved(address who) internal view returns (uint256) {
        return escrow.balanceOf(who).reserved;
    }

    function status(uint256 checkpointId) internal view returns (CheckpointStatus) {
        return lens.getCheckpoint(checkpointId).status;
    }

    function assertStatus(uint256 checkpointId, CheckpointStatus expected) internal view {
        assertEq(uint8(status(checkpointId)), uint8(expected), "checkpoint status");
    }

    function assertJob(uint256 jobId, JobStatus expected) internal view {
        assertEq(uint8(jobs.jobRecord(jobId).status), uint8(expected), "job status");
    }

    function assertCause(uint256 jobId, uint32 fence, EndCause expected) internal view {
        assertEq(uint8(jobs.leaseRecord(jobId, fence).cause), uint8(expected), "end cause");
    }

    function assertSolvent() internal view {
        (uint256 held, uint256 owed) = escrow.reserves();
        assertGe(held, owed, "held >= owed");
    }
}
