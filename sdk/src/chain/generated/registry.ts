// Generated from Registry.sol by script/generate.ts. Do not edit.
export const registryAbi = [
  {
    "type": "constructor",
    "inputs": [
      {
        "name": "owner_",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "escrow_",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "jobs_",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "court_",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "config_",
        "type": "tuple",
        "internalType": "struct Config",
        "components": [
          {
            "name": "arbiter",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "treasury",
            "type": "address",
            "internalType": "address"
          }
        ]
      },
      {
        "name": "limits_",
        "type": "tuple",
        "internalType": "struct Limits",
        "components": [
          {
            "name": "minLeaseDuration",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "minVerdictTimeout",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "minDisputeWindow",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "maxBudget",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "minProviderBond",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "minVerifierBond",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "appealWindow",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "arbiterPeriod",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "unbondingPeriod",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "drawDelay",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "longCoolDown",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "shortCoolDown",
            "type": "uint32",
            "internalType": "uint32"
          }
        ]
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "PROTOCOL_VERSION",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "stateMutability": "pure"
  },
  {
    "type": "function",
    "name": "acceptOwnership",
    "inputs": [],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "admit",
    "inputs": [
      {
        "name": "terms",
        "type": "tuple",
        "internalType": "struct JobTerms",
        "components": [
          {
            "name": "templateId",
            "type": "uint8",
            "internalType": "uint8"
          },
          {
            "name": "specHash",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "genesisHash",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "eligibilityRoot",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "totalSteps",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "checkpointInterval",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "maxPricePerStep",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "verifierFee",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "leaseDuration",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "segmentTimeout",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "pulseTimeoutMs",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "auctionRamp",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "verdictTimeout",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "deadline",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "gracePeriod",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "disputeWindow",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "budget",
            "type": "uint64",
            "internalType": "uint64"
          }
        ]
      }
    ],
    "outputs": [
      {
        "name": "configId_",
        "type": "uint16",
        "internalType": "uint16"
      },
      {
        "name": "arbiter",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "treasury",
        "type": "address",
        "internalType": "address"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "approveTemplate",
    "inputs": [
      {
        "name": "name",
        "type": "string",
        "internalType": "string"
      },
      {
        "name": "minVerifierFee",
        "type": "uint64",
        "internalType": "uint64"
      }
    ],
    "outputs": [
      {
        "name": "templateId",
        "type": "uint8",
        "internalType": "uint8"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "config",
    "inputs": [
      {
        "name": "configId_",
        "type": "uint16",
        "internalType": "uint16"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "internalType": "struct Config",
        "components": [
          {
            "name": "arbiter",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "treasury",
            "type": "address",
            "internalType": "address"
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "configId",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "uint16",
        "internalType": "uint16"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "countEligible",
    "inputs": [
      {
        "name": "request",
        "type": "tuple",
        "internalType": "struct DrawRequest",
        "components": [
          {
            "name": "jobId",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "seed",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "anchorTime",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "rosterSize",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "templateId",
            "type": "uint8",
            "internalType": "uint8"
          },
          {
            "name": "fee",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "client",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "holder",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "seats",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "members",
            "type": "address[]",
            "internalType": "address[]"
          }
        ]
      }
    ],
    "outputs": [
      {
        "name": "eligible",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "rosterSize",
        "type": "uint16",
        "internalType": "uint16"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "court",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "address",
        "internalType": "address"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "depositBond",
    "inputs": [
      {
        "name": "account",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "amount",
        "type": "uint64",
        "internalType": "uint64"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "draw",
    "inputs": [
      {
        "name": "request",
        "type": "tuple",
        "internalType": "struct DrawRequest",
        "components": [
          {
            "name": "jobId",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "seed",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "anchorTime",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "rosterSize",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "templateId",
            "type": "uint8",
            "internalType": "uint8"
          },
          {
            "name": "fee",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "client",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "holder",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "seats",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "members",
            "type": "address[]",
            "internalType": "address[]"
          }
        ]
      }
    ],
    "outputs": [
      {
        "name": "members",
        "type": "tuple[]",
        "internalType": "struct Member[]",
        "components": [
          {
            "name": "verifier",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "verifierId",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "seatedAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "left",
            "type": "bool",
            "internalType": "bool"
          }
        ]
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "drawDelay",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "uint32",
        "internalType": "uint32"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "escrow",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "address",
        "internalType": "address"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "isLeaving",
    "inputs": [
      {
        "name": "verifierId",
        "type": "uint16",
        "internalType": "uint16"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "bool",
        "internalType": "bool"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "jobs",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "address",
        "internalType": "address"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "leaveSeats",
    "inputs": [
      {
        "name": "verifierIds",
        "type": "uint16[]",
        "internalType": "uint16[]"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "limits",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "internalType": "struct Limits",
        "components": [
          {
            "name": "minLeaseDuration",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "minVerdictTimeout",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "minDisputeWindow",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "maxBudget",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "minProviderBond",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "minVerifierBond",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "appealWindow",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "arbiterPeriod",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "unbondingPeriod",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "drawDelay",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "longCoolDown",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "shortCoolDown",
            "type": "uint32",
            "internalType": "uint32"
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "minProviderBond",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "uint64",
        "internalType": "uint64"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "minVerifierBond",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "uint64",
        "internalType": "uint64"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "nameConfig",
    "inputs": [
      {
        "name": "arbiter",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "treasury",
        "type": "address",
        "internalType": "address"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "uint16",
        "internalType": "uint16"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "offer",
    "inputs": [
      {
        "name": "provider_",
        "type": "address",
        "internalType": "address"
      }
    ],
    "outputs": [
      {
        "name": "price",
        "type": "uint64",
        "internalType": "uint64"
      },
      {
        "name": "payout",
        "type": "address",
        "internalType": "address"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "owner",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "address",
        "internalType": "address"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "payoutOf",
    "inputs": [
      {
        "name": "provider_",
        "type": "address",
        "internalType": "address"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "address",
        "internalType": "address"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "pendingOwner",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "address",
        "internalType": "address"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "provider",
    "inputs": [
      {
        "name": "account",
        "type": "address",
        "internalType": "address"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "internalType": "struct Provider",
        "components": [
          {
            "name": "payout",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "pricePerStep",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "registered",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "accepting",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "exitAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "deviceHash",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "encryptionKey",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "name",
            "type": "string",
            "internalType": "string"
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "providerAt",
    "inputs": [
      {
        "name": "index",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "address",
        "internalType": "address"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "providerCount",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "registerProvider",
    "inputs": [
      {
        "name": "profile",
        "type": "tuple",
        "internalType": "struct ProviderProfile",
        "components": [
          {
            "name": "name",
            "type": "string",
            "internalType": "string"
          },
          {
            "name": "pricePerStep",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "deviceHash",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "encryptionKey",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "metadata",
            "type": "string",
            "internalType": "string"
          }
        ]
      },
      {
        "name": "payout",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "bond",
        "type": "uint64",
        "internalType": "uint64"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "registerVerifier",
    "inputs": [
      {
        "name": "profile",
        "type": "tuple",
        "internalType": "struct VerifierProfile",
        "components": [
          {
            "name": "endpoint",
            "type": "string",
            "internalType": "string"
          },
          {
            "name": "encryptionKey",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "minFee",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "templateMask",
            "type": "uint16",
            "internalType": "uint16"
          }
        ]
      },
      {
        "name": "bond",
        "type": "uint64",
        "internalType": "uint64"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "renounceOwnership",
    "inputs": [],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "reportEquivocation",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "fences",
        "type": "uint32[2]",
        "internalType": "uint32[2]"
      },
      {
        "name": "contentDigests",
        "type": "bytes32[2]",
        "internalType": "bytes32[2]"
      },
      {
        "name": "verdicts",
        "type": "tuple[2]",
        "internalType": "struct SignedVerdict[2]",
        "components": [
          {
            "name": "outcome",
            "type": "uint8",
            "internalType": "enum Outcome"
          },
          {
            "name": "metTarget",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "score",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "evidenceHash",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "r",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "vs",
            "type": "bytes32",
            "internalType": "bytes32"
          }
        ]
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "requestExit",
    "inputs": [],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "revokeTemplate",
    "inputs": [
      {
        "name": "templateId",
        "type": "uint8",
        "internalType": "uint8"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "setAccepting",
    "inputs": [
      {
        "name": "accepting",
        "type": "bool",
        "internalType": "bool"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "setPayout",
    "inputs": [
      {
        "name": "provider_",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "payout",
        "type": "address",
        "internalType": "address"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "slashVerifier",
    "inputs": [
      {
        "name": "verifier_",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "to",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "amount",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "kind",
        "type": "uint8",
        "internalType": "enum SlashKind"
      },
      {
        "name": "id",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "taken",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "template",
    "inputs": [
      {
        "name": "templateId",
        "type": "uint8",
        "internalType": "uint8"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "internalType": "struct Template",
        "components": [
          {
            "name": "name",
            "type": "string",
            "internalType": "string"
          },
          {
            "name": "minVerifierFee",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "approved",
            "type": "bool",
            "internalType": "bool"
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "templateCount",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "transferOwnership",
    "inputs": [
      {
        "name": "newOwner",
        "type": "address",
        "internalType": "address"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "treasuryOf",
    "inputs": [
      {
        "name": "configId_",
        "type": "uint16",
        "internalType": "uint16"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "address",
        "internalType": "address"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "unbondingPeriod",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "uint32",
        "internalType": "uint32"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "updateProvider",
    "inputs": [
      {
        "name": "profile",
        "type": "tuple",
        "internalType": "struct ProviderProfile",
        "components": [
          {
            "name": "name",
            "type": "string",
            "internalType": "string"
          },
          {
            "name": "pricePerStep",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "deviceHash",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "encryptionKey",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "metadata",
            "type": "string",
            "internalType": "string"
          }
        ]
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "updateVerifier",
    "inputs": [
      {
        "name": "profile",
        "type": "tuple",
        "internalType": "struct VerifierProfile",
        "components": [
          {
            "name": "endpoint",
            "type": "string",
            "internalType": "string"
          },
          {
            "name": "encryptionKey",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "minFee",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "templateMask",
            "type": "uint16",
            "internalType": "uint16"
          }
        ]
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "verifier",
    "inputs": [
      {
        "name": "account",
        "type": "address",
        "internalType": "address"
      }
    ],
    "outputs": [
      {
        "name": "v",
        "type": "tuple",
        "internalType": "struct Verifier",
        "components": [
          {
            "name": "account",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "id",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "status",
            "type": "uint8",
            "internalType": "enum VerifierStatus"
          },
          {
            "name": "activeFrom",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "activeUntil",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "exitAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "seats",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "minFee",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "templateMask",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "nextMinFee",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "nextTemplateMask",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "nextFrom",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "encryptionKey",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "endpoint",
            "type": "string",
            "internalType": "string"
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "verifierAt",
    "inputs": [
      {
        "name": "verifierId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "v",
        "type": "tuple",
        "internalType": "struct Verifier",
        "components": [
          {
            "name": "account",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "id",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "status",
            "type": "uint8",
            "internalType": "enum VerifierStatus"
          },
          {
            "name": "activeFrom",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "activeUntil",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "exitAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "seats",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "minFee",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "templateMask",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "nextMinFee",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "nextTemplateMask",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "nextFrom",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "encryptionKey",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "endpoint",
            "type": "string",
            "internalType": "string"
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "verifierCount",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "withdrawBond",
    "inputs": [],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "event",
    "name": "AcceptingSet",
    "inputs": [
      {
        "name": "provider",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "accepting",
        "type": "bool",
        "indexed": false,
        "internalType": "bool"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "ConfigNamed",
    "inputs": [
      {
        "name": "configId",
        "type": "uint16",
        "indexed": true,
        "internalType": "uint16"
      },
      {
        "name": "arbiter",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "treasury",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "EquivocationReported",
    "inputs": [
      {
        "name": "verifier",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "reporter",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "checkpointId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "ExitRequested",
    "inputs": [
      {
        "name": "account",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "exitAt",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "Exited",
    "inputs": [
      {
        "name": "account",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "bond",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "OwnershipTransferStarted",
    "inputs": [
      {
        "name": "previousOwner",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "newOwner",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "OwnershipTransferred",
    "inputs": [
      {
        "name": "previousOwner",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "newOwner",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "PayoutChanged",
    "inputs": [
      {
        "name": "provider",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "payout",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "ProviderRegistered",
    "inputs": [
      {
        "name": "provider",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "payout",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "profile",
        "type": "tuple",
        "indexed": false,
        "internalType": "struct ProviderProfile",
        "components": [
          {
            "name": "name",
            "type": "string",
            "internalType": "string"
          },
          {
            "name": "pricePerStep",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "deviceHash",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "encryptionKey",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "metadata",
            "type": "string",
            "internalType": "string"
          }
        ]
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "ProviderUpdated",
    "inputs": [
      {
        "name": "provider",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "profile",
        "type": "tuple",
        "indexed": false,
        "internalType": "struct ProviderProfile",
        "components": [
          {
            "name": "name",
            "type": "string",
            "internalType": "string"
          },
          {
            "name": "pricePerStep",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "deviceHash",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "encryptionKey",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "metadata",
            "type": "string",
            "internalType": "string"
          }
        ]
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "TemplateApproved",
    "inputs": [
      {
        "name": "templateId",
        "type": "uint8",
        "indexed": true,
        "internalType": "uint8"
      },
      {
        "name": "name",
        "type": "string",
        "indexed": false,
        "internalType": "string"
      },
      {
        "name": "minVerifierFee",
        "type": "uint64",
        "indexed": false,
        "internalType": "uint64"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "TemplateRevoked",
    "inputs": [
      {
        "name": "templateId",
        "type": "uint8",
        "indexed": true,
        "internalType": "uint8"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "VerifierRegistered",
    "inputs": [
      {
        "name": "verifier",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "verifierId",
        "type": "uint16",
        "indexed": true,
        "internalType": "uint16"
      },
      {
        "name": "activeFrom",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      },
      {
        "name": "profile",
        "type": "tuple",
        "indexed": false,
        "internalType": "struct VerifierProfile",
        "components": [
          {
            "name": "endpoint",
            "type": "string",
            "internalType": "string"
          },
          {
            "name": "encryptionKey",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "minFee",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "templateMask",
            "type": "uint16",
            "internalType": "uint16"
          }
        ]
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "VerifierResumed",
    "inputs": [
      {
        "name": "verifier",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "verifierId",
        "type": "uint16",
        "indexed": true,
        "internalType": "uint16"
      },
      {
        "name": "activeFrom",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "VerifierSuspended",
    "inputs": [
      {
        "name": "verifier",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "verifierId",
        "type": "uint16",
        "indexed": true,
        "internalType": "uint16"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "VerifierUpdated",
    "inputs": [
      {
        "name": "verifier",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "verifierId",
        "type": "uint16",
        "indexed": true,
        "internalType": "uint16"
      },
      {
        "name": "effectiveFrom",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      },
      {
        "name": "profile",
        "type": "tuple",
        "indexed": false,
        "internalType": "struct VerifierProfile",
        "components": [
          {
            "name": "endpoint",
            "type": "string",
            "internalType": "string"
          },
          {
            "name": "encryptionKey",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "minFee",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "templateMask",
            "type": "uint16",
            "internalType": "uint16"
          }
        ]
      }
    ],
    "anonymous": false
  },
  {
    "type": "error",
    "name": "AlreadyRegistered",
    "inputs": [
      {
        "name": "account",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "BondBelowMinimum",
    "inputs": [
      {
        "name": "bond",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "min",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "ChangeTooSoon",
    "inputs": [
      {
        "name": "until",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "Exiting",
    "inputs": [
      {
        "name": "account",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "FeeOutOfRange",
    "inputs": [
      {
        "name": "fee",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "max",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "NameLength",
    "inputs": [
      {
        "name": "length",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "max",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotAuthorized",
    "inputs": [
      {
        "name": "caller",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotExiting",
    "inputs": [
      {
        "name": "account",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotPayout",
    "inputs": [
      {
        "name": "caller",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "payout",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotRegistered",
    "inputs": [
      {
        "name": "account",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "OwnableInvalidOwner",
    "inputs": [
      {
        "name": "owner",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "OwnableUnauthorizedAccount",
    "inputs": [
      {
        "name": "account",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "PriceOutOfRange",
    "inputs": [
      {
        "name": "price",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "min",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "max",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "RosterFull",
    "inputs": []
  },
  {
    "type": "error",
    "name": "SameVerdict",
    "inputs": []
  },
  {
    "type": "error",
    "name": "StillReserved",
    "inputs": [
      {
        "name": "reserved",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "StillSeated",
    "inputs": [
      {
        "name": "seats",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "StillUnbonding",
    "inputs": [
      {
        "name": "until",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "TemplateNotApproved",
    "inputs": [
      {
        "name": "templateId",
        "type": "uint8",
        "internalType": "uint8"
      }
    ]
  },
  {
    "type": "error",
    "name": "TermOutOfRange",
    "inputs": [
      {
        "name": "term",
        "type": "string",
        "internalType": "string"
      },
      {
        "name": "value",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "min",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "max",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "TooManyCheckpoints",
    "inputs": [
      {
        "name": "checkpoints",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "max",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "TooManyTemplates",
    "inputs": []
  },
  {
    "type": "error",
    "name": "UnknownConfig",
    "inputs": [
      {
        "name": "configId",
        "type": "uint16",
        "internalType": "uint16"
      }
    ]
  },
  {
    "type": "error",
    "name": "UnknownTemplate",
    "inputs": [
      {
        "name": "templateId",
        "type": "uint8",
        "internalType": "uint8"
      }
    ]
  },
  {
    "type": "error",
    "name": "ZeroAddress",
    "inputs": []
  },
  {
    "type": "error",
    "name": "ZeroHash",
    "inputs": [
      {
        "name": "term",
        "type": "string",
        "internalType": "string"
      }
    ]
  }
] as const;
