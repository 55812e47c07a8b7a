// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {LeaseLib} from "../src/libraries/LeaseLib.sol";
import "../src/libraries/Constants.sol";

// What the SMTChecker is asked to prove, one claim a contract: for every input within the bounds of the terms, no arithmetic over- or
// underflows and the assertion holds. Run by `npm run smt`; nothing of this is deployed or tested elsewhere.

/// @dev The worst case of any terms fits a uint64 budget, and its parts never overflow. (The library reads calldata, which the checker does
/// not follow; its formula stands here again, and `test/fuzz` holds the two together.)
contract WorstCase {
    function prove(uint256 steps, uint256 price, uint256 interval, uint256 fee) external pure {
        require(steps >= 1 && steps <= MAX_STEPS && price >= 1 && price <= MAX_PRICE);
        require(interval >= 1 && interval <= steps && fee <= MAX_VERIFIER_FEE);
        uint256 work = steps * price;
        uint256 rounds = (steps + interval - 1) / interval;
        uint256 worst = work + work * FEE_BPS / BPS + rounds * ROUND_FEES * fee;
        assert(worst >= work);
        assert(worst <= type(uint64).max);
    }
}

/// @dev The protocol fee is never more than what it is taken of, nor than 8 %.
contract ProtocolFee {
    function prove(uint256 pay) external pure {
        require(pay <= type(uint64).max);
        uint256 fee = pay * FEE_BPS / BPS;
        assert(fee <= pay);
        assert(fee * BPS <= pay * FEE_BPS);
    }
}

/// @dev The ceiling of the auction never passes the maximum, and starts at nothing.
contract PriceCeiling {
    function prove(uint256 openSince, uint256 time, uint256 ramp, uint256 maxPrice) external pure {
        require(openSince <= time && time <= type(uint40).max && ramp <= MAX_AUCTION_RAMP && maxPrice <= MAX_PRICE);
        uint256 ceiling = LeaseLib.priceCeiling(openSince, time, ramp, maxPrice);
        assert(ceiling <= maxPrice);
        assert(time != openSince || ramp == 0 || ceiling == 0);
    }
}

/// @dev The ceiling never falls while nobody takes the job.
contract PriceCeilingRises {
    function prove(uint256 earlier, uint256 later, uint256 ramp, uint256 maxPrice) external pure {
        require(earlier <= later && later <= type(uint40).max && ramp <= MAX_AUCTION_RAMP && maxPrice <= MAX_PRICE);
        assert(LeaseLib.priceCeiling(0, earlier, ramp, maxPrice) <= LeaseLib.priceCeiling(0, later, ramp, maxPrice));
    }
}

/// @dev Before the last step, the next step that is due lies ahead, at most an interval, and not past the end. So steps are paid once.
contract DueStep {
    function prove(uint256 parent, uint256 interval, uint256 total) external pure {
        require(total >= 1 && total <= MAX_STEPS && interval >= 1 && interval <= total && parent < total);
        uint256 due = LeaseLib.dueStep(parent, interval, total);
        assert(due > parent);
        assert(due <= total);
        assert(due - parent <= interval);
    }
}

/// @dev At the last step nothing is due: the next step is the parent's own, which a commit may not name.
contract DueStepAtTheEnd {
    function prove(uint256 interval, uint256 total) external pure {
        require(total >= 1 && total <= MAX_STEPS && interval >= 1 && interval <= total);
        assert(LeaseLib.dueStep(total, interval, total) == total);
    }
}

/// @dev The six fees that a lease reserves cover all that can be taken from it: a squat or a round, and one round of a refusal.
contract Reservation {
    function prove(uint256 fee, bool squat, bool first, bool second, bool third) external pure {
        require(fee <= MAX_VERIFIER_FEE);
        uint256 held = RESERVED_FEES * fee;
        if (squat) held -= ROUND_FEES * fee;
        if (first) held -= fee;
        if (second) held -= fee;
        if (third) held -= fee;
        assert(held <= RESERVED_FEES * fee);
    }
}

/// @dev A challenge's bond fits its uint64, and its two halves are the whole.
contract ChallengeBond {
    function prove(uint256 unpaid) external pure {
        require(unpaid <= type(uint64).max);
        uint256 share = unpaid * CHALLENGE_BPS / BPS;
        uint256 bond = share < MIN_CHALLENGE_BOND ? MIN_CHALLENGE_BOND : share;
        assert(bond <= type(uint64).max);
        assert(bond / 2 + (bond - bond / 2) == bond);
    }
}

/// @dev An off-schedule checkpoint pays its round of fees out of its own pay.
contract OffSchedule {
    function prove(uint256 steps, uint256 price, uint256 fee) external pure {
        require(steps <= MAX_STEPS && price <= MAX_PRICE && fee <= MAX_VERIFIER_FEE);
        uint256 pay = steps * price;
        uint256 round = ROUND_FEES * fee;
        require(pay >= round);
        uint256 net = pay - round;
        assert(net + round == pay);
    }
}

/// @dev All that is owed for accepted work stays within the worst case that was locked: paying every step at no more than the maximum,
/// one round for every scheduled checkpoint (an off-schedule one pays its own), and the fee on what was paid.
contract WithinTheBudget {
    function prove(uint256 steps, uint256 paidSteps, uint256 price, uint256 maxPrice) external pure {
        require(steps <= MAX_STEPS && paidSteps <= steps && price <= maxPrice && maxPrice <= MAX_PRICE);
        uint256 pay = paidSteps * price;
        uint256 most = steps * maxPrice;
        assert(pay <= most);
        assert(pay + pay * FEE_BPS / BPS <= most + most * FEE_BPS / BPS);
    }
}
