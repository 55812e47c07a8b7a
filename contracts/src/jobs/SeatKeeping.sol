// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {VotesLib} from "../libraries/VotesLib.sol";
import "../libraries/Constants.sol";
import "../Types.sol";
import {JobsBase} from "./JobsBase.sol";

/// @title SeatKeeping
/// @notice Three judges per job, drawn by the hash of an anchor block and seated for the job's whole life.
abstract contract SeatKeeping is JobsBase {
    using VotesLib for uint48;

    function _requireSeated(uint256 jobId, JobState storage s) internal {
        if (s.panel.drawn) return;
        Panel memory panel = _anchoredPanel(s);
        if (block.number <= panel.anchorBlock) revert AnchorTooRecent(panel.anchorBlock);
        if (!_seatAll(jobId, s, panel)) revert NotSeated(jobId);
    }

    /// @dev The panel, with the anchor that the first lease has set while no later one replaced it.
    function _anchoredPanel(JobState storage s) internal view returns (Panel memory panel) {
        panel = _panel(s);
        if (panel.drawn || panel.anchorBlock != 0) return panel;
        LeaseClock memory clock = _clock(s);
        // Nobody but the first lease's holder can have been there: the second acquire needs the committee.
        (panel.anchorBlock, panel.anchorTime) = (clock.markedBlock, clock.acquiredAt);
        (panel.rosterSize, panel.anchorFence) = (clock.rosterSize, clock.fence);
    }

    /// @dev Draws the committee if it can be drawn now.
    function _seatAll(uint256 jobId, JobState storage s, Panel memory panel) internal returns (bool) {
        bytes32 hash = blockhash(panel.anchorBlock);
        if (panel.drawn || panel.anchorBlock == 0 || block.number <= panel.anchorBlock || hash == 0) return false;
        Member[] memory members = _registry().draw(_request(jobId, s, hash, panel, SEATS));
        if (members.length == 0) return false;

        address[3] memory verifiers;
        for (uint256 i = 0; i < SEATS; ++i) {
            s.members[i] = members[i];
            verifiers[i] = members[i].verifier;
        }
        s.panel.seats = [0, 1, 2];
        // forge-lint: disable-next-line(unsafe-typecast)
        s.panel.memberCount = uint8(SEATS);
        s.panel.drawn = true;
        s.panel.anchorBlock = 0;
        // The first commit and the first payout find their slots in use, so that they cost what later ones do.
        s.queue.cursor = 1;
        s.ledger.payCursor = 1;
        emit CommitteeSeated(jobId, verifiers);
        return true;
    }

    /// @return seated, the seat, and the member's index.
    function _seatOf(JobState storage s, address verifier) internal view returns (bool, uint256 seat, uint256 member) {
        if (verifier == address(0)) return (false, 0, 0);
        for (; seat < SEATS; ++seat) {
            member = s.panel.seats[seat];
            if (s.members[member].verifier == verifier) return (true, seat, member);
        }
        return (false, 0, 0);
    }

    /// @dev Until when a closed job's pending checkpoints are judged.
    function _judgedUntil(JobState storage s) internal view returns (uint256) {
        return s.ledger.closedAt + CLOSING_TIMEOUTS * s.job.verdictTimeout;
    }

    /// @dev The job is closed and what still waits in it will not be judged any more.
    function _judgingOver(JobState storage s) internal view returns (bool) {
        return s.job.status == JobStatus.Closing && block.timestamp >= _judgedUntil(s);
    }

    /// @dev The seat has had `timeout` for the checkpoint being judged, may still vote on it and has not.
    function _silent(JobState storage s, uint256 seat, uint256 timeout) internal view returns (bool) {
        if (s.queue.pending == 0 || _judgingOver(s)) return false;
        if (s.checkpoints[s.queue.cursor].votes.hasSeat(seat)) return false;
        uint256 since = s.members[s.panel.seats[seat]].seatedAt;
        if (s.queue.judgeableAt > since) since = s.queue.judgeableAt;
        return block.timestamp >= since + timeout;
    }

    /// @dev Nobody could be drawn now for a seat of this job.
    function _nobodyToReplace(uint256 jobId, JobState storage s) internal view returns (bool) {
        Panel memory panel = _panel(s);
        panel.anchorFence = s.clock.fence;
        if (panel.memberCount == type(uint8).max) return true;
        panel.anchorTime = 0;
        (uint256 eligible,) = _registry().countEligible(_request(jobId, s, 0, panel, 1));
        return eligible == 0;
    }

    /// @dev Sets the anchor of a later draw. From here nothing that anyone does changes whom its hash will draw.
    function _anchor(uint256 jobId, JobState storage s, uint32 fence, uint8 seat, uint256 needed) internal {
        Panel memory panel = _panel(s);
        panel.anchorFence = fence;
        panel.rosterSize = _rosterWith(jobId, s, panel, needed);
        panel.anchorBlock = uint40(block.number);
        panel.anchorTime = _now();
        s.panel = panel;
        emit SeatsAnchored(jobId, seat, panel.anchorBlock, panel.rosterSize);
    }

    /// @return size of the roster, in which `needed` verifiers are eligible now.
    function _rosterWith(uint256 jobId, JobState storage s, Panel memory panel, uint256 needed)
        internal
        view
        returns (uint16 size)
    {
        uint256 eligible;
        panel.anchorTime = 0;
        (eligible, size) = _registry().countEligible(_request(jobId, s, 0, panel, needed));
        if (eligible < needed) revert NoCommittee(eligible, needed);
    }

    function _request(uint256 jobId, JobState storage s, bytes32 hash, Panel memory panel, uint256 seats)
        internal
        view
        returns (DrawRequest memory request)
    {
        request.jobId = jobId;
        request.seed = keccak256(abi.encode(hash, address(this), jobId));
        request.anchorTime = panel.anchorTime;
        request.rosterSize = panel.rosterSize;
        request.templateId = s.job.templateId;
        request.fee = s.job.verifierFee;
        request.client = s.job.client;
        request.holder = s.leases[panel.anchorFence].provider;
        request.seats = seats;
        request.members = new address[](panel.memberCount);
        for (uint256 i = 0; i < panel.memberCount; ++i) {
            request.members[i] = s.members[i].verifier;
        }
    }
}
