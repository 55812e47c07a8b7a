// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IEscrow} from "./interfaces/IEscrow.sol";
import {IJobs} from "./interfaces/IJobs.sol";
import {IRegistry} from "./interfaces/IRegistry.sol";
import {DrawLib} from "./libraries/DrawLib.sol";
import {TermsLib} from "./libraries/TermsLib.sol";
import {VerdictLib} from "./libraries/VerdictLib.sol";
import "./libraries/Constants.sol";
import "./Types.sol";

/// @title Registry
/// @notice See `IRegistry`.
contract Registry is IRegistry, Ownable2Step {
    using DrawLib for DrawLib.Shuffle;
    using VerdictLib for SignedVerdict;

    /// @dev What acquiring and paying read: one slot.
    struct ProviderSlot {
        address payout;
        uint32 pricePerStep;
        bool registered;
        bool accepting;
        uint40 exitAt;
        /// `_payouts` has a former wallet.
        bool payoutChanged;
    }

    struct FormerPayout {
        address payout;
        uint40 until;
    }

    struct ProviderText {
        bytes32 deviceHash;
        bytes32 encryptionKey;
        string name;
    }

    /// @dev All that a draw reads of a settled entry: one slot.
    struct VerifierSlot {
        address account;
        uint32 minFee;
        uint16 templateMask;
        uint32 activeFrom;
        VerifierStatus status;
        /// `VerifierMore` has a next fee and mask.
        bool changed;
    }

    struct VerifierMore {
        uint40 activeUntil;
        uint40 exitAt;
        uint24 seats;
        uint32 nextMinFee;
        uint16 nextTemplateMask;
        uint40 nextFrom;
        /// It was also eligible between these two, before the suspension that its present time follows.
        uint32 formerFrom;
        uint32 formerUntil;
    }

    struct VerifierText {
        bytes32 encryptionKey;
        string endpoint;
    }

    address public immutable escrow;
    address public immutable jobs;
    address public immutable court;
    uint64 public immutable minProviderBond;
    uint64 public immutable minVerifierBond;
    uint32 public immutable unbondingPeriod;
    uint32 public immutable drawDelay;

    Limits private _limits;
    // Mappings with a count instead of arrays: reading one saves the slot of the array's length.
    uint256 private _configCount;
    mapping(uint256 configId => Config) private _configs;
    uint256 public templateCount;
    mapping(uint256 templateId => Template) private _templates;
    mapping(bytes32 nameHash => uint256 idPlusOne) private _templateIds;

    address[] private _providers;
    mapping(address => ProviderSlot) private _provider;
    mapping(address => ProviderText) private _providerText;
    mapping(address => FormerPayout) private _formerPayout;

    /// @dev Entries are never moved: a draw depends on the order at its anchor.
    VerifierSlot[] private _roster;
    mapping(uint256 verifierId => VerifierMore) private _more;
    mapping(uint256 verifierId => VerifierText) private _text;
    mapping(address => uint256 idPlusOne) private _verifierIds;
    /// @dev Entries of verifiers that withdrew, to be reused, so that the roster never outgrows the bonds once held at a time.
    uint16[] private _vacant;

    modifier onlyProtocol() {
        if (msg.sender != jobs && msg.sender != court) revert NotAuthorized(msg.sender);
        _;
    }

    constructor(
        address owner_,
        address escrow_,
        address jobs_,
        address court_,
        Config memory config_,
        Limits memory limits_
    ) Ownable(owner_) {
        if (escrow_ == address(0) || jobs_ == address(0) || court_ == address(0)) {
            revert ZeroAddress();
        }
        escrow = escrow_;
        jobs = jobs_;
        court = court_;
        _limits = limits_;
        minProviderBond = limits_.minProviderBond;
        minVerifierBond = limits_.minVerifierBond;
        unbondingPeriod = limits_.unbondingPeriod;
        drawDelay = limits_.drawDelay;
        _nameConfig(config_);
    }

    /// @inheritdoc IRegistry
    function PROTOCOL_VERSION() external pure returns (uint256) {
        return PROTOCOL_VERSION_NUMBER;
    }

    // ----- owner -----------------------------------------------------------------------------------------------------

    /// @inheritdoc IRegistry
    function approveTemplate(string calldata name, uint64 minVerifierFee)
        external
        onlyOwner
        returns (uint8 templateId)
    {
        _checkLength(name, MAX_NAME_LENGTH);
        if (minVerifierFee > MAX_VERIFIER_FEE) revert FeeOutOfRange(minVerifierFee, MAX_VERIFIER_FEE);
        uint256 known = _templateIds[keccak256(bytes(name))];
        if (known == 0) {
            if (templateCount == MAX_TEMPLATES) revert TooManyTemplates();
            known = ++templateCount;
            _templateIds[keccak256(bytes(name))] = known;
        }
        // forge-lint: disable-next-line(unsafe-typecast)
        templateId = uint8(known - 1);
        _templates[templateId] = Template(name, minVerifierFee, true);
        emit TemplateApproved(templateId, name, minVerifierFee);
    }

    /// @inheritdoc IRegistry
    function revokeTemplate(uint8 templateId) external onlyOwner {
        if (templateId >= templateCount) revert UnknownTemplate(templateId);
        if (!_templates[templateId].approved) revert TemplateNotApproved(templateId);
        _templates[templateId].approved = false;
        emit TemplateRevoked(templateId);
    }

    /// @inheritdoc IRegistry
    function nameConfig(address arbiter, address treasury) external onlyOwner returns (uint16) {
        return _nameConfig(Config(arbiter, treasury));
    }

    function _nameConfig(Config memory config_) private returns (uint16 id) {
        if (config_.arbiter == address(0) || config_.treasury == address(0)) revert ZeroAddress();
        if (_configCount > type(uint16).max) revert UnknownConfig(type(uint16).max);
        _configs[_configCount++] = config_;
        id = configId();
        emit ConfigNamed(id, config_.arbiter, config_.treasury);
    }

    // ----- providers -------------------------------------------------------------------------------------------------

    /// @inheritdoc IRegistry
    function registerProvider(ProviderProfile calldata profile, address payout, uint64 bond) external {
        if (_provider[msg.sender].registered || _verifierIds[msg.sender] != 0) revert AlreadyRegistered(msg.sender);
        if (bond < minProviderBond) revert BondBelowMinimum(bond, minProviderBond);
        ProviderSlot storage p = _provider[msg.sender];
        if (p.payout == address(0)) {
            _providers.push(msg.sender);
            p.payout = payout == address(0) ? msg.sender : payout;
        } else if (payout != address(0) && payout != p.payout) {
            // Work from before may still be unpaid: its wallet outlives the registration and alone names another.
            revert NotPayout(msg.sender, p.payout);
        }
        (p.pricePerStep, p.registered, p.accepting, p.exitAt) = (_price(profile), true, true, 0);
        _describe(profile);
        emit ProviderRegistered(msg.sender, p.payout, profile);
        IEscrow(escrow).deposit(msg.sender, msg.sender, bond);
    }

    /// @inheritdoc IRegistry
    function updateProvider(ProviderProfile calldata profile) external {
        _registeredProvider(msg.sender).pricePerStep = _price(profile);
        _describe(profile);
        emit ProviderUpdated(msg.sender, profile);
    }

    /// @inheritdoc IRegistry
    function setAccepting(bool accepting) external {
        ProviderSlot storage p = _registeredProvider(msg.sender);
        if (p.exitAt != 0) revert Exiting(msg.sender);
        p.accepting = accepting;
        emit AcceptingSet(msg.sender, accepting);
    }

    /// @inheritdoc IRegistry
    function setPayout(address provider_, address payout) external {
        ProviderSlot storage p = _registeredProvider(provider_);
        if (msg.sender != p.payout) revert NotPayout(msg.sender, p.payout);
        if (payout == address(0)) revert ZeroAddress();
        FormerPayout storage former = _formerPayout[provider_];
        if (block.timestamp < former.until + CHANGE_SPACING) revert ChangeTooSoon(former.until + CHANGE_SPACING);
        (former.payout, former.until) = (p.payout, uint40(block.timestamp));
        (p.payout, p.payoutChanged) = (payout, true);
        emit PayoutChanged(provider_, payout);
    }

    function _describe(ProviderProfile calldata profile) private {
        _checkLength(profile.name, MAX_NAME_LENGTH);
        _providerText[msg.sender] = ProviderText(profile.deviceHash, profile.encryptionKey, profile.name);
    }

    function _price(ProviderProfile calldata profile) private pure returns (uint32) {
        uint256 price = profile.pricePerStep;
        if (price == 0 || price > MAX_PRICE) revert PriceOutOfRange(price, 1, MAX_PRICE);
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint32(price);
    }

    function _registeredProvider(address account) private view returns (ProviderSlot storage p) {
        p = _provider[account];
        if (!p.registered) revert NotRegistered(account);
    }

    // ----- verifiers -------------------------------------------------------------------------------------------------

    /// @inheritdoc IRegistry
    function registerVerifier(VerifierProfile calldata profile, uint64 bond) external {
        if (_provider[msg.sender].registered || _verifierIds[msg.sender] != 0) revert AlreadyRegistered(msg.sender);
        if (bond < minVerifierBond) revert BondBelowMinimum(bond, minVerifierBond);

        uint16 id = _newEntry();
        uint32 activeFrom = _eligibleFrom();
        _verifierIds[msg.sender] = uint256(id) + 1;
        _roster[id] = VerifierSlot(
            // forge-lint: disable-next-line(unsafe-typecast)
            msg.sender,
            _minFee(profile),
            profile.templateMask,
            activeFrom,
            VerifierStatus.Active,
            false
        );
        delete _more[id];
        _describe(id, profile);
        emit VerifierRegistered(msg.sender, id, activeFrom, profile);
        IEscrow(escrow).deposit(msg.sender, msg.sender, bond);
    }

    /// @inheritdoc IRegistry
    function updateVerifier(VerifierProfile calldata profile) external {
        uint16 id = _verifierId(msg.sender);
        VerifierSlot storage v = _roster[id];
        VerifierMore storage more = _more[id];
        if (v.status == VerifierStatus.Exiting) revert Exiting(msg.sender);
        _describe(id, profile);

        (uint32 minFee, uint16 mask) = _feeAndMask(v, more, uint40(block.timestamp));
        uint40 effectiveFrom = uint40(block.timestamp);
        if (_minFee(profile) != minFee || profile.templateMask != mask) {
            if (block.timestamp < more.nextFrom + CHANGE_SPACING) revert ChangeTooSoon(more.nextFrom + CHANGE_SPACING);
            effectiveFrom += drawDelay;
            (v.minFee, v.templateMask, v.changed) = (minFee, mask, true);
            (more.nextMinFee, more.nextTemplateMask, more.nextFrom) =
            (_minFee(profile), profile.templateMask, effectiveFrom);
        }
        emit VerifierUpdated(msg.sender, id, effectiveFrom, profile);
    }

    /// @dev Fits until 2106.
    function _eligibleFrom() private view returns (uint32) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint32(block.timestamp + drawDelay);
    }

    function _newEntry() private returns (uint16 id) {
        if (_vacant.length != 0) {
            id = _vacant[_vacant.length - 1];
            _vacant.pop();
        } else {
            if (_roster.length == type(uint16).max) revert RosterFull();
            // forge-lint: disable-next-line(unsafe-typecast)
            id = uint16(_roster.length);
            _roster.push();
        }
    }

    function _describe(uint16 id, VerifierProfile calldata profile) private {
        _checkLength(profile.endpoint, MAX_ENDPOINT_LENGTH);
        _text[id] = VerifierText(profile.encryptionKey, profile.endpoint);
    }

    function _minFee(VerifierProfile calldata profile) private pure returns (uint32) {
        if (profile.minFee > MAX_VERIFIER_FEE) revert FeeOutOfRange(profile.minFee, MAX_VERIFIER_FEE);
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint32(profile.minFee);
    }

    function _verifierId(address account) private view returns (uint16) {
        uint256 known = _verifierIds[account];
        if (known == 0) revert NotRegistered(account);
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint16(known - 1);
    }

    // ----- bonds -----------------------------------------------------------------------------------------------------

    /// @inheritdoc IRegistry
    function depositBond(address account, uint64 amount) external {
        uint256 known = _verifierIds[account];
        if (known == 0 && !_provider[account].registered) revert NotRegistered(account);
        IEscrow(escrow).deposit(account, msg.sender, amount);
        // forge-lint: disable-next-line(unsafe-typecast)
        if (known != 0) _resume(account, uint16(known - 1));
    }

    function _resume(address account, uint16 id) private {
        VerifierSlot storage v = _roster[id];
        if (v.status != VerifierStatus.Suspended || _freeBond(account) < minVerifierBond) return;
        uint32 activeFrom = _eligibleFrom();
        // Draws anchored before the suspension go on seeing it as it was then.
        VerifierMore storage more = _more[id];
        if (v.activeFrom <= more.activeUntil) {
            // forge-lint: disable-next-line(unsafe-typecast)
            (more.formerFrom, more.formerUntil) = (v.activeFrom, uint32(more.activeUntil));
        }
        (v.status, v.activeFrom) = (VerifierStatus.Active, activeFrom);
        emit VerifierResumed(account, id, activeFrom);
    }

    /// @inheritdoc IRegistry
    function requestExit() external {
        uint40 exitAt = uint40(block.timestamp + unbondingPeriod);
        uint256 known = _verifierIds[msg.sender];
        if (known != 0) {
            VerifierSlot storage v = _roster[known - 1];
            if (v.status == VerifierStatus.Exiting) revert Exiting(msg.sender);
            if (v.status == VerifierStatus.Active) _endTime(known - 1, v);
            v.status = VerifierStatus.Exiting;
            _more[known - 1].exitAt = exitAt;
        } else {
            ProviderSlot storage p = _registeredProvider(msg.sender);
            if (p.exitAt != 0) revert Exiting(msg.sender);
            (p.accepting, p.exitAt) = (false, exitAt);
        }
        emit ExitRequested(msg.sender, exitAt);
    }

    /// @inheritdoc IRegistry
    function withdrawBond() external {
        uint256 known = _verifierIds[msg.sender];
        address to = msg.sender;
        uint40 exitAt;
        if (known != 0) {
            VerifierMore storage more = _more[known - 1];
            if (more.seats != 0) revert StillSeated(more.seats);
            exitAt = more.exitAt;
        } else {
            ProviderSlot storage p = _registeredProvider(msg.sender);
            uint256 reserved = IEscrow(escrow).balanceOf(msg.sender).reserved;
            if (reserved != 0) revert StillReserved(reserved);
            (to, exitAt) = (p.payout, p.exitAt);
        }
        if (exitAt == 0) revert NotExiting(msg.sender);
        if (block.timestamp < exitAt) revert StillUnbonding(exitAt);

        if (known != 0) {
            // The entry's times stay, so that a draw anchored before still reads it right, until somebody reuses it.
            delete _verifierIds[msg.sender];
            _roster[known - 1].status = VerifierStatus.None;
            // forge-lint: disable-next-line(unsafe-typecast)
            _vacant.push(uint16(known - 1));
        } else {
            _provider[msg.sender].registered = false;
        }
        uint256 bond = _freeBond(msg.sender);
        emit Exited(msg.sender, bond);
        IEscrow(escrow).returnBond(msg.sender, to, bond);
    }

    /// @inheritdoc IRegistry
    function slashVerifier(address verifier_, address to, uint256 amount, SlashKind kind, uint256 id)
        external
        onlyProtocol
        returns (uint256 taken)
    {
        return _slash(verifier_, to, amount, kind, id);
    }

    /// @inheritdoc IRegistry
    function reportEquivocation(
        uint256 checkpointId,
        uint32[2] calldata fences,
        bytes32[2] calldata contentDigests,
        SignedVerdict[2] calldata verdicts
    ) external {
        bytes32 domain = VerdictLib.domainSeparator(jobs);
        bytes32 first = verdicts[0].structHash(checkpointId, fences[0], contentDigests[0]);
        bytes32 second = verdicts[1].structHash(checkpointId, fences[1], contentDigests[1]);
        if (first == second) revert SameVerdict();
        address signer = VerdictLib.recover(domain, first, verdicts[0].r, verdicts[0].vs);
        address other = VerdictLib.recover(domain, second, verdicts[1].r, verdicts[1].vs);
        if (signer != other || _verifierIds[signer] == 0) revert NotRegistered(signer);

        emit EquivocationReported(signer, msg.sender, checkpointId);
        address treasury = _configs[IJobs(jobs).jobRecord(checkpointId >> 32).configId].treasury;
        uint256 half = _freeBond(signer) / 2;
        _slash(signer, msg.sender, half, SlashKind.Equivocation, checkpointId);
        _slash(signer, treasury, type(uint256).max, SlashKind.Equivocation, checkpointId);
    }

    function _slash(address verifier_, address to, uint256 amount, SlashKind kind, uint256 id)
        private
        returns (uint256 taken)
    {
        taken = IEscrow(escrow).slash(verifier_, to, amount, false, kind, id);
        uint256 known = _verifierIds[verifier_];
        if (known == 0) return taken;
        VerifierSlot storage v = _roster[known - 1];
        if (v.status == VerifierStatus.Active && _freeBond(verifier_) < minVerifierBond) {
            v.status = VerifierStatus.Suspended;
            _endTime(known - 1, v);
            // forge-lint: disable-next-line(unsafe-typecast)
            emit VerifierSuspended(verifier_, uint16(known - 1));
        }
    }

    /// @dev It is in no draw anchored from now on. A time that had not begun leaves the one before it as it is.
    function _endTime(uint256 id, VerifierSlot storage v) private {
        if (block.timestamp >= v.activeFrom) _more[id].activeUntil = uint40(block.timestamp);
    }

    function _freeBond(address account) private view returns (uint256) {
        Balance memory a = IEscrow(escrow).balanceOf(account);
        return a.bond - a.reserved;
    }

    // ----- draws -----------------------------------------------------------------------------------------------------

    /// @inheritdoc IRegistry
    function draw(DrawRequest calldata request) external returns (Member[] memory members) {
        if (msg.sender != jobs) revert NotAuthorized(msg.sender);
        members = new Member[](request.seats);
        address payout = _payoutAt(request.holder, request.anchorTime);
        DrawLib.Shuffle memory shuffle = DrawLib.shuffle(request.seed, request.rosterSize);
        uint256 found;
        while (found < request.seats) {
            if (shuffle.done()) return new Member[](0);
            uint256 id = shuffle.visit();
            if (!_eligible(id, request, payout, request.anchorTime)) continue;
            // forge-lint: disable-next-line(unsafe-typecast)
            members[found++] = Member(_roster[id].account, uint16(id), uint40(block.timestamp), false);
        }
        for (uint256 i = 0; i < found; ++i) {
            ++_more[members[i].verifierId].seats;
        }
    }

    /// @inheritdoc IRegistry
    function countEligible(DrawRequest calldata request) external view returns (uint256 eligible, uint16 rosterSize) {
        // forge-lint: disable-next-line(unsafe-typecast)
        (uint40 time, uint16 size) = (uint40(block.timestamp), uint16(_roster.length));
        if (request.anchorTime != 0) (time, size) = (request.anchorTime, request.rosterSize);
        address payout = _payoutAt(request.holder, time);
        for (uint256 id = 0; id < size && eligible < request.seats; ++id) {
            if (_eligible(id, request, payout, time)) ++eligible;
        }
        return (eligible, size);
    }

    /// @inheritdoc IRegistry
    function leaveSeats(uint16[] calldata verifierIds) external {
        if (msg.sender != jobs) revert NotAuthorized(msg.sender);
        for (uint256 i = 0; i < verifierIds.length; ++i) {
            VerifierMore storage more = _more[verifierIds[i]];
            if (--more.seats != 0 || more.exitAt == 0) continue;
            // Its last votes can still be contested: its bond answers for them a whole unbonding time from here.
            more.exitAt = uint40(block.timestamp + unbondingPeriod);
            emit ExitRequested(_roster[verifierIds[i]].account, more.exitAt);
        }
    }

    function _eligible(uint256 id, DrawRequest calldata request, address payout, uint40 anchorTime)
        private
        view
        returns (bool)
    {
        VerifierSlot memory v = _roster[id];
        if (v.status == VerifierStatus.None || !_activeAt(v, id, anchorTime)) return false;
        if (v.account == request.client || v.account == request.holder || v.account == payout) return false;
        (uint32 minFee, uint16 mask) = v.changed ? _feeAndMask(v, _more[id], anchorTime) : (v.minFee, v.templateMask);
        if (minFee > request.fee || (mask >> request.templateId) & 1 == 0) return false;
        for (uint256 i = 0; i < request.members.length; ++i) {
            if (v.account == request.members[i]) return false;
        }
        return true;
    }

    function _activeAt(VerifierSlot memory v, uint256 id, uint40 time) private view returns (bool) {
        if (time >= v.activeFrom) return v.status == VerifierStatus.Active || time < _more[id].activeUntil;
        return time >= _more[id].formerFrom && time < _more[id].formerUntil;
    }

    function _feeAndMask(VerifierSlot memory v, VerifierMore storage more, uint40 time)
        private
        view
        returns (uint32, uint16)
    {
        if (v.changed && time >= more.nextFrom) return (more.nextMinFee, more.nextTemplateMask);
        return (v.minFee, v.templateMask);
    }

    function _payoutAt(address provider_, uint40 time) private view returns (address) {
        ProviderSlot memory p = _provider[provider_];
        if (p.payoutChanged && time < _formerPayout[provider_].until) return _formerPayout[provider_].payout;
        return p.payout;
    }

    // ----- views -----------------------------------------------------------------------------------------------------

    /// @inheritdoc IRegistry
    function admit(JobTerms calldata terms)
        external
        view
        returns (uint16 configId_, address arbiter, address treasury)
    {
        Template storage t = _templates[terms.templateId];
        if (!t.approved) revert TemplateNotApproved(terms.templateId);
        TermsLib.validate(terms, _limits);
        if (terms.verifierFee < t.minVerifierFee) {
            revert TermOutOfRange("verifierFee", terms.verifierFee, t.minVerifierFee, MAX_VERIFIER_FEE);
        }
        configId_ = configId();
        Config memory c = _configs[configId_];
        return (configId_, c.arbiter, c.treasury);
    }

    /// @inheritdoc IRegistry
    function offer(address provider_) external view returns (uint64 price, address payout) {
        ProviderSlot memory p = _provider[provider_];
        return (p.registered && p.accepting ? p.pricePerStep : 0, p.payout);
    }

    /// @inheritdoc IRegistry
    function payoutOf(address provider_) external view returns (address) {
        return _provider[provider_].payout;
    }

    /// @inheritdoc IRegistry
    function isLeaving(uint16 verifierId) external view returns (bool) {
        return _roster[verifierId].status != VerifierStatus.Active;
    }

    /// @inheritdoc IRegistry
    function provider(address account) external view returns (Provider memory) {
        ProviderSlot memory p = _provider[account];
        ProviderText memory text = _providerText[account];
        return Provider(
            p.payout,
            p.pricePerStep,
            p.registered,
            p.accepting,
            p.exitAt,
            text.deviceHash,
            text.encryptionKey,
            text.name
        );
    }

    /// @inheritdoc IRegistry
    function providerCount() external view returns (uint256) {
        return _providers.length;
    }

    /// @inheritdoc IRegistry
    function providerAt(uint256 index) external view returns (address) {
        return _providers[index];
    }

    /// @inheritdoc IRegistry
    function verifier(address account) external view returns (Verifier memory v) {
        uint256 known = _verifierIds[account];
        if (known != 0) v = verifierAt(known - 1);
    }

    /// @inheritdoc IRegistry
    function verifierCount() external view returns (uint256) {
        return _roster.length;
    }

    /// @inheritdoc IRegistry
    function verifierAt(uint256 verifierId) public view returns (Verifier memory v) {
        VerifierSlot memory slot = _roster[verifierId];
        VerifierMore memory more = _more[verifierId];
        // forge-lint: disable-next-line(unsafe-typecast)
        (v.account, v.id, v.status) = (slot.account, uint16(verifierId), slot.status);
        (v.activeFrom, v.activeUntil, v.exitAt, v.seats) =
        (slot.activeFrom, slot.status == VerifierStatus.Active ? 0 : more.activeUntil, more.exitAt, more.seats);
        (v.minFee, v.templateMask) = _feeAndMask(slot, _more[verifierId], uint40(block.timestamp));
        if (more.nextFrom > block.timestamp) {
            (v.nextMinFee, v.nextTemplateMask, v.nextFrom) = (more.nextMinFee, more.nextTemplateMask, more.nextFrom);
        }
        (v.encryptionKey, v.endpoint) = (_text[verifierId].encryptionKey, _text[verifierId].endpoint);
    }

    /// @inheritdoc IRegistry
    function template(uint8 templateId) external view returns (Template memory) {
        if (templateId >= templateCount) revert UnknownTemplate(templateId);
        return _templates[templateId];
    }

    /// @inheritdoc IRegistry
    function config(uint16 configId_) external view returns (Config memory) {
        Config memory c = _configs[configId_];
        if (c.arbiter == address(0)) revert UnknownConfig(configId_);
        return c;
    }

    /// @inheritdoc IRegistry
    function treasuryOf(uint16 configId_) external view returns (address) {
        return _configs[configId_].treasury;
    }

    /// @inheritdoc IRegistry
    function configId() public view returns (uint16) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint16(_configCount - 1);
    }

    /// @inheritdoc IRegistry
    function limits() external view returns (Limits memory) {
        return _limits;
    }

    function _checkLength(string calldata text, uint256 max) private pure {
        if (bytes(text).length == 0 || bytes(text).length > max) revert NameLength(bytes(text).length, max);
    }
}
