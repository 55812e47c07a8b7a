// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {IEscrow} from "./interfaces/IEscrow.sol";
import {IJobs} from "./interfaces/IJobs.sol";
import {IJobsEvents} from "./interfaces/IJobsEvents.sol";
import {ILens} from "./interfaces/ILens.sol";
import {IRegistry} from "./interfaces/IRegistry.sol";
import {LeaseLib} from "./libraries/LeaseLib.sol";
import {TermsLib} from "./libraries/TermsLib.sol";
import {VotesLib} from "./libraries/VotesLib.sol";
import "./libraries/Constants.sol";
import "./Types.sol";

/// @title Lens
/// @notice See `ILens`.
contract Lens is ILens {
    using VotesLib for uint48;

    address public immutable jobs;
    IEscrow private immutable ESCROW;
    IRegistry private immutable REGISTRY;
    uint256 private immutable APPEAL_WINDOW;

    constructor(address jobs_) {
        jobs = jobs_;
        ESCROW = IEscrow(IJobs(jobs_).escrow());
        REGISTRY = IRegistry(IJobs(jobs_).registry());
        APPEAL_WINDOW = REGISTRY.limits().appealWindow;
    }

    // ----- job -------------------------------------------------------------------------------------------------------

    /// @inheritdoc ILens
    function getJob(uint256 jobId) external view returns (JobView memory v) {
        Job memory job = _job(jobId);
        Ledger memory ledger = IJobs(jobs).ledgerOf(jobId);
        Config memory config = REGISTRY.config(job.configId);
        (v.client, v.status) = (job.client, job.status);
        (v.draining, v.cancelled, v.metTarget) = (job.cancelled || job.contested, job.cancelled, ledger.metTarget);
        (v.configId, v.arbiter, v.treasury) = (job.configId, config.arbiter, config.treasury);
        (v.deadline, v.commitsUntil) = (job.deadline, job.deadline + job.gracePeriod);
        v.closedAt = ledger.closedAt;
        if (job.status == JobStatus.Closing) v.judgedUntil = uint40(_judgedUntil(job, ledger));
        (v.budget, v.locked) = ESCROW.budgetOf(jobId);
        v.providerPay = ledger.providerPay;
        if (job.contested) v.contestedFrom = _id(jobId, ledger.contestedFrom);
        v.terms = getTerms(jobId);
    }

    /// @inheritdoc ILens
    function getTerms(uint256 jobId) public view returns (JobTerms memory t) {
        Job memory job = _job(jobId);
        (t.specHash, t.genesisHash, t.eligibilityRoot) = IJobs(jobs).jobHashes(jobId);
        (uint256 budget,) = ESCROW.budgetOf(jobId);
        (t.templateId, t.totalSteps, t.checkpointInterval) = (job.templateId, job.totalSteps, job.checkpointInterval);
        (t.maxPricePerStep, t.verifierFee, t.leaseDuration) = (job.maxPricePerStep, job.verifierFee, job.leaseDuration);
        (t.segmentTimeout, t.pulseTimeoutMs, t.auctionRamp) = (job.segmentTimeout, job.pulseTimeoutMs, job.auctionRamp);
        (t.verdictTimeout, t.deadline, t.gracePeriod) = (job.verdictTimeout, job.deadline, job.gracePeriod);
        // forge-lint: disable-next-line(unsafe-typecast)
        (t.disputeWindow, t.budget) = (job.disputeWindow, uint64(budget));
    }

    /// @inheritdoc ILens
    function closable(uint256 jobId) external view returns (bool) {
        Job memory job = _job(jobId);
        if (job.status != JobStatus.Open) return false;
        (LeaseClock memory clock,,) = _clock(jobId, job);
        if (job.cancelled && !clock.live) return true;
        if (job.contested) return false;
        return block.timestamp >= uint256(job.deadline) + job.gracePeriod || _abandoned(jobId, job);
    }

    /// @inheritdoc ILens
    function payOutStatus(uint256 jobId) external view returns (uint256 mature, bool settles) {
        Job memory job = _job(jobId);
        Ledger memory ledger = IJobs(jobs).ledgerOf(jobId);
        Queue memory queue = IJobs(jobs).queueOf(jobId);
        if (job.status == JobStatus.None || job.status == JobStatus.Settled) return (0, false);
        bool judged =
            queue.pending == 0 || (job.status == JobStatus.Closing && block.timestamp >= _judgedUntil(job, ledger));
        uint256 first = ledger.payCursor == 0 ? 1 : ledger.payCursor;
        uint256 end = queue.cursor == 0 ? 1 : queue.cursor;
        if (ledger.contestedFrom != 0) end = ledger.contestedFrom;
        else if (judged) end = queue.count + 1;
        uint256 i = first;
        for (; i < end && i - first < MAX_BATCH; ++i) {
            (Checkpoint memory c,) = IJobs(jobs).checkpointRecord(_id(jobId, i));
            if (c.status != CheckpointStatus.Accepted || i <= ledger.maturedThrough) continue;
            if (block.timestamp < c.decidedAt + job.disputeWindow) break;
        }
        return (i - first, i == end && judged && job.status != JobStatus.Open && !job.contested);
    }

    /// @inheritdoc ILens
    function maxLiability(JobTerms calldata terms) external pure returns (uint256) {
        return TermsLib.maxLiability(terms);
    }

    // ----- lease -----------------------------------------------------------------------------------------------------

    /// @inheritdoc ILens
    function getLease(uint256 jobId) external view returns (LeaseView memory) {
        return getLeaseAt(jobId, IJobs(jobs).clockOf(jobId).fence);
    }

    /// @inheritdoc ILens
    function getLeaseAt(uint256 jobId, uint32 fence) public view returns (LeaseView memory v) {
        LeaseRecord memory record = IJobs(jobs).leaseRecord(jobId, fence);
        if (record.provider == address(0)) return v;
        (v.fence, v.provider, v.pricePerStep) = (fence, record.provider, record.price);
        (v.cause, v.committed, v.bondReleased) = (record.cause, record.lastIndex != 0, record.released);
        Job memory job = _job(jobId);
        (LeaseClock memory clock, EndCause cause, uint40 endedAt) = _clock(jobId, job);
        if (fence != clock.fence) return v;
        (v.live, v.cause, v.committed) = (clock.live, cause, clock.committed);
        (v.acquiredAt, v.expiresAt, v.lastActionAt) =
        (clock.acquiredAt, clock.expiresAt, clock.expiresAt - job.leaseDuration);
        if (clock.live) v.stallsAt = uint40(LeaseLib.stallTime(clock, job.segmentTimeout));
        else v.openSince = endedAt;
    }

    /// @inheritdoc ILens
    function priceCeiling(uint256 jobId) public view returns (uint256) {
        Job memory job = _job(jobId);
        (LeaseClock memory clock,, uint40 openSince) = _clock(jobId, job);
        if (clock.live) return 0;
        return LeaseLib.priceCeiling(openSince, block.timestamp, job.auctionRamp, job.maxPricePerStep);
    }

    /// @inheritdoc ILens
    function canAcquire(uint256 jobId, address provider, bytes32[] calldata proof)
        external
        view
        returns (AcquireBlock reason, uint40 until)
    {
        Job memory job = _job(jobId);
        if (job.status != JobStatus.Open) return (AcquireBlock.JobNotOpen, 0);
        if (job.cancelled || job.contested) return (AcquireBlock.Draining, 0);
        if (block.timestamp >= job.deadline) return (AcquireBlock.PastDeadline, 0);
        (LeaseClock memory clock,, uint40 openSince) = _clock(jobId, job);
        if (clock.live) return (AcquireBlock.LeaseHeld, clock.expiresAt);
        if (IJobs(jobs).panelOf(jobId).drawn && clock.markedBlock == block.number) {
            return (AcquireBlock.SameBlockAsEviction, 0);
        }
        reason = _barred(jobId, job, provider, proof);
        if (reason != AcquireBlock.None) {
            return (reason, reason == AcquireBlock.Barred ? FOREVER : 0);
        }
        Standing memory standing = IJobs(jobs).standingOf(jobId, provider);
        uint40 coolingUntil = standing.coolingUntil;
        if (clock.fence != 0 && IJobs(jobs).leaseRecord(jobId, clock.fence).provider == provider) {
            uint40 unseen = _unseenCoolDown(jobId, job);
            if (unseen > coolingUntil) coolingUntil = unseen;
        }
        if (block.timestamp < coolingUntil) return (AcquireBlock.CoolingDown, coolingUntil);
        (uint64 price,) = REGISTRY.offer(provider);
        if (price > LeaseLib.priceCeiling(openSince, block.timestamp, job.auctionRamp, job.maxPricePerStep)) {
            // The first second whose ceiling, rounded down, is at least the price; never above the maximum.
            if (price > job.maxPricePerStep) return (AcquireBlock.PriceAboveCeiling, FOREVER);
            uint256 wait = (uint256(price) * job.auctionRamp + job.maxPricePerStep - 1) / job.maxPricePerStep;
            // forge-lint: disable-next-line(unsafe-typecast)
            return (AcquireBlock.PriceAboveCeiling, uint40(openSince + wait));
        }
        return (_fundsAndSeats(jobId, job, provider), 0);
    }

    // ----- checkpoints -----------------------------------------------------------------------------------------------

    /// @inheritdoc ILens
    function getCheckpoint(uint256 checkpointId) public view returns (CheckpointView memory v) {
        uint256 jobId = checkpointId >> 32;
        Checkpoint memory c;
        (c, v.contentDigest) = IJobs(jobs).checkpointRecord(checkpointId);
        if (c.status == CheckpointStatus.None) revert IJobsEvents.UnknownCheckpoint(checkpointId);
        Job memory job = _job(jobId);
        Queue memory queue = IJobs(jobs).queueOf(jobId);
        LeaseRecord memory record = IJobs(jobs).leaseRecord(jobId, c.fence);
        (v.checkpointId, v.jobId, v.parentId) = (checkpointId, jobId, c.parent == 0 ? 0 : _id(jobId, c.parent));
        (v.fence, v.provider, v.pricePerStep) = (c.fence, record.provider, record.price);
        (v.step, v.steps, v.offSchedule) = (c.step, c.steps, c.offSchedule);
        (v.committedAt, v.decidedAt) = (c.committedAt, c.decidedAt);
        v.pay = uint256(c.steps) * record.price - (c.offSchedule ? ROUND_FEES * job.verifierFee : 0);
        // forge-lint: disable-next-line(unsafe-typecast)
        v.judgeable = c.status == CheckpointStatus.Pending && uint32(checkpointId) == queue.cursor;
        if (v.judgeable) v.judgeableAt = queue.judgeableAt;
        // forge-lint: disable-next-line(unsafe-typecast)
        (v.status, v.maturesAt) = _status(jobId, uint32(checkpointId), c, job);
        for (uint256 i = 0; i < c.votes.count(); ++i) {
            (uint256 member,, Outcome outcome, bool metTarget) = c.votes.get(i);
            v.votes[i] = VoteView(IJobs(jobs).memberOf(jobId, member).verifier, uint8(outcome), metTarget);
        }
    }

    /// @inheritdoc ILens
    function getCheckpoints(uint256 jobId, uint32 from, uint32 n) external view returns (CheckpointView[] memory v) {
        uint256 count = IJobs(jobs).queueOf(jobId).count;
        if (from == 0 || from > count) return v;
        uint256 size = count - from + 1 < n ? count - from + 1 : n;
        v = new CheckpointView[](size);
        for (uint256 i = 0; i < size; ++i) {
            v[i] = getCheckpoint(_id(jobId, from + i));
        }
    }

    /// @inheritdoc ILens
    function getQueue(uint256 jobId) external view returns (QueueView memory v) {
        Queue memory queue = IJobs(jobs).queueOf(jobId);
        (v.headId, v.headStep) = (queue.head == 0 ? 0 : _id(jobId, queue.head), queue.headStep);
        (v.tipId, v.tipStep) = (queue.tail == 0 ? 0 : _id(jobId, queue.tail), queue.tailStep);
        v.count = queue.count;
        v.pending = new uint256[](queue.pending);
        if (queue.pending == 0) return v;
        (v.judgingId, v.judgeableAt) = (_id(jobId, queue.cursor), queue.judgeableAt);
        uint256 found;
        for (uint256 i = queue.cursor; found < queue.pending; ++i) {
            (Checkpoint memory c,) = IJobs(jobs).checkpointRecord(_id(jobId, i));
            if (c.status == CheckpointStatus.Pending) v.pending[found++] = _id(jobId, i);
        }
    }

    /// @inheritdoc ILens
    function nextStep(uint256 parentId) external view returns (uint32) {
        Job memory job = _job(parentId >> 32);
        uint256 step;
        // forge-lint: disable-next-line(unsafe-typecast)
        if (uint32(parentId) != 0) {
            (Checkpoint memory c,) = IJobs(jobs).checkpointRecord(parentId);
            step = c.step;
        }
        return uint32(LeaseLib.dueStep(step, job.checkpointInterval, job.totalSteps));
    }

    // ----- seats -----------------------------------------------------------------------------------------------------

    /// @inheritdoc ILens
    function getSeats(uint256 jobId) external view returns (SeatsView memory v) {
        Job memory job = _job(jobId);
        Panel memory panel = IJobs(jobs).panelOf(jobId);
        (v.drawn, v.replacing, v.anchorBlock) = (panel.drawn, panel.replacing, _anchorBlock(jobId, panel));
        v.callable = v.anchorBlock != 0 && block.number > v.anchorBlock && (panel.drawn || job.status == JobStatus.Open);
        if (!panel.drawn) return v;
        for (uint256 seat = 0; seat < SEATS; ++seat) {
            Member memory member = IJobs(jobs).memberOf(jobId, panel.seats[seat]);
            (v.seats[seat].verifier, v.seats[seat].verifierId) = (member.verifier, member.verifierId);
            (bool voted, bool silent) = _silent(jobId, job, seat, member, job.verdictTimeout);
            v.seats[seat].voted = voted;
            v.seats[seat].replaceable = panel.replacing == 0 && (silent || REGISTRY.isLeaving(member.verifierId));
        }
    }

    // ----- shared ----------------------------------------------------------------------------------------------------

    function _job(uint256 jobId) private view returns (Job memory job) {
        job = IJobs(jobs).jobRecord(jobId);
    }

    function _id(uint256 jobId, uint256 index) private pure returns (uint256) {
        return (jobId << 32) | index;
    }

    function _judgedUntil(Job memory job, Ledger memory ledger) private pure returns (uint256) {
        return ledger.closedAt + CLOSING_TIMEOUTS * job.verdictTimeout;
    }

    function _judgingOver(uint256 jobId, Job memory job) private view returns (bool) {
        return job.status == JobStatus.Closing && block.timestamp >= _judgedUntil(job, IJobs(jobs).ledgerOf(jobId));
    }

    /// @dev The clock with what time alone has done to it, why the lease ended, and since when the auction runs.
    function _clock(uint256 jobId, Job memory job)
        private
        view
        returns (LeaseClock memory clock, EndCause cause, uint40 openSince)
    {
        clock = IJobs(jobs).clockOf(jobId);
        if (!clock.live) return (clock, IJobs(jobs).leaseRecord(jobId, clock.fence).cause, clock.openSince);
        (cause, openSince) = LeaseLib.passiveEnd(clock, job.segmentTimeout);
        if (block.timestamp < openSince) return (clock, EndCause.None, 0);
        clock.live = false;
        if (job.cancelled || job.contested) cause = EndCause.JobClosed;
    }

    /// @dev A cool-down that begins with a passive end which no call has seen yet.
    function _unseenCoolDown(uint256 jobId, Job memory job) private view returns (uint40) {
        if (!IJobs(jobs).clockOf(jobId).live) return 0;
        (LeaseClock memory clock,, uint40 endedAt) = _clock(jobId, job);
        return clock.live ? 0 : endedAt + REGISTRY.limits().longCoolDown;
    }

    function _barred(uint256 jobId, Job memory job, address provider, bytes32[] calldata proof)
        private
        view
        returns (AcquireBlock)
    {
        (uint64 price, address payout) = REGISTRY.offer(provider);
        if (price == 0) return AcquireBlock.NotOffering;
        if (provider == job.client || payout == job.client) return AcquireBlock.IsClient;
        if (IJobs(jobs).standingOf(jobId, provider).barred) return AcquireBlock.Barred;
        if (job.restricted) {
            (,, bytes32 root) = IJobs(jobs).jobHashes(jobId);
            bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(provider))));
            if (!MerkleProof.verifyCalldata(proof, root, leaf)) return AcquireBlock.NotEligible;
        }
        Panel memory panel = IJobs(jobs).panelOf(jobId);
        for (uint256 seat = 0; seat < SEATS && panel.drawn; ++seat) {
            address verifier = IJobs(jobs).memberOf(jobId, panel.seats[seat]).verifier;
            if (verifier == provider || verifier == payout) return AcquireBlock.SeatedVerifier;
        }
        return AcquireBlock.None;
    }

    function _fundsAndSeats(uint256 jobId, Job memory job, address provider) private view returns (AcquireBlock) {
        Balance memory account = ESCROW.balanceOf(provider);
        if (uint256(account.bond) - account.reserved < RESERVED_FEES * job.verifierFee) {
            return AcquireBlock.BondTooSmall;
        }
        Panel memory panel = IJobs(jobs).panelOf(jobId);
        if (panel.drawn) return AcquireBlock.None;
        DrawRequest memory request = _drawRequest(jobId, job, provider, SEATS);
        if (_anchorBlock(jobId, panel) != 0) {
            if (blockhash(_anchorBlock(jobId, panel)) == 0) return AcquireBlock.NoCommittee;
            // This lease would draw the committee as it was at the anchor.
            _asAtAnchor(jobId, panel, request);
        }
        (uint256 eligible,) = REGISTRY.countEligible(request);
        return eligible < SEATS ? AcquireBlock.NoCommittee : AcquireBlock.None;
    }

    /// @dev The block whose hash the next draw waits for; 0: none.
    function _anchorBlock(uint256 jobId, Panel memory panel) private view returns (uint40) {
        if (panel.drawn || panel.anchorBlock != 0) return panel.anchorBlock;
        return IJobs(jobs).clockOf(jobId).markedBlock;
    }

    function _asAtAnchor(uint256 jobId, Panel memory panel, DrawRequest memory request) private view {
        LeaseClock memory clock = IJobs(jobs).clockOf(jobId);
        bool later = panel.anchorBlock != 0;
        (request.anchorTime, request.rosterSize) =
            later ? (panel.anchorTime, panel.rosterSize) : (clock.acquiredAt, clock.rosterSize);
        request.holder = IJobs(jobs).leaseRecord(jobId, later ? panel.anchorFence : clock.fence).provider;
    }

    function _drawRequest(uint256 jobId, Job memory job, address holder, uint256 seats)
        private
        view
        returns (DrawRequest memory request)
    {
        (request.jobId, request.templateId, request.fee) = (jobId, job.templateId, job.verifierFee);
        (request.client, request.holder, request.seats) = (job.client, holder, seats);
        uint256 members = IJobs(jobs).panelOf(jobId).memberCount;
        request.members = new address[](members);
        for (uint256 i = 0; i < members; ++i) {
            request.members[i] = IJobs(jobs).memberOf(jobId, i).verifier;
        }
    }

    function _status(uint256 jobId, uint32 index, Checkpoint memory c, Job memory job)
        private
        view
        returns (CheckpointStatus status, uint40 maturesAt)
    {
        Ledger memory ledger = IJobs(jobs).ledgerOf(jobId);
        status = c.status;
        // forge-lint: disable-next-line(unsafe-typecast)
        if (status == CheckpointStatus.Refused) return (status, uint40(c.decidedAt + APPEAL_WINDOW));
        if (status == CheckpointStatus.Pending && job.status == JobStatus.Closing) {
            if (block.timestamp >= _judgedUntil(job, ledger)) status = CheckpointStatus.Void;
        }
        if (status != CheckpointStatus.Accepted) return (status, 0);
        uint40 from = c.decidedAt;
        if (!job.contested && ledger.contestedAt > from && index > ledger.maturedThrough) from = ledger.contestedAt;
        if (index < ledger.payCursor) return (CheckpointStatus.Paid, from + job.disputeWindow);
        bool beyond = ledger.contestedFrom != 0 && index >= ledger.contestedFrom;
        if (beyond && ledger.cut) return (CheckpointStatus.Cut, 0);
        if (beyond) return (status, 0);
        if (index <= ledger.maturedThrough) return (status, uint40(block.timestamp));
        return (status, from + job.disputeWindow);
    }

    function _silent(uint256 jobId, Job memory job, uint256 seat, Member memory member, uint256 timeout)
        private
        view
        returns (bool voted, bool silent)
    {
        Queue memory queue = IJobs(jobs).queueOf(jobId);
        if (queue.pending == 0) return (false, false);
        (Checkpoint memory c,) = IJobs(jobs).checkpointRecord(_id(jobId, queue.cursor));
        voted = c.votes.hasSeat(seat);
        uint256 since = member.seatedAt > queue.judgeableAt ? member.seatedAt : queue.judgeableAt;
        silent = !voted && block.timestamp >= since + timeout && !_judgingOver(jobId, job);
    }

    function _abandoned(uint256 jobId, Job memory job) private view returns (bool) {
        Panel memory panel = IJobs(jobs).panelOf(jobId);
        if (!panel.drawn) return false;
        uint256 silent;
        for (uint256 seat = 0; seat < SEATS; ++seat) {
            Member memory member = IJobs(jobs).memberOf(jobId, panel.seats[seat]);
            (, bool is_) = _silent(jobId, job, seat, member, SILENT_TIMEOUTS * job.verdictTimeout);
            if (is_) ++silent;
        }
        if (silent < THRESHOLD) return false;
        address holder = IJobs(jobs).leaseRecord(jobId, IJobs(jobs).clockOf(jobId).fence).provider;
        (uint256 eligible,) = REGISTRY.countEligible(_drawRequest(jobId, job, holder, 1));
        return eligible == 0;
    }
}
