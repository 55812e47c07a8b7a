// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {StdInvariant} from "forge-std/StdInvariant.sol";
import {Test, console} from "forge-std/Test.sol";
import {IEscrow} from "src/interfaces/IEscrow.sol";
import {IJobs} from "src/interfaces/IJobs.sol";
import {ILens} from "src/interfaces/ILens.sol";
import "src/Types.sol";
import {World} from "./World.sol";

/// @notice What must always hold; numbered as in README.md beside this file.
contract InvariantsTest is StdInvariant, Test {
    World private world;
    IEscrow private escrow;
    IJobs private jobs;
    ILens private lens;

    function setUp() external {
        world = new World();
        world.setUp();
        (escrow, jobs, lens) = world.protocol();
        bytes4[] memory s = new bytes4[](22);
        s[0] = World.postAJob.selector;
        s[1] = World.cancelAJob.selector;
        s[2] = World.disputeACheckpoint.selector;
        s[3] = World.acquireALease.selector;
        s[4] = World.renewOrRelease.selector;
        s[5] = World.commitACheckpoint.selector;
        s[6] = World.appealARefusal.selector;
        s[7] = World.castAVote.selector;
        s[8] = World.evictAHolder.selector;
        s[9] = World.seatACommittee.selector;
        s[10] = World.replaceASeat.selector;
        s[11] = World.leaveOrReturn.selector;
        s[12] = World.rule.selector;
        s[13] = World.payAnyone.selector;
        s[14] = World.closeAJob.selector;
        s[15] = World.settleAndRelease.selector;
        s[16] = World.withdrawAll.selector;
        s[17] = World.passTime.selector;
        // What moves a job on comes up more often.
        s[18] = World.acquireALease.selector;
        s[19] = World.commitACheckpoint.selector;
        s[20] = World.castAVote.selector;
        s[21] = World.castAVote.selector;
        targetContract(address(world));
        targetSelector(FuzzSelector(address(world), s));
    }

    /// @dev One function for all, so that every call sequence is checked against every invariant.
    function invariant_All() external view {
        assertEq(world.broken(), "", "watched while acting");
        _1_solvent();
        for (uint256 i = 0; i < world.jobsCount(); ++i) {
            uint256 jobId = world.jobIds(i);
            _2_everyUnitOfABudget(jobId);
            _4_oneChain(jobId);
            _8_liabilities(jobId);
            _9_feeOnSuccessOnly(jobId);
        }
        _5_onlyAcceptedIsPaid();
    }

    function _1_solvent() private view {
        (uint256 held, uint256 owed) = escrow.reserves();
        assertGe(held, owed, "1: held >= owed");
        uint256 sum;
        for (uint256 i = 0; i < world.peopleCount(); ++i) {
            sum += escrow.owedTo(world.people(i));
        }
        for (uint256 i = 0; i < world.jobsCount(); ++i) {
            (, uint256 locked) = escrow.budgetOf(world.jobIds(i));
            sum += locked;
        }
        assertEq(sum, owed, "1: the running total is the sum of its parts");
    }

    function _2_everyUnitOfABudget(uint256 jobId) private view {
        World.Book memory b = world.bookOf(jobId);
        (uint256 budget, uint256 locked) = escrow.budgetOf(jobId);
        assertEq(budget, b.budget, "2: the budget stays what it was");
        assertEq(b.credited + locked, budget, "2: credits and the rest make the budget");
        if (b.status == JobStatus.Settled) assertEq(locked, 0, "2: settled means spent");
        assertEq(b.providerPay, jobs.ledgerOf(jobId).providerPay, "2: the ledger agrees with the events");
    }

    function _4_oneChain(uint256 jobId) private view {
        Queue memory q = jobs.queueOf(jobId);
        uint256 steps;
        uint256 length;
        uint32 above = type(uint32).max;
        for (uint32 at_ = q.head; at_ != 0;) {
            (Checkpoint memory c,) = jobs.checkpointRecord((jobId << 32) | at_);
            assertEq(uint8(c.status), uint8(CheckpointStatus.Accepted), "4: the chain is accepted");
            assertLt(c.step, above, "4: steps rise");
            (above, steps) = (c.step, steps + c.steps);
            ++length;
            at_ = c.parent;
        }
        assertEq(steps, q.headStep, "4: steps owed are the head's step");
        Ledger memory ledger = jobs.ledgerOf(jobId);
        uint256 accepted;
        uint256 pending;
        for (uint32 i = 1; i <= q.count; ++i) {
            (Checkpoint memory c,) = jobs.checkpointRecord((jobId << 32) | i);
            if (c.status == CheckpointStatus.Pending) ++pending;
            if (c.status == CheckpointStatus.Accepted && !(ledger.cut && i >= ledger.contestedFrom)) ++accepted;
        }
        assertEq(accepted, length, "4: nothing is accepted beside the chain");
        assertEq(pending, q.pending, "4: the queue counts what waits");
        assertLe(pending, 9, "4: the queue is bounded");
    }

    function _5_onlyAcceptedIsPaid() private view {
        uint256[] memory paid = world.paidIds();
        for (uint256 i = 0; i < paid.length; ++i) {
            assertEq(
                uint8(lens.getCheckpoint(paid[i]).status), uint8(CheckpointStatus.Paid), "5: only accepted is paid"
            );
        }
    }

    function _8_liabilities(uint256 jobId) private view {
        Job memory job = jobs.jobRecord(jobId);
        Queue memory q = jobs.queueOf(jobId);
        Ledger memory ledger = jobs.ledgerOf(jobId);
        (, uint256 locked) = escrow.budgetOf(jobId);
        if (job.status == JobStatus.Settled) return;
        uint256 pay;
        uint256 rounds;
        for (uint32 i = ledger.payCursor; i != 0 && i <= q.count; ++i) {
            (Checkpoint memory c,) = jobs.checkpointRecord((jobId << 32) | i);
            if (c.status != CheckpointStatus.Accepted || (ledger.cut && i >= ledger.contestedFrom)) continue;
            pay += uint256(c.steps) * jobs.leaseRecord(jobId, c.fence).price;
            if (!c.offSchedule) ++rounds;
        }
        if (job.status == JobStatus.Open) {
            // What may still come: every step left at the highest price, every scheduled checkpoint left.
            pay += uint256(job.totalSteps - q.headStep) * job.maxPricePerStep;
            rounds += (job.totalSteps + job.checkpointInterval - 1) / job.checkpointInterval - q.headStep
                / job.checkpointInterval;
        }
        uint256 fee = (ledger.providerPay + pay) * 800 / 10_000;
        assertLe(pay + rounds * 3 * job.verifierFee + fee, locked, "8: liabilities within the locked budget");
    }

    function _9_feeOnSuccessOnly(uint256 jobId) private view {
        World.Book memory b = world.bookOf(jobId);
        if (b.protocolFee == 0) return;
        assertTrue(b.completedWithTarget && !b.wasCut, "9: no fee unless completed with its target");
        assertEq(b.protocolFee, b.providerPay * 800 / 10_000, "9: eight percent");
    }

    /// @dev 10: from every state that a run reached, time and permissionless calls pay everybody out.
    function afterInvariant() external {
        world.driveToTheEnd();
        assertEq(world.broken(), "", "watched while driving");
        for (uint256 i = 0; i < world.jobsCount(); ++i) {
            uint256 jobId = world.jobIds(i);
            assertEq(uint8(jobs.jobRecord(jobId).status), uint8(JobStatus.Settled), "10: settled");
            (, uint256 locked) = escrow.budgetOf(jobId);
            assertEq(locked, 0, "10: nothing locked");
            _2_everyUnitOfABudget(jobId);
        }
        for (uint256 i = 0; i < world.peopleCount(); ++i) {
            assertEq(escrow.balanceOf(world.people(i)).reserved, 0, "10: nothing reserved");
        }
        _1_solvent();
    }
}
