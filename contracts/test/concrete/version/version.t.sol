// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {PROTOCOL_VERSION_NUMBER} from "src/libraries/Constants.sol";
import "../../utils/ProtocolTest.sol";

contract VersionTest is ProtocolTest {
    function test_EveryContractThatEmitsEventsSaysTheVersion() external view {
        assertEq(jobs.PROTOCOL_VERSION(), PROTOCOL_VERSION_NUMBER);
        assertEq(registry.PROTOCOL_VERSION(), PROTOCOL_VERSION_NUMBER);
        assertEq(court.PROTOCOL_VERSION(), PROTOCOL_VERSION_NUMBER);
        assertEq(escrow.PROTOCOL_VERSION(), PROTOCOL_VERSION_NUMBER);
    }

    function test_TheDomainCarriesTheVersion() external view {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("GPUChain"),
                keccak256(bytes(Strings.toString(PROTOCOL_VERSION_NUMBER))),
                block.chainid,
                address(jobs)
            )
        );
        assertEq(jobs.DOMAIN_SEPARATOR(), domain);
    }
}
