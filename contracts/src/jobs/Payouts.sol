// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ISettlement} from "../interfaces/ISettlement.sol";
import {TermsLib} from "../libraries/TermsLib.sol";
import {VotesLib} from "../libraries/VotesLib.sol";
import "../libraries/Constants.sol";
import "../Types.sol";
import {Refusals} from "./Refusals.sol";

/// @title Payouts
/// @notice Pays mature checkpoints in chain order, closes and settles jobs.
abstract contract Payouts is Refusals {
    using VotesLib for uint48;

    /// @dev What one `payOut` gathers before it credits.
    struct Batch {
        uint256 jobId;
        uint256 fee;
        address provider;
        address payout;
        /// The present provider's, not yet among the credits.
        uint256 pay;
        uint256 totalPay;
        /// By member index, looked up when first needed.
        address[] members;
        uint256[] fees;
        Credit[] credits;
        uint256 count;
    }

    /// @inheritdoc ISettlement
    function payOut(uint256 jobId, uint256 max) external {
        if (max > MAX_BATCH) revert BatchTooLarge(max, MAX_BATCH);
        JobState storage s = _jobs[jobId];
        JobStatus status = s.job.status;
        if (status == JobStatus.None) revert UnknownJob(jobId);
        if (status == JobStatus.Settled) revert WrongStatus(jobId, uint8(status));

        bool expired = s.queue.pending != 0 && _judgingOver(s);
        if (expired) _voidPending(jobId, s);
        (Batch memory batch, uint256 visited, bool all) = _payMature(jobId, s, max);
        if (all && status != JobStatus.Open && !s.job.contested && s.queue.pending == 0) {
            _settle(jobId, s, batch, status);
        } else if (visited != 0) {
            _disburse(batch, address(0));
        } else if (!expired) {
            revert NothingToPay(jobId);
        }
    }

    /// @inheritdoc ISettlement
    function close(uint256 jobId) external {
        JobState storage s = _jobs[jobId];
        _requireStatus(jobId, JobStatus.Open);
        LeaseClock memory clock = _endIfOver(jobId, s);
        bool drained = s.job.cancelled && !clock.live;
        bool late = block.timestamp >= uint256(s.job.deadline) + s.job.gracePeriod;
        if (!drained && (s.job.contested || !(late || _abandoned(jobId, s)))) revert NotClosable(jobId);
        if (!s.job.cancelled) _oweRound(jobId, s);
        _close(jobId, s, clock);
    }

    /// @inheritdoc ISettlement
    function releaseSeats(uint256 jobId) external {
        JobState storage s = _jobs[jobId];
        Panel memory panel = _panel(s);
        uint16[] memory ids = new uint16[](panel.memberCount);
        uint256 released;
        for (uint256 i = 0; i < panel.memberCount; ++i) {
            Member memory member = _member(s, i);
            bool sits = i == panel.seats[0] || i == panel.seats[1] || i == panel.seats[2];
            if (member.left || (sits && s.job.status != JobStatus.Settled) || _voteIsOpen(s, i)) continue;
            s.members[i].left = true;
            ids[released++] = member.verifierId;
            emit SeatReleased(jobId, member.verifier);
        }
        if (released == 0) revert NoSeatToRelease(jobId);
        assembly ("memory-safe") {
            mstore(ids, released)
        }
        _registry().leaveSeats(ids);
    }

    /// @dev The member has voted on the checkpoint that is still being judged: its bond answers for that vote.
    function _voteIsOpen(JobState storage s, uint256 index) private view returns (bool) {
        if (s.queue.pending == 0) return false;
        uint48 votes = s.checkpoints[s.queue.cursor].votes;
        for (uint256 i = 0; i < votes.count(); ++i) {
            (uint256 member,,,) = votes.get(i);
            if (member == index) return true;
        }
        return false;
    }

    // ----- shared ----------------------------------------------------------------------------------------------------

    function _close(uint256 jobId, JobState storage s, LeaseClock memory clock) internal {
        if (clock.live) _endLease(jobId, s, clock, EndCause.JobClosed, _now());
        s.job.status = JobStatus.Closing;
        s.ledger.closedAt = _now();
        emit JobClosing(jobId, uint40(_judgedUntil(s)));
    }

    // ----- paying ----------------------------------------------------------------------------------------------------

    /// @return batch what is to be credited. @return visited checkpoints paid or passed over. @return all nothing decided is
    /// left to pay.
    function _payMature(uint256 jobId, JobState storage s, uint256 max)
        private
        returns (Batch memory batch, uint256 visited, bool all)
    {
        Ledger memory ledger = _ledger(s);
        // Under a dispute, and for good after a cut, everything from `contestedFrom` on stays unpaid.
        uint256 end = ledger.contestedFrom == 0 ? s.queue.cursor : ledger.contestedFrom;
        if (end - ledger.payCursor < max) max = end - ledger.payCursor;
        batch = _newBatch(jobId, s, max);
        for (; visited < max; ++visited) {
            uint256 i = ledger.payCursor + visited;
            Checkpoint memory checkpoint = _checkpoint(s, i);
            if (checkpoint.status != CheckpointStatus.Accepted) continue;
            if (i > ledger.maturedThrough && block.timestamp < _maturesAt(s, checkpoint)) break;
            _payOne(s, batch, i, checkpoint);
        }
        all = ledger.payCursor + visited == end;
        if (visited == 0) return (batch, visited, all);
        _flushPay(batch);
        for (uint256 m = 0; m < batch.fees.length; ++m) {
            _credit(batch, batch.members[m], batch.fees[m], CreditKind.VerifierFee);
        }
        // forge-lint: disable-next-item(unsafe-typecast)
        (s.ledger.payCursor, s.ledger.providerPay) =
        (uint32(ledger.payCursor + visited), uint64(ledger.providerPay + batch.totalPay));
    }

    function _newBatch(uint256 jobId, JobState storage s, uint256 max) private view returns (Batch memory batch) {
        (batch.jobId, batch.fee) = (jobId, s.job.verifierFee);
        uint256 members = s.panel.memberCount;
        (batch.members, batch.fees) = (new address[](members), new uint256[](members));
        // At most one provider per checkpoint, every member, the treasury, and three seats of a cancelled job.
        batch.credits = new Credit[](max + members + SEATS + 1);
    }

    function _payOne(JobState storage s, Batch memory batch, uint256 index, Checkpoint memory checkpoint) private {
        LeaseRecord memory record = _lease(s, checkpoint.fence);
        if (record.provider != batch.provider) {
            _flushPay(batch);
            (batch.provider, batch.payout) = (record.provider, _registry().payoutOf(record.provider));
        }
        uint256 pay = _payOf(s, checkpoint, record);
        batch.pay += pay;
        batch.totalPay += pay;
        address[3] memory voters;
        uint256 count = checkpoint.votes.count();
        for (uint256 v = 0; v < count; ++v) {
            (uint256 member,, Outcome outcome,) = checkpoint.votes.get(v);
            if (outcome != Outcome.Accept) continue;
            if (batch.members[member] == address(0)) batch.members[member] = s.members[member].verifier;
            voters[v] = batch.members[member];
            batch.fees[member] += batch.fee;
        }
        emit CheckpointPaid(_id(batch.jobId, index), batch.payout, pay, batch.fee, voters);
    }

    function _flushPay(Batch memory batch) private pure {
        _credit(batch, batch.payout, batch.pay, CreditKind.ProviderPay);
        batch.pay = 0;
    }

    function _credit(Batch memory batch, address account, uint256 amount, CreditKind kind) private pure {
        if (amount == 0) return;
        // The batch's amounts come from a budget, which is a uint64.
        // forge-lint: disable-next-line(unsafe-typecast)
        batch.credits[batch.count++] = Credit(account, uint80(amount), kind);
    }

    /// @dev Hands the escrow what was gathered, without the unused rest of the array.
    function _disburse(Batch memory batch, address refundTo) private returns (uint256 refund, uint256 budget) {
        Credit[] memory credits = batch.credits;
        uint256 count = batch.count;
        assembly ("memory-safe") {
            mstore(credits, count)
        }
        return _escrow().disburse(batch.jobId, credits, refundTo);
    }

    // ----- ends ------------------------------------------------------------------------------------------------------

    function _settle(uint256 jobId, JobState storage s, Batch memory batch, JobStatus status) private {
        s.job.status = JobStatus.Settled;
        uint256 providerPay = s.ledger.providerPay;
        uint256 fee;
        if (status == JobStatus.Completed && s.ledger.metTarget) {
            fee = TermsLib.protocolFee(providerPay);
            _credit(batch, _treasury(s), fee, CreditKind.ProtocolFee);
        }
        // A draw that led to nothing: one round, so that draws cannot be ground.
        if (s.job.cancelFeeDue && s.queue.count == 0) {
            for (uint256 seat = 0; seat < SEATS; ++seat) {
                address to = s.panel.drawn ? s.members[s.panel.seats[seat]].verifier : _treasury(s);
                _credit(batch, to, batch.fee, CreditKind.CancelFee);
            }
        }
        (uint256 refund, uint256 budget) = _disburse(batch, s.job.client);
        emit JobSettled(jobId, providerPay, budget - refund - providerPay - fee, fee, refund);
    }

    /// @dev Two seats silent for so long, and nobody to take their place.
    function _abandoned(uint256 jobId, JobState storage s) private view returns (bool) {
        uint256 silent;
        for (uint256 seat = 0; seat < SEATS; ++seat) {
            if (_silent(s, seat, SILENT_TIMEOUTS * s.job.verdictTimeout)) ++silent;
        }
        return silent >= THRESHOLD && _nobodyToReplace(jobId, s);
    }
}
