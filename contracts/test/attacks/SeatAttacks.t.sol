// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "./AttackTest.sol";

contract SeatAttacksTest is AttackTest {
    function castVotes(uint256 id, SignedVerdict[] calldata votes) external {
        jobs.castVerdicts(id, votes);
    }

    /// @dev One seat's signature, moved elsewhere in every way.
    function test_VerdictReplay() external {
        uint256 jobA = post();
        start(jobA, alice);
        uint256 a = commit(jobA, alice, 0, 50);
        SignedVerdict[] memory v = new SignedVerdict[](2);
        v[0] = vote(a, seatOf(jobA, 0), Outcome.Accept);
        v[1] = vote(a, seatOf(jobA, 1), Outcome.Accept);

        // Another job with the same bytes.
        uint256 jobB = post();
        start(jobB, bob);
        uint256 b = commit(jobB, bob, 0, 50);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NoVoteCounted.selector, b));
        this.castVotes(b, v);

        // Another chain.
        uint256 chain = block.chainid;
        vm.chainId(84532);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NoVoteCounted.selector, a));
        this.castVotes(a, v);
        vm.chainId(chain);

        // Another contract: a second deployment with the same keys.
        IJobs original = jobs;
        address[2] memory keys = [seatOf(jobA, 0).addr, seatOf(jobA, 1).addr];
        assertTrue(keys[0] != keys[1]);
        deployProtocol(address(usdc), limits());
        assertTrue(jobs.DOMAIN_SEPARATOR() != original.DOMAIN_SEPARATOR());
        jobs = original;

        // Another fence and other bytes, as after a reorg: same id, nothing else the same.
        SignedVerdict[] memory other = new SignedVerdict[](1);
        other[0] = v[0];
        (, bytes32 digest) = jobs.checkpointRecord(a);
        other[0] = sign(other[0], seatOf(jobA, 0).key, a, 2, digest);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NoVoteCounted.selector, a));
        this.castVotes(a, other);
        other[0] = sign(other[0], seatOf(jobA, 0).key, a, 1, keccak256("other bytes"));
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NoVoteCounted.selector, a));
        this.castVotes(a, other);
        // Where it belongs it counts, once.
        jobs.castVerdicts(a, v);
        console.log(
            "verdict replay across jobs, chains, contracts, fences, bytes: counted nowhere but where it was signed"
        );
    }

    /// @dev The holder releases and acquires, hoping for other judges.
    function test_GrindingSeatsByReleasing() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        address[3] memory first = _seats(jobId);
        vm.prank(alice);
        jobs.releaseLease(jobId, 1);
        skip(60);
        acquire(jobId, alice);
        assertEq(keccak256(abi.encode(_seats(jobId))), keccak256(abi.encode(first)));
        // Before the draw, too: the next acquire draws by the first anchor.
        uint256 second = post();
        acquire(second, alice);
        vm.prank(alice);
        jobs.releaseLease(second, 1);
        roll();
        uint256 snapshot = vm.snapshotState();
        jobs.seatCommittee(second);
        first = _seats(second);
        vm.revertToState(snapshot);
        acquire(second, carol);
        assertEq(keccak256(abi.encode(_seats(second))), keccak256(abi.encode(first)));
        finish(jobId);
        finish(second);
        tell("grinding seats by releasing, or by letting the lease expire: the same three, and SQUAT each time");
        assertEq(delta[alice], -int256(uint256(3 * ROUND)));
    }

    /// @dev A contract that reverts when it dislikes the draw can only delay it: any caller draws the same three.
    function test_GrindingSeatsByReverting() external {
        uint256 jobId = post();
        acquire(jobId, alice);
        roll();
        uint256 snapshot = vm.snapshotState();
        jobs.seatCommittee(jobId);
        bytes32 first = keccak256(abi.encode(_seats(jobId)));
        vm.revertToState(snapshot);
        for (uint256 i = 0; i < 5; ++i) {
            vm.roll(block.number + 40);
            snapshot = vm.snapshotState();
            vm.prank(makeAddr(vm.toString(i)));
            jobs.seatCommittee(jobId);
            assertEq(keccak256(abi.encode(_seats(jobId))), first);
            vm.revertToState(snapshot);
        }
        console.log("grinding seats by reverting: the anchor's hash decides, not who calls or when");
    }

    function test_GrindingSeatsByCancelling() external {
        remember();
        for (uint256 i = 0; i < 3; ++i) {
            uint256 jobId = post();
            acquire(jobId, alice);
            roll();
            vm.prank(client);
            jobs.cancel(jobId);
            vm.prank(alice);
            jobs.releaseLease(jobId, 1);
            jobs.close(jobId);
            jobs.payOut(jobId, 0);
        }
        tell("grinding seats by cancelling: a round of fees for every look");
        assertEq(delta[client], -int256(uint256(3 * ROUND)));
        assertEq(delta[alice], 0);
    }

    /// @dev No cancel: an accomplice leases and lets the lease expire, and time closes the job.
    function test_GrindingSeatsByExpiry() external {
        remember();
        JobTerms memory t = terms();
        for (uint256 i = 0; i < 3; ++i) {
            (t.segmentTimeout, t.gracePeriod) = (t.leaseDuration, t.leaseDuration);
            t.deadline = uint40(block.timestamp + 40);
            uint256 jobId = post(t);
            acquire(jobId, alice);
            roll();
            if (i == 0) jobs.seatCommittee(jobId);
            // The third time the hash is lost by then: nobody can be drawn any more, and the round goes to the treasury.
            if (i == 2) vm.roll(block.number + 257);
            vm.warp(lens.getJob(jobId).commitsUntil);
            jobs.close(jobId);
            assertEq(jobs.panelOf(jobId).drawn, i != 2);
            jobs.payOut(jobId, 0);
            skip(10 minutes);
        }
        tell("grinding seats by expiry: a round of fees for every look, and SQUAT of the accomplice's");
        assertEq(delta[client], -int256(uint256(3 * ROUND)));
        assertEq(delta[alice], -int256(uint256(3 * ROUND)));
        assertEq(delta[treasury], int256(uint256(4 * ROUND)));
    }

    function _seats(uint256 jobId) private view returns (address[3] memory) {
        return [seatOf(jobId, 0).addr, seatOf(jobId, 1).addr, seatOf(jobId, 2).addr];
    }

    /// @dev Two seats refuse good work. It takes an appeal to make the provider whole.
    function test_TwoLyingSeats() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        (address s0, address s1) = (seatOf(jobId, 0).addr, seatOf(jobId, 1).addr);
        judge(c1, Outcome.Refuse);
        vm.prank(alice);
        court.appeal(c1, keccak256("replay it"));
        vm.prank(arbiter);
        court.grant(c1);
        finish(jobId);
        tell("two lying seats: 20 USDC each; the provider gets the pay it lost");
        assertEq(delta[alice], 50_000);
        assertEq(delta[s0], -int256(uint256(20 * USDC)));
        assertEq(delta[s1], -int256(uint256(20 * USDC)));
    }

    /// @dev Two seats accept junk for a friend.
    function test_TwoLyingSeatsAcceptJunk() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        judge(c1, Outcome.Accept);
        vm.prank(client);
        court.dispute(c1, keccak256("junk"));
        vm.prank(arbiter);
        court.cut(c1, c1);
        jobs.payOut(jobId, 50);
        tell("two seats accept junk: cut, unpaid, and 40 USDC of theirs to the client");
        assertEq(delta[alice], 0);
        assertEq(delta[client], int256(uint256(40 * USDC)));
    }

    function leaveWithBond(address who) public {
        vm.prank(who);
        registry.withdrawBond();
    }

    function _longJob() private returns (uint256 jobId) {
        JobTerms memory t = terms();
        t.deadline = uint40(block.timestamp + 60 days);
        jobId = post(t);
        start(jobId, alice);
    }

    /// @dev It asks for its exit long before, lies, gives its seat up, and wants to be gone with the bond before the ruling.
    function test_ALiarLeavesBeforeTheRuling() external {
        remember();
        uint256 jobId = _longJob();
        address liar = seatOf(jobId, 0).addr;
        vm.prank(liar);
        registry.requestExit();
        skip(20 days);
        acquire(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        judge(c1, Outcome.Accept);
        jobs.replaceSeat(jobId, 0);
        roll();
        jobs.replaceSeat(jobId, 0);
        assertTrue(seatOf(jobId, 0).addr != liar);
        jobs.releaseSeats(jobId);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.StillUnbonding.selector, block.timestamp + 14 days));
        this.leaveWithBond(liar);
        vm.prank(client);
        court.dispute(c1, keccak256("junk"));
        skip(3 days - 1);
        vm.prank(arbiter);
        court.cut(c1, c1);
        skip(14 days);
        leaveWithBond(liar);
        tell("a liar asks for its exit early and leaves its seat: its bond is there when it is ruled");
        assertEq(delta[liar], -int256(uint256(20 * USDC)));
    }

    /// @dev The job is settled while an appeal is open; its seats are free, the bonds are not.
    function test_ALiarLeavesASettledJobUnderAppeal() external {
        remember();
        uint256 jobId = _longJob();
        address[2] memory liars = [seatOf(jobId, 0).addr, seatOf(jobId, 1).addr];
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(liars[i]);
            registry.requestExit();
        }
        skip(20 days);
        acquire(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        judge(c1, Outcome.Refuse);
        vm.prank(alice);
        court.appeal(c1, keccak256("replay it"));
        vm.prank(client);
        jobs.cancel(jobId);
        jobs.close(jobId);
        jobs.payOut(jobId, 50);
        jobs.releaseSeats(jobId);
        vm.expectPartialRevert(IRegistry.StillUnbonding.selector);
        this.leaveWithBond(liars[0]);
        vm.prank(arbiter);
        court.grant(c1);
        tell("liars on a settled job under appeal: their bonds are there when it is ruled");
        assertEq(delta[liars[0]], -int256(uint256(20 * USDC)));
        assertEq(delta[liars[1]], -int256(uint256(20 * USDC)));
        // Her first lease had expired empty.
        assertEq(delta[alice], 50_000 - int256(uint256(ROUND)));
    }

    /// @dev Its seat is taken over while the checkpoint that it has voted on still waits for a second vote.
    function test_ALiarLeavesBeforeTheSecondVote() external {
        uint256 jobId = _longJob();
        Person memory liar = seatOf(jobId, 0);
        vm.prank(liar.addr);
        registry.requestExit();
        uint256 c1 = commit(jobId, alice, 0, 50);
        cast(c1, 0, Outcome.Refuse);
        jobs.replaceSeat(jobId, 0);
        roll();
        jobs.replaceSeat(jobId, 0);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.NoSeatToRelease.selector, jobId));
        jobs.releaseSeats(jobId);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.StillSeated.selector, 1));
        this.leaveWithBond(liar.addr);
        cast(c1, 1, Outcome.Refuse);
        jobs.releaseSeats(jobId);
        assertEq(registry.verifier(liar.addr).exitAt, block.timestamp + 14 days);
        console.log("a liar leaves before the second vote: its seat is held until its vote is decided");
    }

    /// @dev Two judges accept the last step and differ on the target, a third lies: good work must not go unpaid for it.
    function test_ALiarBetweenTwoJudgesOfTheTarget() external {
        remember();
        JobTerms memory t = terms();
        t.checkpointInterval = 400;
        uint256 jobId = post(t);
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 400);
        SignedVerdict[] memory v = new SignedVerdict[](3);
        v[0] = vote(c1, seatOf(jobId, 0), Outcome.Refuse);
        v[1] = vote(c1, seatOf(jobId, 1), Outcome.Accept, true);
        v[2] = vote(c1, seatOf(jobId, 2), Outcome.Accept, false);
        jobs.castVerdicts(c1, v);
        assertStatus(c1, CheckpointStatus.Accepted);
        finish(jobId);
        tell("a liar between two who accept but differ on the target: the work is paid, the fee is not due");
        assertEq(delta[alice], 400_000);
        assertEq(delta[treasury], 0);
    }

    /// @dev The job closes around a checkpoint that becomes judgeable at the very end: nobody may vote on it any more, so nobody
    /// was silent.
    function test_NoSeatIsSilentWhenVotesAreForbidden() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        commit(jobId, alice, c1, 100);
        vm.prank(client);
        jobs.cancel(jobId);
        vm.prank(alice);
        jobs.releaseLease(jobId, 1);
        jobs.close(jobId);
        skip(59);
        judge(c1, Outcome.Accept);
        skip(60);
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.SeatNotReplaceable.selector, jobId, 0));
        jobs.replaceSeat(jobId, 0);
        assertFalse(lens.getSeats(jobId).seats[0].replaceable);
        jobs.payOut(jobId, 50);
        tell("a checkpoint that nobody may judge any more: no seat is fined for it");
        assertEq(delta[alice], 50_000);
    }

    /// @dev A job on which all three seats have been silent for so long that each may be replaced, and fined.
    function _silentJob() private returns (uint256 jobId) {
        jobId = post();
        start(jobId, bob);
        commit(jobId, bob, 0, 50);
        skip(30);
    }

    /// @dev Whom the anchor's hash draws if somebody has them drawn now.
    function _foreseen(uint256 jobId) private returns (address[3] memory seats) {
        uint256 snapshot = vm.snapshotState();
        jobs.seatCommittee(jobId);
        seats = _seats(jobId);
        vm.revertToState(snapshot);
    }

    /// @dev Everybody can foresee the draw; somebody tops a bond up that was slashed since, or lets it be slashed.
    function test_SlashAndTopUpBetweenAnchorAndDraw() external {
        uint256 silentJob = _silentJob();
        uint256 jobId = post();
        acquire(jobId, alice);
        roll();
        address[3] memory expected = _foreseen(jobId);
        uint256 snapshot = vm.snapshotState();
        for (uint8 seat = 0; seat < 3; ++seat) {
            for (uint256 topUps = 0; topUps < 2; ++topUps) {
                vm.revertToState(snapshot);
                snapshot = vm.snapshotState();
                address slashed = seatOf(silentJob, seat).addr;
                skip(1);
                jobs.replaceSeat(silentJob, seat);
                assertEq(uint8(registry.verifier(slashed).status), uint8(VerifierStatus.Suspended));
                skip(1);
                if (topUps != 0) {
                    vm.prank(client);
                    registry.depositBond(slashed, 1 * USDC);
                }
                jobs.seatCommittee(jobId);
                assertEq(keccak256(abi.encode(_seats(jobId))), keccak256(abi.encode(expected)));
            }
        }
        console.log("slash and top-up between anchor and draw: the same three are drawn");
    }

    /// @dev Anchored between a verifier's suspension and its return: what it does later does not put it into any of the draws.
    function test_ExitAfterAnAnchorInASuspension() external {
        uint256 silentJob = _silentJob();
        address slashed = seatOf(silentJob, 0).addr;
        jobs.replaceSeat(silentJob, 0);
        uint256[6] memory ids;
        for (uint256 i = 0; i < ids.length; ++i) {
            ids[i] = post();
        }
        skip(7);
        roll();
        for (uint256 i = 0; i < ids.length; ++i) {
            vm.prank(alice);
            jobs.acquireLease(ids[i], new bytes32[](0));
        }
        roll();
        address[3][6] memory expected;
        for (uint256 i = 0; i < ids.length; ++i) {
            expected[i] = _foreseen(ids[i]);
        }
        skip(1);
        vm.prank(client);
        registry.depositBond(slashed, 1 * USDC);
        skip(1);
        vm.prank(slashed);
        registry.requestExit();
        for (uint256 i = 0; i < ids.length; ++i) {
            jobs.seatCommittee(ids[i]);
            assertEq(keccak256(abi.encode(_seats(ids[i]))), keccak256(abi.encode(expected[i])));
        }
        console.log("an exit after an anchor that fell into a suspension: the same three are drawn");
    }

    function test_Equivocation() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        Person memory s = seatOf(jobId, 0);
        (Checkpoint memory c, bytes32 digest) = jobs.checkpointRecord(c1);
        SignedVerdict[2] memory pair = [vote(c1, s, Outcome.Accept), vote(c1, s, Outcome.Refuse)];
        vm.prank(bob);
        registry.reportEquivocation(c1, [c.fence, c.fence], [digest, digest], pair);
        tell("equivocation: the whole bond");
        assertEq(delta[s.addr], -int256(uint256(100 * USDC)));
        assertEq(delta[bob], int256(uint256(50 * USDC)));
        // Nothing is left to take twice.
        registry.reportEquivocation(c1, [c.fence, c.fence], [digest, digest], pair);
        assertEq(claimable(bob), 50 * USDC);
    }

    function test_SilentSeats() external {
        remember();
        uint256 jobId = post();
        start(jobId, alice);
        uint256 c1 = commit(jobId, alice, 0, 50);
        cast(c1, 2, Outcome.Accept);
        address silent = seatOf(jobId, 0).addr;
        skip(30);
        jobs.replaceSeat(jobId, 0);
        roll();
        jobs.replaceSeat(jobId, 0);
        cast(c1, 0, Outcome.Accept);
        finish(jobId);
        tell("a silent seat: replaced, 1 USDC poorer, the provider is paid");
        assertEq(delta[silent], -int256(uint256(1 * USDC)));
        assertEq(delta[alice], 50_000);
    }
}
