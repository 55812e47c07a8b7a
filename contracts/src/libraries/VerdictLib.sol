// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignedEviction, SignedVerdict} from "../Types.sol";
import "./Constants.sol";

/// @title VerdictLib
/// @notice EIP-712: domain "GPUChain", version "1", this chain, `Jobs`; types `Verdict` and `Eviction`. Signatures are
/// compact (EIP-2098) ECDSA; verifiers are plain keys.
library VerdictLib {
    bytes32 internal constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 internal constant VERDICT_TYPEHASH = keccak256(
        "Verdict(uint256 jobId,uint32 fence,uint256 checkpointId,bytes32 contentDigest,uint8 outcome,bool metTarget,uint32 score,bytes32 evidenceHash)"
    );
    bytes32 internal constant EVICTION_TYPEHASH = keccak256("Eviction(uint256 jobId,uint32 fence,uint64 attestedAt)");

    function domainSeparator(address jobs) internal view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("GPUChain"), keccak256("1"), block.chainid, jobs));
    }

    /// @notice What a verdict judges: the bytes and the trace.
    function contentDigest(bytes32 stateHash, bytes32 traceRoot) internal pure returns (bytes32) {
        return keccak256(abi.encode(stateHash, traceRoot));
    }

    function structHash(SignedVerdict calldata v, uint256 checkpointId, uint32 fence, bytes32 digest)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                VERDICT_TYPEHASH,
                checkpointId >> 32,
                fence,
                checkpointId,
                digest,
                v.outcome,
                v.metTarget,
                v.score,
                v.evidenceHash
            )
        );
    }

    /// @return signer 0 when the signature is malformed.
    function signerOf(SignedVerdict calldata v, uint256 checkpointId, uint32 fence, bytes32 digest, bytes32 domain)
        internal
        pure
        returns (address signer)
    {
        return recover(domain, structHash(v, checkpointId, fence, digest), v.r, v.vs);
    }

    /// @return signer 0 when the signature is malformed.
    function signerOf(SignedEviction calldata e, uint256 jobId, uint32 fence, bytes32 domain)
        internal
        pure
        returns (address signer)
    {
        return recover(domain, keccak256(abi.encode(EVICTION_TYPEHASH, jobId, fence, e.attestedAt)), e.r, e.vs);
    }

    function recover(bytes32 domain, bytes32 hash, bytes32 r, bytes32 vs) internal pure returns (address signer) {
        (signer,,) = ECDSA.tryRecover(MessageHashUtils.toTypedDataHash(domain, hash), r, vs);
    }
}
