// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "../utils/ProtocolTest.sol";

contract JobsFuzzTest is ProtocolTest {
    /// @dev Any terms within bounds come back from storage as they were.
    function testFuzz_TermsSurvivePacking(JobTerms memory t) external {
        t = _bounded(t);
        fund(client, t.budget);
        assertEq(abi.encode(lens.getTerms(post(t))), abi.encode(t));
    }

    function _bounded(JobTerms memory t) private view returns (JobTerms memory) {
        t.templateId = 0;
        if (t.specHash == 0) t.specHash = keccak256("spec");
        if (t.genesisHash == 0) t.genesisHash = keccak256("genesis");
        t.totalSteps = uint32(bound(t.totalSteps, 1, 10_000));
        t.checkpointInterval = uint32(bound(t.checkpointInterval, 1, t.totalSteps));
        t.maxPricePerStep = uint64(bound(t.maxPricePerStep, 1, 1_000e6));
        t.verifierFee = uint64(bound(t.verifierFee, 1_000, 100e6));
        t.leaseDuration = uint32(bound(t.leaseDuration, 3, 1 hours));
        t.segmentTimeout = uint32(bound(t.segmentTimeout, t.leaseDuration, 24 hours));
        t.pulseTimeoutMs = uint32(bound(t.pulseTimeoutMs, 500, 30_000));
        t.auctionRamp = uint32(bound(t.auctionRamp, 0, 1 hours));
        t.verdictTimeout = uint32(bound(t.verdictTimeout, 5, 6 hours));
        t.deadline = uint40(bound(t.deadline, block.timestamp + t.segmentTimeout, block.timestamp + 90 days));
        t.gracePeriod = uint32(bound(t.gracePeriod, t.segmentTimeout, 7 days));
        t.disputeWindow = uint32(bound(t.disputeWindow, 2, 7 days));
        uint256 worst = lens.maxLiability(t);
        t.budget = uint64(bound(t.budget, worst < USDC ? USDC : worst, 1e17));
        return t;
    }

    /// @dev Whole jobs, one provider after the other, each leaving wherever it likes: every unit of the budget is accounted for.
    function testFuzz_EveryUnitIsAccountedFor(uint256 seed) external {
        JobTerms memory t = terms();
        (t.leaseDuration, t.segmentTimeout, t.gracePeriod) = (1 hours, 1 hours, 1 hours);
        t.deadline = uint40(block.timestamp + 1 days);
        t.totalSteps = uint32(bound(seed, 1, 200));
        t.checkpointInterval = uint32(bound(seed >> 8, 1, t.totalSteps));
        t.checkpointInterval = t.checkpointInterval < t.totalSteps / 8 ? t.totalSteps / 8 : t.checkpointInterval;
        t.verifierFee = uint64(bound(seed >> 16, 1_000, 90_000));
        t.budget = uint64(lens.maxLiability(t) + USDC);
        vm.startPrank(client);
        registry.depositBond(alice, 100 * USDC);
        registry.depositBond(carol, 100 * USDC);
        vm.stopPrank();
        uint256 jobId = post(t);
        uint256 parent;
        uint32 at_;
        uint256 owedPay;
        uint256 fees;
        for (uint256 i = 0; at_ < t.totalSteps; ++i) {
            address who = i % 2 == 0 ? alice : carol;
            if (!lens.getLease(jobId).live) start(jobId, who);
            who = lens.getLease(jobId).provider;
            uint32 due = lens.nextStep((jobId << 32) | uint32(parent));
            bool leave = uint256(keccak256(abi.encode(seed, i))) % 3 == 0;
            uint32 step = leave ? uint32(bound(seed >> (i % 200), at_ + 1, due)) : due;
            if (uint256(step - at_) * lens.getLease(jobId).pricePerStep < 3 * t.verifierFee) step = due;
            parent = commit(jobId, who, parent, step, leave);
            owedPay += lens.getCheckpoint(parent).pay;
            fees += 2 * t.verifierFee;
            judge(parent, Outcome.Accept);
            at_ = step;
            skip(61);
            roll();
        }
        while (jobs.jobRecord(jobId).status != JobStatus.Settled) {
            jobs.payOut(jobId, 7);
        }
        uint256 fee = owedPay * 8 / 100;
        assertEq(claimable(alice) + claimable(carol), owedPay);
        assertEq(claimable(treasury), fee);
        assertEq(claimable(client), t.budget - owedPay - fee - fees);
        assertSolvent();
    }

    /// @dev The second that `Lens` names is the first in which the ceiling meets the price.
    function testFuzz_LensNamesTheFirstSecond(uint16 ramp, uint32 price, uint32 maxPrice) external {
        JobTerms memory t = terms();
        t.auctionRamp = uint32(bound(ramp, 1, 3600));
        t.maxPricePerStep = uint64(bound(maxPrice, 1, 1e6));
        t.budget = uint64(lens.maxLiability(t));
        if (t.budget < USDC) t.budget = USDC;
        t.deadline = uint40(block.timestamp + 1 days);
        uint64 p = uint64(bound(price, 1, t.maxPricePerStep));
        vm.prank(alice);
        registry.updateProvider(providerProfile(p));
        uint256 jobId = post(t);
        bytes32[] memory none;
        (ILens.AcquireBlock reason, uint40 until) = lens.canAcquire(jobId, alice, none);
        assertEq(uint8(reason), uint8(ILens.AcquireBlock.PriceAboveCeiling));
        vm.warp(until - 1);
        assertLt(lens.priceCeiling(jobId), p);
        vm.warp(until);
        assertGe(lens.priceCeiling(jobId), p);
        vm.prank(alice);
        jobs.acquireLease(jobId, none);
    }

    /// @dev Whatever the order and the batching of three votes, the decision is the same.
    function testFuzz_OrderOfVotes(uint8[3] memory outcomes, uint8 order, bool together) external {
        uint256 jobId = post();
        start(jobId, alice);
        uint256 id = commit(jobId, alice, 0, 50);
        SignedVerdict[] memory votes = new SignedVerdict[](3);
        uint256[4] memory tally;
        for (uint256 i = 0; i < 3; ++i) {
            Outcome outcome = Outcome(bound(outcomes[i], 1, 3));
            ++tally[uint8(outcome)];
            votes[(i + order) % 3] = vote(id, seatOf(jobId, i), outcome);
        }
        if (together) {
            jobs.castVerdicts(id, votes);
        } else {
            SignedVerdict[] memory one = new SignedVerdict[](1);
            for (uint256 i = 0; i < 3; ++i) {
                one[0] = votes[i];
                // The third may come too late to count once Unavailable has been paid.
                try jobs.castVerdicts(id, one) {} catch {}
            }
        }
        CheckpointStatus expected = CheckpointStatus.Unavailable;
        if (tally[uint8(Outcome.Accept)] >= 2) expected = CheckpointStatus.Accepted;
        if (tally[uint8(Outcome.Refuse)] >= 2) expected = CheckpointStatus.Refused;
        assertStatus(id, expected);
    }

    /// @dev An attestation counts exactly within its window.
    function testFuzz_EvictionWindow(uint64 attestedAt) external {
        uint256 jobId = post();
        start(jobId, alice);
        skip(20);
        uint256 now_ = block.timestamp * 1000;
        attestedAt = uint64(bound(attestedAt, now_ - 40_000, now_ + 10_000));
        SignedEviction[] memory e = new SignedEviction[](2);
        e[0] = eviction(jobId, 1, seatOf(jobId, 0), attestedAt);
        e[1] = eviction(jobId, 1, seatOf(jobId, 1), attestedAt);
        bool counts = attestedAt <= now_ + 5_000 && attestedAt >= now_ - 30_000
            && attestedAt > uint256(lens.getLease(jobId).lastActionAt) * 1000;
        if (!counts) vm.expectRevert(abi.encodeWithSelector(IJobsEvents.TooFewSeats.selector, 0, 2));
        jobs.evictLease(jobId, 1, e);
    }
}
