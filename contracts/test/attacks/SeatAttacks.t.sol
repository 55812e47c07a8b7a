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
        tell("grinding seats by releasing: the same three, and SQUAT each time");
        assertEq(delta[alice], -int256(uint256(2 * ROUND)));
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
