// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Script, console} from "forge-std/Script.sol";
import {Court} from "src/Court.sol";
import {Escrow} from "src/Escrow.sol";
import {Jobs} from "src/Jobs.sol";
import {Lens} from "src/Lens.sol";
import {Registry} from "src/Registry.sol";
import {Settlement} from "src/Settlement.sol";
import {TestUSDC} from "src/TestUSDC.sol";
import {IJobs} from "src/interfaces/IJobs.sol";
import {Config, Limits} from "src/Types.sol";

/// @notice Deploys the protocol, checks what it deployed, and writes `deployments/<chainId>.json`.
///
///   forge script script/Deploy.s.sol --rpc-url URL --broadcast --unlocked --sender ADDRESS
///
/// Chains: 31337 (local limits, deploys `TestUSDC`) and 84532 (Base Sepolia, public limits, Circle's test USDC).
/// Environment: `DEPLOYMENT_FILE` (where to write), `OWNER`, `ARBITER`, `TREASURY` (default: the deployer; on the local chain
/// accounts 8 and 9 of anvil are arbiter and treasury). An `OWNER` other than the deployer must accept with `acceptOwnership`.
/// `npm run verify-deployment` reads all of it again from the chain.
contract Deploy is Script {
    error UnknownChain(uint256 chainId);
    error DeployedWrong(string what);

    struct Deployment {
        address usdc;
        address escrow;
        address registry;
        address settlement;
        address jobs;
        address court;
        address lens;
    }

    uint256 private constant LOCAL = 31337;
    uint256 private constant BASE_SEPOLIA = 84532;
    address private constant BASE_SEPOLIA_USDC = 0x036CbD53842c5426634e7929541eC2318f3dCF7e;
    address private constant ANVIL_8 = 0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f;
    address private constant ANVIL_9 = 0xa0Ee7A142d267C1f36714E4a8F75612F20a79720;

    function run() external {
        address deployer = msg.sender;
        Limits memory limits = limitsOf(block.chainid);
        address owner = vm.envOr("OWNER", deployer);
        Config memory config = Config({
            arbiter: vm.envOr("ARBITER", block.chainid == LOCAL ? ANVIL_8 : deployer),
            treasury: vm.envOr("TREASURY", block.chainid == LOCAL ? ANVIL_9 : deployer)
        });

        vm.startBroadcast();
        Deployment memory d = deploy(deployer, config, limits);
        approveTemplates(Registry(d.registry));
        if (owner != deployer) Registry(d.registry).transferOwnership(owner);
        vm.stopBroadcast();

        check(d, config, limits);
        write(d, deployer, owner, config, limits);
    }

    /// @notice The contracts name each other in their constructors, so their addresses are foretold from the deployer's nonce.
    function deploy(address deployer, Config memory config, Limits memory limits) public returns (Deployment memory d) {
        d.usdc = block.chainid == BASE_SEPOLIA ? BASE_SEPOLIA_USDC : address(new TestUSDC());
        uint256 nonce = vm.getNonce(deployer);
        d.escrow = vm.computeCreateAddress(deployer, nonce);
        d.registry = vm.computeCreateAddress(deployer, nonce + 1);
        d.settlement = vm.computeCreateAddress(deployer, nonce + 2);
        d.jobs = vm.computeCreateAddress(deployer, nonce + 3);
        d.court = vm.computeCreateAddress(deployer, nonce + 4);

        _same("Escrow", address(new Escrow(d.usdc, d.jobs, d.registry, d.court)), d.escrow);
        _same("Registry", address(new Registry(deployer, d.escrow, d.jobs, d.court, config, limits)), d.registry);
        _same("Settlement", address(new Settlement(d.escrow, d.registry, d.court, limits)), d.settlement);
        _same("Jobs", address(new Jobs(d.escrow, d.registry, d.court, d.settlement, limits)), d.jobs);
        _same("Court", address(new Court(d.escrow, d.registry, d.jobs, limits)), d.court);
        d.lens = address(new Lens(d.jobs));
    }

    /// @notice Ids 0 to 3, in this order. 0.001 USDC is the least fee of a vote.
    function approveTemplates(Registry registry) public {
        registry.approveTemplate("text-classification", 1_000);
        registry.approveTemplate("text-classification-lora", 1_000);
        registry.approveTemplate("language-model", 1_000);
        registry.approveTemplate("mlp", 1_000);
    }

    function limitsOf(uint256 chainId) public pure returns (Limits memory l) {
        if (chainId != LOCAL && chainId != BASE_SEPOLIA) revert UnknownChain(chainId);
        bool local = chainId == LOCAL;
        l.minLeaseDuration = local ? 3 : 30;
        l.minVerdictTimeout = local ? 5 : 60;
        l.minDisputeWindow = local ? 2 : 10 minutes;
        l.maxBudget = local ? 0 : 1_000e6;
        l.minProviderBond = 1e6;
        l.minVerifierBond = 100e6;
        l.appealWindow = local ? 5 : 24 hours;
        l.arbiterPeriod = 3 days;
        l.unbondingPeriod = local ? 60 : 14 days;
        l.drawDelay = local ? 0 : 1 hours;
        l.longCoolDown = local ? 2 : 10 minutes;
        l.shortCoolDown = local ? 2 : 60;
    }

    /// @notice Reads back what was deployed.
    function check(Deployment memory d, Config memory config, Limits memory limits) public view {
        if (d.usdc.code.length == 0 || IERC20Metadata(d.usdc).decimals() != 6) revert DeployedWrong("usdc");
        Escrow e = Escrow(d.escrow);
        _same("Escrow.usdc", e.usdc(), d.usdc);
        _same("Escrow.jobs", e.jobs(), d.jobs);
        _same("Escrow.registry", e.registry(), d.registry);
        _same("Escrow.court", e.court(), d.court);
        Registry r = Registry(d.registry);
        _same("Registry.escrow", r.escrow(), d.escrow);
        _same("Registry.jobs", r.jobs(), d.jobs);
        _same("Registry.court", r.court(), d.court);
        _same("arbiter", r.config(0).arbiter, config.arbiter);
        _same("treasury", r.config(0).treasury, config.treasury);
        Jobs j = Jobs(payable(d.jobs));
        _same("Jobs.escrow", j.escrow(), d.escrow);
        _same("Jobs.registry", j.registry(), d.registry);
        _same("Jobs.court", j.court(), d.court);
        _same("Jobs.settlement", j.settlement(), d.settlement);
        Court c = Court(d.court);
        _same("Court.escrow", c.escrow(), d.escrow);
        _same("Court.registry", c.registry(), d.registry);
        _same("Court.jobs", c.jobs(), d.jobs);
        _same("Lens.jobs", Lens(d.lens).jobs(), d.jobs);
        if (keccak256(abi.encode(r.limits())) != keccak256(abi.encode(limits))) revert DeployedWrong("limits");
        if (r.templateCount() != 4) revert DeployedWrong("templates");
        if (IJobs(d.jobs).jobCount() != 0) revert DeployedWrong("Jobs.settlement's code");
    }

    function write(Deployment memory d, address deployer, address owner, Config memory config, Limits memory limits)
        public
    {
        string memory k = "deployment";
        vm.serializeAddress(k, "deployer", deployer);
        vm.serializeAddress(k, "owner", owner);
        vm.serializeAddress(k, "arbiter", config.arbiter);
        vm.serializeAddress(k, "treasury", config.treasury);
        vm.serializeString(k, "limits", _limitsJson(limits));
        vm.serializeString(k, "constructorArgs", _argumentsJson(d, deployer, config, limits));
        _writeFile(k, d);
    }

    function _writeFile(string memory k, Deployment memory d) private {
        vm.serializeUint(k, "protocolVersion", Registry(d.registry).PROTOCOL_VERSION());
        vm.serializeUint(k, "chainId", block.chainid);
        vm.serializeUint(k, "startBlock", block.number);
        vm.serializeString(k, "contracts", _contractsJson(d));
        vm.serializeString(k, "bytecodeHashes", _hashesJson(d));
        string memory json = vm.serializeString(k, "compiler", _compilerJson());
        string memory path = vm.envOr(
            "DEPLOYMENT_FILE", string.concat(vm.projectRoot(), "/../deployments/", vm.toString(block.chainid), ".json")
        );
        vm.writeJson(json, path);
        console.log("wrote", path);
    }

    function _contractsJson(Deployment memory d) private returns (string memory) {
        string memory k = "contracts";
        vm.serializeAddress(k, "usdc", d.usdc);
        vm.serializeAddress(k, "escrow", d.escrow);
        vm.serializeAddress(k, "registry", d.registry);
        vm.serializeAddress(k, "jobs", d.jobs);
        vm.serializeAddress(k, "settlement", d.settlement);
        vm.serializeAddress(k, "court", d.court);
        return vm.serializeAddress(k, "lens", d.lens);
    }

    function _limitsJson(Limits memory l) private returns (string memory) {
        string memory k = "limits";
        vm.serializeUint(k, "minLeaseDuration", l.minLeaseDuration);
        vm.serializeUint(k, "minVerdictTimeout", l.minVerdictTimeout);
        vm.serializeUint(k, "minDisputeWindow", l.minDisputeWindow);
        vm.serializeUint(k, "maxBudget", l.maxBudget);
        vm.serializeUint(k, "minProviderBond", l.minProviderBond);
        vm.serializeUint(k, "minVerifierBond", l.minVerifierBond);
        vm.serializeUint(k, "appealWindow", l.appealWindow);
        vm.serializeUint(k, "arbiterPeriod", l.arbiterPeriod);
        vm.serializeUint(k, "unbondingPeriod", l.unbondingPeriod);
        vm.serializeUint(k, "drawDelay", l.drawDelay);
        vm.serializeUint(k, "longCoolDown", l.longCoolDown);
        return vm.serializeUint(k, "shortCoolDown", l.shortCoolDown);
    }

    /// @dev ABI-encoded, as a block explorer's verification wants them.
    function _argumentsJson(Deployment memory d, address deployer, Config memory config, Limits memory limits)
        private
        returns (string memory)
    {
        string memory k = "constructorArgs";
        vm.serializeBytes(k, "escrow", abi.encode(d.usdc, d.jobs, d.registry, d.court));
        vm.serializeBytes(k, "registry", abi.encode(deployer, d.escrow, d.jobs, d.court, config, limits));
        vm.serializeBytes(k, "settlement", abi.encode(d.escrow, d.registry, d.court, limits));
        vm.serializeBytes(k, "jobs", abi.encode(d.escrow, d.registry, d.court, d.settlement, limits));
        vm.serializeBytes(k, "court", abi.encode(d.escrow, d.registry, d.jobs, limits));
        return vm.serializeBytes(k, "lens", abi.encode(d.jobs));
    }

    /// @dev keccak256 of the code on chain (`EXTCODEHASH`).
    function _hashesJson(Deployment memory d) private returns (string memory) {
        string memory k = "bytecodeHashes";
        vm.serializeBytes32(k, "usdc", d.usdc.codehash);
        vm.serializeBytes32(k, "escrow", d.escrow.codehash);
        vm.serializeBytes32(k, "registry", d.registry.codehash);
        vm.serializeBytes32(k, "settlement", d.settlement.codehash);
        vm.serializeBytes32(k, "jobs", d.jobs.codehash);
        vm.serializeBytes32(k, "court", d.court.codehash);
        return vm.serializeBytes32(k, "lens", d.lens.codehash);
    }

    function _compilerJson() private returns (string memory) {
        string memory k = "compiler";
        vm.serializeString(k, "solc", "0.8.37");
        vm.serializeString(k, "evmVersion", "cancun");
        vm.serializeBool(k, "optimizer", true);
        vm.serializeUint(k, "optimizerRuns", 200);
        vm.serializeBool(k, "viaIR", false);
        return vm.serializeString(k, "metadataHash", "none");
    }

    function _same(string memory what, address is_, address expected) private pure {
        if (is_ != expected) revert DeployedWrong(what);
    }
}
