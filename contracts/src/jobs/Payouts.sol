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

    /// @dev What one `payOut` has gathered and not yet credited.
    struct Batch {
        uint256 jobId;
        uint256 fee;
        address provider;
        address payout;
        uint256 pay;
        uint256 total;
        address[] members;
        uint256[] fees;
    }

    /// @inheritdoc ISettlement
    function payOut(uint256 jobId, uint256 max) external {
        if (max > MAX_BATCH) revert BatchTooLarge(max, MAX_BATCH);
        JobState storage s = _jobs[jobId];
        JobStatus status = s.job.status;
        if (status == JobStatus.None) revert UnknownJob(jobId);
        if (status == JobStatus.Settled) revert WrongStatus(jobId, uint8(status));

        bool expired = status == JobStatus.Closing && s.queue.pending != 0 && block.timestamp >= _judgedUntil(s);
        if (expired) _voidPending(jobId, s);
        (uint256 visited, bool all) = _payMature(jobId, s, max);
        bool settles = all && status != JobStatus.Open && !s.job.contested && s.queue.pending == 0;
        if (settles) _settle(jobId, s, status);
        else if (visited == 0 && !expired) revert NothingToPay(jobId);
    }

    /// @inheritdoc ISettlement
    function close(uint256 jobId) external {
        JobState storage s = _jobs[jobId];
        _requireStatus(jobId, JobStatus.Open);
        LeaseClock memory clock = _endIfOver(jobId, s);
        bool drained = s.job.cancelled && !clock.live;
        bool late = block.timestamp >= uint256(s.job.deadline) + s.job.gracePeriod;
        if (!drained && (s.job.contested || !(late || _abandoned(jobId, s)))) revert NotClosable(jobId);
        _close(jobId, s, clock);
    }

    // ----- shared ----------------------------------------------------------------------------------------------------

    function _close(uint256 jobId, JobState storage s, LeaseClock memory clock) internal {
        if (clock.live) _endLease(jobId, s, clock, EndCause.JobClosed, _now());
        s.job.status = JobStatus.Closing;
        s.ledger.closedAt = _now();
        emit JobClosing(jobId, uint40(_judgedUntil(s)));
    }

    // ----- paying ----------------------------------------------------------------------------------------------------

    /// @return visited checkpoints paid or passed over. @return all nothing decided is left to pay.
    function _payMature(uint256 jobId, JobState storage s, uint256 max) private returns (uint256 visited, bool all) {
        Ledger memory ledger = _ledger(s);
        uint256 first = ledger.payCursor == 0 ? 1 : ledger.payCursor;
        // Under a dispute, and for good after a cut, everything from `contestedFrom` on stays unpaid.
        uint256 end = ledger.contestedFrom == 0 ? s.queue.cursor : ledger.contestedFrom;
        if (end == 0) end = 1;
        if (first == end) return (0, true);
        Batch memory batch = _newBatch(jobId, s);
        uint256 i = first;
        for (; i < end && i - first < max; ++i) {
            Checkpoint memory checkpoint = _checkpoint(s, i);
            if (checkpoint.status != CheckpointStatus.Accepted) continue;
            if (i > ledger.maturedThrough && block.timestamp < checkpoint.decidedAt + s.job.disputeWindow) break;
            _payOne(s, batch, i, checkpoint);
        }
        (visited, all) = (i - first, i == end);
        if (visited == 0) return (0, false);
        _flushPay(batch);
        for (uint256 m = 0; m < batch.fees.length; ++m) {
            _escrow().credit(jobId, batch.members[m], batch.fees[m], CreditKind.VerifierFee);
        }
        // forge-lint: disable-next-item(unsafe-typecast)
        (s.ledger.payCursor, s.ledger.providerPay) = (uint32(i), uint64(ledger.providerPay + batch.total));
    }

    function _newBatch(uint256 jobId, JobState storage s) private view returns (Batch memory batch) {
        (batch.jobId, batch.fee) = (jobId, s.job.verifierFee);
        uint256 members = s.panel.memberCount;
        (batch.members, batch.fees) = (new address[](members), new uint256[](members));
        for (uint256 m = 0; m < members; ++m) {
            batch.members[m] = s.members[m].verifier;
        }
    }

    function _payOne(JobState storage s, Batch memory batch, uint256 index, Checkpoint memory checkpoint) private {
        LeaseRecord memory record = _lease(s, checkpoint.fence);
        if (record.provider != batch.provider) {
            _flushPay(batch);
            (batch.provider, batch.payout) = (record.provider, _registry().payoutOf(record.provider));
        }
        uint256 pay = _payOf(s, checkpoint, record);
        batch.pay += pay;
        batch.total += pay;
        address[3] memory voters;
        for (uint256 v = 0; v < checkpoint.votes.count(); ++v) {
            (uint256 member,, Outcome outcome,) = checkpoint.votes.get(v);
            if (outcome != Outcome.Accept) continue;
            voters[v] = batch.members[member];
            batch.fees[member] += batch.fee;
        }
        emit CheckpointPaid(_id(batch.jobId, index), batch.payout, pay, batch.fee, voters);
    }

    function _flushPay(Batch memory batch) private {
        _escrow().credit(batch.jobId, batch.payout, batch.pay, CreditKind.ProviderPay);
        batch.pay = 0;
    }

    // ----- ends ------------------------------------------------------------------------------------------------------

    function _settle(uint256 jobId, JobState storage s, JobStatus status) private {
        s.job.status = JobStatus.Settled;
        uint256 providerPay = s.ledger.providerPay;
        uint256 fee;
        if (status == JobStatus.Completed && s.ledger.metTarget) {
            fee = TermsLib.protocolFee(providerPay);
            _escrow().credit(jobId, _treasury(s), fee, CreditKind.ProtocolFee);
        }
        if (s.panel.drawn) _dismissSeats(jobId, s, s.job.cancelFeeDue && s.queue.head == 0 && !s.ledger.cut);
        (uint256 refund, uint256 budget) = _escrow().refund(jobId, s.job.client);
        emit JobSettled(jobId, providerPay, budget - refund - providerPay - fee, fee, refund);
    }

    function _dismissSeats(uint256 jobId, JobState storage s, bool payRound) private {
        uint16[] memory ids = new uint16[](SEATS);
        for (uint256 seat = 0; seat < SEATS; ++seat) {
            Member memory member = _member(s, s.panel.seats[seat]);
            ids[seat] = member.verifierId;
            if (payRound) _escrow().credit(jobId, member.verifier, s.job.verifierFee, CreditKind.CancelFee);
        }
        _registry().leaveSeats(ids);
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
