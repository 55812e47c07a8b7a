// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Vm} from "forge-std/Vm.sol";
import "../utils/ProtocolTest.sol";

/// @notice The handler: every actor of the protocol, acting at random on up to four jobs, and a ledger kept from events alone.
/// An action looks before it leaps (through `Lens`), so that no call may revert; what must revert is asked for by name.
contract World is ProtocolTest {
    struct Book {
        uint256 budget;
        uint256 credited;
        uint256 providerPay;
        uint256 protocolFee;
        uint32 fence;
        JobStatus status;
        bool completedWithTarget;
        bool wasCut;
        bytes32 settledAs;
    }

    uint256 private constant MAX_JOBS = 4;

    address[] public people;
    address[] private _providers;
    uint256[] public jobIds;
    mapping(uint256 jobId => Book) private books;
    mapping(uint256 checkpointId => uint256) public timesPaid;
    uint256[] private _paidIds;
    mapping(bytes32 name => uint256) public calls;
    string[] private _names;
    /// Set by an action when something that must never happen did.
    string public broken;

    function setUp() public override {
        super.setUp();
        addVerifiers(3);
        _providers.push(alice);
        _providers.push(bob);
        _providers.push(carol);
        people.push(client);
        people.push(treasury);
        people.push(arbiter);
        people.push(address(this));
        for (uint256 i = 0; i < _providers.length; ++i) {
            people.push(_providers[i]);
            vm.prank(client);
            registry.depositBond(_providers[i], 20 * USDC);
        }
        for (uint256 i = 0; i < verifiers.length; ++i) {
            people.push(verifiers[i].addr);
            vm.prank(client);
            registry.depositBond(verifiers[i].addr, 50 * USDC);
        }
        this.postAJob(123_456_789);
        this.postAJob(987_654_321);
    }

    // ----- bookkeeping -----------------------------------------------------------------------------------------------

    modifier act(string memory name) {
        vm.recordLogs();
        uint256[] memory before = _claimables();
        calls[keccak256(bytes(name))]++;
        _;
        _absorb(vm.getRecordedLogs(), before);
    }

    function _claimables() private view returns (uint256[] memory c) {
        c = new uint256[](people.length);
        for (uint256 i = 0; i < people.length; ++i) {
            c[i] = claimable(people[i]);
        }
    }

    /// @dev Invariants 3, 5, 6, 7 and 9 are watched here, transition by transition.
    function _absorb(Vm.Log[] memory logs, uint256[] memory before) private {
        address withdrew;
        for (uint256 i = 0; i < logs.length; ++i) {
            bytes32 topic = logs[i].topics[0];
            if (topic == IEscrow.Credited.selector) {
                Book storage book = books[uint256(logs[i].topics[1])];
                uint256 amount = abi.decode(logs[i].data, (uint256));
                book.credited += amount;
                CreditKind kind = CreditKind(uint8(uint256(logs[i].topics[3])));
                if (kind == CreditKind.ProviderPay) book.providerPay += amount;
                if (kind == CreditKind.ProtocolFee) book.protocolFee += amount;
            } else if (topic == IEscrow.Withdrawn.selector) {
                withdrew = address(uint160(uint256(logs[i].topics[1])));
            } else if (topic == IJobsEvents.LeaseAcquired.selector) {
                Book storage book = books[uint256(logs[i].topics[1])];
                if (uint256(logs[i].topics[2]) != book.fence + 1) broken = "3: fence did not rise by one";
                book.fence = uint32(uint256(logs[i].topics[2]));
            } else if (topic == IJobsEvents.CheckpointPaid.selector) {
                uint256 id = uint256(logs[i].topics[1]);
                if (++timesPaid[id] > 1) broken = "5: a checkpoint was paid twice";
                _paidIds.push(id);
            } else if (topic == IJobsEvents.JobCompleted.selector) {
                books[uint256(logs[i].topics[1])].completedWithTarget = abi.decode(logs[i].data, (bool));
            } else if (topic == IJobsEvents.ChainCut.selector) {
                books[uint256(logs[i].topics[1])].wasCut = true;
            }
        }
        for (uint256 i = 0; i < people.length; ++i) {
            if (claimable(people[i]) < before[i] && people[i] != withdrew) {
                broken = "7: a balance fell, not by its owner";
            }
        }
        for (uint256 i = 0; i < jobIds.length; ++i) {
            _watch(jobIds[i]);
        }
    }

    function _watch(uint256 jobId) private {
        Book storage book = books[jobId];
        JobStatus now_ = jobs.jobRecord(jobId).status;
        if (now_ != book.status) {
            if (!_allowed(book.status, now_)) broken = "6: a transition that is not in section 11";
            book.status = now_;
            if (now_ == JobStatus.Settled) book.settledAs = _digest(jobId);
        } else if (now_ == JobStatus.Settled && book.settledAs != _digest(jobId)) {
            broken = "6: a settled job changed";
        }
    }

    function _allowed(JobStatus from, JobStatus to) private pure returns (bool) {
        if (from == JobStatus.None) return to == JobStatus.Open;
        if (from == JobStatus.Open) return to == JobStatus.Closing || to == JobStatus.Completed;
        if (from == JobStatus.Closing) return to == JobStatus.Completed || to == JobStatus.Settled;
        if (from == JobStatus.Completed) return to == JobStatus.Closing || to == JobStatus.Settled;
        return false;
    }

    function _digest(uint256 jobId) private view returns (bytes32) {
        (uint256 budget, uint256 locked) = escrow.budgetOf(jobId);
        return keccak256(abi.encode(jobs.jobRecord(jobId), jobs.queueOf(jobId), jobs.ledgerOf(jobId), budget, locked));
    }

    function _job(uint256 seed) private view returns (uint256) {
        return jobIds.length == 0 ? 0 : jobIds[seed % jobIds.length];
    }

    function jobsCount() external view returns (uint256) {
        return jobIds.length;
    }

    function peopleCount() external view returns (uint256) {
        return people.length;
    }

    function paidIds() external view returns (uint256[] memory) {
        return _paidIds;
    }

    // ----- client ----------------------------------------------------------------------------------------------------

    function postAJob(uint256 seed) external act("post") {
        if (jobIds.length == MAX_JOBS) return;
        JobTerms memory t = terms();
        t.totalSteps = uint32(bound(seed, 5, 60));
        t.checkpointInterval = uint32(bound(seed >> 16, 1, t.totalSteps));
        t.maxPricePerStep = uint64(bound(seed >> 32, 3_000, 20_000));
        t.verifierFee = uint64(bound(seed >> 64, 1_000, 60_000));
        t.auctionRamp = uint32(bound(seed >> 96, 0, 10));
        t.budget = uint64(lens.maxLiability(t) + bound(seed >> 128, 0, 1 * USDC));
        if (t.budget < USDC) t.budget = USDC;
        uint256 jobId = post(t);
        jobIds.push(jobId);
        books[jobId].budget = t.budget;
    }

    function cancelAJob(uint256 seed) external act("cancel") {
        uint256 jobId = _job(seed);
        if (jobId == 0 || seed % 7 != 0) return;
        Job memory job = jobs.jobRecord(jobId);
        if (job.status != JobStatus.Open || job.cancelled) return;
        vm.prank(client);
        jobs.cancel(jobId);
    }

    function disputeACheckpoint(uint256 seed) external act("dispute") {
        uint256 jobId = _job(seed);
        if (jobId == 0 || jobs.jobRecord(jobId).contested || jobs.ledgerOf(jobId).cut) return;
        uint32 count = jobs.queueOf(jobId).count;
        if (count == 0) return;
        uint256 id = (jobId << 32) | bound(seed >> 8, 1, count);
        ILens.CheckpointView memory c = lens.getCheckpoint(id);
        if (c.status != CheckpointStatus.Accepted || block.timestamp >= c.maturesAt) return;
        vm.prank(client);
        court.dispute(id, keccak256("why"));
    }

    // ----- providers -------------------------------------------------------------------------------------------------

    function acquireALease(uint256 seed) external act("acquire") {
        uint256 jobId = _job(seed);
        if (jobId == 0) return;
        address who = _providers[(seed >> 8) % _providers.length];
        bytes32[] memory none;
        (ILens.AcquireBlock reason,) = lens.canAcquire(jobId, who, none);
        ILens.SeatsView memory seats = lens.getSeats(jobId);
        if (reason != ILens.AcquireBlock.None) {
            vm.prank(who);
            try jobs.acquireLease(jobId, none) {
                broken = "Lens said that nobody could acquire";
            } catch {}
            return;
        }
        if (!seats.drawn && seats.anchorBlock == block.number) return;
        vm.prank(who);
        jobs.acquireLease(jobId, none);
    }

    function renewOrRelease(uint256 seed) external act("renew or release") {
        uint256 jobId = _job(seed);
        if (jobId == 0) return;
        ILens.LeaseView memory lease = lens.getLease(jobId);
        if (lease.fence > 1) {
            vm.expectPartialRevert(IJobsEvents.StaleFence.selector);
            vm.prank(lease.provider);
            jobs.renewLease(jobId, lease.fence - 1);
        }
        if (!lease.live) return;
        ILens.JobView memory job = lens.getJob(jobId);
        vm.prank(lease.provider);
        if (seed % 3 == 0 || job.draining || block.timestamp >= job.commitsUntil) {
            jobs.releaseLease(jobId, lease.fence);
        } else {
            jobs.renewLease(jobId, lease.fence);
        }
    }

    function commitACheckpoint(uint256 seed) external act("commit") {
        uint256 jobId = _job(seed);
        if (jobId == 0) return;
        ILens.LeaseView memory lease = lens.getLease(jobId);
        if (!lease.live || block.timestamp >= lens.getJob(jobId).commitsUntil || !_canSeat(jobId)) return;
        Queue memory q = jobs.queueOf(jobId);
        if (q.pending >= 8) return;
        bool follow = lease.committed && q.tail == q.count;
        bool head = !follow && seed >> 8 & 1 == 0;
        uint32 parent = head ? q.head : q.tail;
        uint32 parentStep = head ? q.headStep : q.tailStep;
        Job memory job = jobs.jobRecord(jobId);
        if (parentStep == job.totalSteps) {
            _nothingAfterTheLastStep(jobId, lease.provider, lease.fence, parent, parentStep);
            return;
        }
        uint32 step = lens.nextStep((jobId << 32) | parent);
        bool release = seed >> 16 & 7 == 0;
        if (release) {
            uint32 early = uint32(bound(seed >> 32, parentStep + 1, step));
            if (uint256(early - parentStep) * lease.pricePerStep >= 3 * job.verifierFee) step = early;
        }
        commit(jobId, lease.provider, parent == 0 ? 0 : (jobId << 32) | parent, step, release);
    }

    /// @dev A commit of no steps would wait unjudged behind a completed job, and could be repeated for its fees.
    function _nothingAfterTheLastStep(uint256 jobId, address holder, uint32 fence, uint32 parent, uint32 step) private {
        (bytes32 state, bytes32 trace) = (stateHash(step), traceRoot(step));
        vm.expectRevert(abi.encodeWithSelector(IJobsEvents.WrongStep.selector, step, step));
        vm.prank(holder);
        jobs.commitCheckpoint(jobId, fence, (jobId << 32) | parent, step, state, trace, false);
    }

    function _canSeat(uint256 jobId) private view returns (bool) {
        ILens.SeatsView memory seats = lens.getSeats(jobId);
        if (seats.drawn) return true;
        return seats.callable && blockhash(seats.anchorBlock) != 0;
    }

    function appealARefusal(uint256 seed) external act("appeal") {
        uint256 id = _find(seed, CheckpointStatus.Refused);
        if (id == 0) return;
        ILens.CheckpointView memory c = lens.getCheckpoint(id);
        if (block.timestamp >= c.maturesAt) return;
        if (usdc.balanceOf(c.provider) < court.appealBond(id)) fund(c.provider, 1 * USDC);
        vm.prank(c.provider);
        court.appeal(id, keccak256("unfair"));
    }

    function _find(uint256 seed, CheckpointStatus wanted) private view returns (uint256) {
        uint256 jobId = _job(seed);
        if (jobId == 0) return 0;
        uint32 count = jobs.queueOf(jobId).count;
        for (uint32 i = 1; i <= count; ++i) {
            (Checkpoint memory c,) = jobs.checkpointRecord((jobId << 32) | i);
            if (c.status == wanted) return (jobId << 32) | i;
        }
        return 0;
    }

    // ----- verifiers -------------------------------------------------------------------------------------------------

    function castAVote(uint256 seed) external act("vote") {
        uint256 jobId = _job(seed);
        if (jobId == 0) return;
        uint256 id = lens.getQueue(jobId).judgingId;
        if (id == 0 || lens.getCheckpoint(id).status != CheckpointStatus.Pending) return;
        uint256 seat = (seed >> 8) % 3;
        if (lens.getSeats(jobId).seats[seat].voted) return;
        uint256 dice = (seed >> 16) % 10;
        Outcome outcome = dice < 7 ? Outcome.Accept : dice < 9 ? Outcome.Refuse : Outcome.Unavailable;
        SignedVerdict[] memory votes = new SignedVerdict[](1);
        votes[0] = vote(id, seatOf(jobId, seat), outcome, (seed >> 24) % 4 != 0);
        jobs.castVerdicts(id, votes);
    }

    function evictAHolder(uint256 seed) external act("evict") {
        uint256 jobId = _job(seed);
        if (jobId == 0 || seed % 3 != 0 || !lens.getLease(jobId).live || !jobs.panelOf(jobId).drawn) return;
        evict(jobId);
    }

    function seatACommittee(uint256 seed) external act("seat") {
        uint256 jobId = _job(seed);
        if (jobId == 0) return;
        ILens.SeatsView memory seats = lens.getSeats(jobId);
        if (!seats.drawn && seats.callable && _eligible(0) >= 3) jobs.seatCommittee(jobId);
    }

    function replaceASeat(uint256 seed) external act("replace") {
        uint256 jobId = _job(seed);
        if (jobId == 0 || jobs.jobRecord(jobId).status == JobStatus.Settled) return;
        ILens.SeatsView memory v = lens.getSeats(jobId);
        if (!v.drawn || _eligible(jobId) == 0) return;
        if (v.replacing != 0) {
            if (block.number > v.anchorBlock) jobs.replaceSeat(jobId, v.replacing - 1);
            return;
        }
        uint8 seat = uint8((seed >> 8) % 3);
        if (v.seats[seat].replaceable) jobs.replaceSeat(jobId, seat);
    }

    /// @dev A lower bound of who could be drawn: active and never a member.
    function _eligible(uint256 jobId) private view returns (uint256 n) {
        for (uint256 i = 0; i < verifiers.length; ++i) {
            Verifier memory v = registry.verifier(verifiers[i].addr);
            if (v.status != VerifierStatus.Active || v.activeFrom > block.timestamp) continue;
            bool member;
            for (uint256 m = 0; jobId != 0 && m < jobs.panelOf(jobId).memberCount; ++m) {
                if (jobs.memberOf(jobId, m).verifier == verifiers[i].addr) member = true;
            }
            if (!member) ++n;
        }
    }

    function leaveOrReturn(uint256 seed) external act("leave or return") {
        Person memory p = verifiers[seed % verifiers.length];
        Verifier memory v = registry.verifier(p.addr);
        if (v.status == VerifierStatus.Active && seed >> 8 & 7 == 0) {
            vm.prank(p.addr);
            registry.requestExit();
        } else if (v.status == VerifierStatus.Exiting && v.seats == 0 && block.timestamp >= v.exitAt) {
            vm.prank(p.addr);
            registry.withdrawBond();
            fund(p.addr, 200 * USDC);
            vm.prank(p.addr);
            registry.registerVerifier(verifierProfile(), 150 * USDC);
        } else if (v.status == VerifierStatus.Suspended) {
            vm.prank(client);
            registry.depositBond(p.addr, 100 * USDC);
        }
    }

    // ----- arbiter ---------------------------------------------------------------------------------------------------

    function rule(uint256 seed) external act("rule") {
        uint256 jobId = _job(seed);
        if (jobId == 0) return;
        uint32 from = jobs.ledgerOf(jobId).contestedFrom;
        if (jobs.jobRecord(jobId).contested) {
            uint256 id = (jobId << 32) | from;
            Challenge memory c = court.challengeOf(id);
            if (block.timestamp >= c.openedAt + 3 days) return court.lapse(id);
            vm.prank(arbiter);
            if (seed >> 8 & 1 == 0) return court.uphold(id);
            court.cut(id, id);
        } else {
            uint256 id = _find(seed, CheckpointStatus.Appealed);
            if (id == 0) return;
            if (block.timestamp >= court.challengeOf(id).openedAt + 3 days) return court.lapse(id);
            vm.prank(arbiter);
            if (seed >> 8 & 1 == 0) return court.grant(id);
            court.reject(id);
        }
    }

    // ----- anyone ----------------------------------------------------------------------------------------------------

    function payAnyone(uint256 seed) external act("pay out") {
        uint256 jobId = _job(seed);
        if (jobId == 0) return;
        (uint256 mature, bool settles) = lens.payOutStatus(jobId);
        if (mature != 0 || settles) jobs.payOut(jobId, bound(seed >> 8, 1, 50));
    }

    function closeAJob(uint256 seed) external act("close") {
        uint256 jobId = _job(seed);
        if (jobId == 0) return;
        if (lens.closable(jobId)) jobs.close(jobId);
    }

    function settleAndRelease(uint256 seed) external act("settle and release") {
        uint256 jobId = _job(seed);
        if (jobId == 0) return;
        settleLoose(jobId);
    }

    function withdrawAll(uint256 seed) external act("withdraw") {
        address who = people[seed % people.length];
        if (claimable(who) == 0) return;
        vm.prank(who);
        escrow.withdraw(who);
    }

    function passTime(uint256 seed) external act("time") {
        uint256 dice = seed % 10;
        uint256 most = dice < 6 ? 8 : dice < 9 ? 100 : 4 hours;
        vm.warp(block.timestamp + bound(seed >> 8, 1, most));
        vm.roll(block.number + bound(seed >> 64, 1, dice == 9 ? 300 : 3));
    }

    // ----- liveness --------------------------------------------------------------------------------------------------

    /// @dev Refusals past appeal, bonds of ended leases, seats of settled jobs: permissionless and order-free.
    function settleLoose(uint256 jobId) public {
        uint32 count = jobs.queueOf(jobId).count;
        for (uint32 i = 1; i <= count; ++i) {
            uint256 id = (jobId << 32) | i;
            (Checkpoint memory c,) = jobs.checkpointRecord(id);
            if (c.status == CheckpointStatus.Refused && block.timestamp >= c.decidedAt + 1 hours) {
                jobs.settleRefusal(id);
            }
        }
        for (uint32 f = 1; f <= jobs.clockOf(jobId).fence; ++f) {
            try jobs.releaseBond(jobId, f) {} catch {}
        }
        try jobs.releaseSeats(jobId) {} catch {}
    }

    /// @notice Time and permissionless calls alone: afterwards the escrow owes nobody anything locked or reserved.
    function driveToTheEnd() external act("drive") {
        for (uint256 round = 0; round < 40; ++round) {
            bool settled = true;
            for (uint256 i = 0; i < jobIds.length; ++i) {
                uint256 jobId = jobIds[i];
                _lapseAll(jobId);
                if (lens.closable(jobId)) jobs.close(jobId);
                _watch(jobId);
                (uint256 mature, bool settles) = lens.payOutStatus(jobId);
                if (mature != 0 || settles) jobs.payOut(jobId, 50);
                settleLoose(jobId);
                if (jobs.jobRecord(jobId).status != JobStatus.Settled) settled = false;
            }
            if (settled && round > 20) return;
            vm.warp(block.timestamp + 12 hours);
            vm.roll(block.number + 300);
        }
    }

    function _lapseAll(uint256 jobId) private {
        for (uint32 i = 1; i <= jobs.queueOf(jobId).count; ++i) {
            Challenge memory c = court.challengeOf((jobId << 32) | i);
            if (c.state == ChallengeState.Open && block.timestamp >= c.openedAt + 3 days) {
                court.lapse((jobId << 32) | i);
            }
        }
    }

    // ----- what the invariants read ----------------------------------------------------------------------------------

    function bookOf(uint256 jobId) external view returns (Book memory) {
        return books[jobId];
    }

    function protocol() external view returns (IEscrow, IJobs, ILens) {
        return (escrow, jobs, lens);
    }
}
