// Generated from IJobs.sol, Jobs.sol, Settlement.sol by script/generate.ts. Do not edit.
export const jobsAbi = [
  {
    "type": "function",
    "name": "DOMAIN_SEPARATOR",
    "inputs": [],
    "outputs": [
      {
        "name": "",
        "type": "bytes32",
        "internalType": "bytes32"
      }
    ],
    "stateMutability": "view"
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
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "acquireLease",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "proof",
        "type": "bytes32[]",
        "internalType": "bytes32[]"
      }
    ],
    "outputs": [
      {
        "name": "fence",
        "type": "uint32",
        "internalType": "uint32"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "cancel",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "castVerdicts",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "verdicts",
        "type": "tuple[]",
        "internalType": "struct SignedVerdict[]",
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
    "name": "checkpointRecord",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "internalType": "struct Checkpoint",
        "components": [
          {
            "name": "fence",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "parent",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "step",
            "type": "uint24",
            "internalType": "uint24"
          },
          {
            "name": "steps",
            "type": "uint24",
            "internalType": "uint24"
          },
          {
            "name": "status",
            "type": "uint8",
            "internalType": "enum CheckpointStatus"
          },
          {
            "name": "offSchedule",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "committedAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "decidedAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "votes",
            "type": "uint48",
            "internalType": "uint48"
          }
        ]
      },
      {
        "name": "contentDigest",
        "type": "bytes32",
        "internalType": "bytes32"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "clockOf",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "internalType": "struct LeaseClock",
        "components": [
          {
            "name": "fence",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "live",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "committed",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "acquiredAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "expiresAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "segmentStart",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "openSince",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "markedBlock",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "rosterSize",
            "type": "uint16",
            "internalType": "uint16"
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "close",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "commitCheckpoint",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "fence",
        "type": "uint32",
        "internalType": "uint32"
      },
      {
        "name": "parentId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "step",
        "type": "uint32",
        "internalType": "uint32"
      },
      {
        "name": "stateHash",
        "type": "bytes32",
        "internalType": "bytes32"
      },
      {
        "name": "traceRoot",
        "type": "bytes32",
        "internalType": "bytes32"
      },
      {
        "name": "release",
        "type": "bool",
        "internalType": "bool"
      }
    ],
    "outputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "contest",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "client",
        "type": "address",
        "internalType": "address"
      }
    ],
    "outputs": [
      {
        "name": "unpaid",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "configId",
        "type": "uint16",
        "internalType": "uint16"
      }
    ],
    "stateMutability": "nonpayable"
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
    "name": "cut",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "fromId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "voters",
        "type": "address[3]",
        "internalType": "address[3]"
      }
    ],
    "stateMutability": "nonpayable"
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
    "name": "evictLease",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "fence",
        "type": "uint32",
        "internalType": "uint32"
      },
      {
        "name": "evictions",
        "type": "tuple[]",
        "internalType": "struct SignedEviction[]",
        "components": [
          {
            "name": "attestedAt",
            "type": "uint64",
            "internalType": "uint64"
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
    "name": "finalizeRefusal",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "holdRefusal",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "provider",
        "type": "address",
        "internalType": "address"
      }
    ],
    "outputs": [
      {
        "name": "configId",
        "type": "uint16",
        "internalType": "uint16"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "jobCount",
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
    "name": "jobHashes",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "bytes32",
        "internalType": "bytes32"
      },
      {
        "name": "",
        "type": "bytes32",
        "internalType": "bytes32"
      },
      {
        "name": "",
        "type": "bytes32",
        "internalType": "bytes32"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "jobRecord",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "internalType": "struct Job",
        "components": [
          {
            "name": "client",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "status",
            "type": "uint8",
            "internalType": "enum JobStatus"
          },
          {
            "name": "cancelled",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "contested",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "cancelFeeDue",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "restricted",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "verdictTimeout",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "disputeWindow",
            "type": "uint24",
            "internalType": "uint24"
          },
          {
            "name": "pulseTimeoutMs",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "totalSteps",
            "type": "uint24",
            "internalType": "uint24"
          },
          {
            "name": "checkpointInterval",
            "type": "uint24",
            "internalType": "uint24"
          },
          {
            "name": "maxPricePerStep",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "verifierFee",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "leaseDuration",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "segmentTimeout",
            "type": "uint24",
            "internalType": "uint24"
          },
          {
            "name": "auctionRamp",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "gracePeriod",
            "type": "uint24",
            "internalType": "uint24"
          },
          {
            "name": "templateId",
            "type": "uint8",
            "internalType": "uint8"
          },
          {
            "name": "deadline",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "configId",
            "type": "uint16",
            "internalType": "uint16"
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "leaseRecord",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "fence",
        "type": "uint32",
        "internalType": "uint32"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "internalType": "struct LeaseRecord",
        "components": [
          {
            "name": "provider",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "price",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "lastIndex",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "cause",
            "type": "uint8",
            "internalType": "enum EndCause"
          },
          {
            "name": "feesTaken",
            "type": "uint8",
            "internalType": "uint8"
          },
          {
            "name": "roundDue",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "released",
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
    "name": "ledgerOf",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "internalType": "struct Ledger",
        "components": [
          {
            "name": "payCursor",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "providerPay",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "contestedFrom",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "cut",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "contestedAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "maturedThrough",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "closedAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "metTarget",
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
    "name": "memberOf",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "index",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "internalType": "struct Member",
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
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "overturn",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "voters",
        "type": "address[3]",
        "internalType": "address[3]"
      },
      {
        "name": "payout",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "lostPay",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "panelOf",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "internalType": "struct Panel",
        "components": [
          {
            "name": "seats",
            "type": "uint8[3]",
            "internalType": "uint8[3]"
          },
          {
            "name": "memberCount",
            "type": "uint8",
            "internalType": "uint8"
          },
          {
            "name": "drawn",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "replacing",
            "type": "uint8",
            "internalType": "uint8"
          },
          {
            "name": "anchorBlock",
            "type": "uint40",
            "internalType": "uint40"
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
            "name": "anchorFence",
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
    "name": "payOut",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "max",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "postJob",
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
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "postJobWithPermit",
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
      },
      {
        "name": "permit",
        "type": "tuple",
        "internalType": "struct Permit",
        "components": [
          {
            "name": "deadline",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "v",
            "type": "uint8",
            "internalType": "uint8"
          },
          {
            "name": "r",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "s",
            "type": "bytes32",
            "internalType": "bytes32"
          }
        ]
      }
    ],
    "outputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "queueOf",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "internalType": "struct Queue",
        "components": [
          {
            "name": "head",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "headStep",
            "type": "uint24",
            "internalType": "uint24"
          },
          {
            "name": "cursor",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "count",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "tail",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "tailStep",
            "type": "uint24",
            "internalType": "uint24"
          },
          {
            "name": "pending",
            "type": "uint8",
            "internalType": "uint8"
          },
          {
            "name": "forked",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "judgeableAt",
            "type": "uint40",
            "internalType": "uint40"
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "registry",
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
    "name": "releaseBond",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "fence",
        "type": "uint32",
        "internalType": "uint32"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "releaseLease",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "fence",
        "type": "uint32",
        "internalType": "uint32"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "releaseSeats",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "renewLease",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "fence",
        "type": "uint32",
        "internalType": "uint32"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "replaceSeat",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "seat",
        "type": "uint8",
        "internalType": "uint8"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "seatCommittee",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "settleRefusal",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "settlement",
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
    "name": "standingOf",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "provider",
        "type": "address",
        "internalType": "address"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "internalType": "struct Standing",
        "components": [
          {
            "name": "barred",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "evictions",
            "type": "uint8",
            "internalType": "uint8"
          },
          {
            "name": "coolingUntil",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "refusals",
            "type": "uint8",
            "internalType": "uint8"
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "uphold",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "payout",
        "type": "address",
        "internalType": "address"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "event",
    "name": "ChainContested",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "fromId",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      },
      {
        "name": "drainUntil",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "ChainCut",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "fromId",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      },
      {
        "name": "headId",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "ChainUpheld",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "fromId",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      },
      {
        "name": "throughId",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      },
      {
        "name": "newDeadline",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "CheckpointAccepted",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "provider",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "step",
        "type": "uint32",
        "indexed": false,
        "internalType": "uint32"
      },
      {
        "name": "pay",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "CheckpointCommitted",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "fence",
        "type": "uint32",
        "indexed": true,
        "internalType": "uint32"
      },
      {
        "name": "parentId",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      },
      {
        "name": "step",
        "type": "uint32",
        "indexed": false,
        "internalType": "uint32"
      },
      {
        "name": "stateHash",
        "type": "bytes32",
        "indexed": false,
        "internalType": "bytes32"
      },
      {
        "name": "traceRoot",
        "type": "bytes32",
        "indexed": false,
        "internalType": "bytes32"
      },
      {
        "name": "offSchedule",
        "type": "bool",
        "indexed": false,
        "internalType": "bool"
      },
      {
        "name": "judgeableAt",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      },
      {
        "name": "expiresAt",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "CheckpointJudgeable",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "judgeableAt",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "CheckpointOrphaned",
    "inputs": [
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
    "name": "CheckpointPaid",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "payout",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "pay",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      },
      {
        "name": "fee",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      },
      {
        "name": "voters",
        "type": "address[3]",
        "indexed": false,
        "internalType": "address[3]"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "CheckpointRefused",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "provider",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "appealUntil",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "CheckpointUnavailable",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "provider",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "CheckpointVoided",
    "inputs": [
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
    "name": "CommitteeSeated",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "verifiers",
        "type": "address[3]",
        "indexed": false,
        "internalType": "address[3]"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "EvictionCast",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "fence",
        "type": "uint32",
        "indexed": true,
        "internalType": "uint32"
      },
      {
        "name": "verifier",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "seat",
        "type": "uint8",
        "indexed": false,
        "internalType": "uint8"
      },
      {
        "name": "attestedAt",
        "type": "uint64",
        "indexed": false,
        "internalType": "uint64"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "JobCancelled",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "drainUntil",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      },
      {
        "name": "cancelFeeDue",
        "type": "bool",
        "indexed": false,
        "internalType": "bool"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "JobClosing",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "judgedUntil",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "JobCompleted",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "checkpointId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "metTarget",
        "type": "bool",
        "indexed": false,
        "internalType": "bool"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "JobPosted",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "client",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "templateId",
        "type": "uint8",
        "indexed": true,
        "internalType": "uint8"
      },
      {
        "name": "configId",
        "type": "uint16",
        "indexed": false,
        "internalType": "uint16"
      },
      {
        "name": "arbiter",
        "type": "address",
        "indexed": false,
        "internalType": "address"
      },
      {
        "name": "treasury",
        "type": "address",
        "indexed": false,
        "internalType": "address"
      },
      {
        "name": "terms",
        "type": "tuple",
        "indexed": false,
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
    "anonymous": false
  },
  {
    "type": "event",
    "name": "JobSettled",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "providerPay",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      },
      {
        "name": "verifierFees",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      },
      {
        "name": "protocolFee",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      },
      {
        "name": "refund",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "LeaseAcquired",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "fence",
        "type": "uint32",
        "indexed": true,
        "internalType": "uint32"
      },
      {
        "name": "provider",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "pricePerStep",
        "type": "uint64",
        "indexed": false,
        "internalType": "uint64"
      },
      {
        "name": "expiresAt",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "LeaseBondReleased",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "fence",
        "type": "uint32",
        "indexed": true,
        "internalType": "uint32"
      },
      {
        "name": "provider",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "LeaseEnded",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "fence",
        "type": "uint32",
        "indexed": true,
        "internalType": "uint32"
      },
      {
        "name": "provider",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "cause",
        "type": "uint8",
        "indexed": false,
        "internalType": "enum EndCause"
      },
      {
        "name": "endedAt",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      },
      {
        "name": "openSince",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "LeaseRenewed",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "fence",
        "type": "uint32",
        "indexed": true,
        "internalType": "uint32"
      },
      {
        "name": "expiresAt",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "ProviderCooling",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "provider",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "until",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "RefusalFinal",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "RefusalOverturned",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "ReplacementAbandoned",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "seat",
        "type": "uint8",
        "indexed": false,
        "internalType": "uint8"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "SeatReleased",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "verifier",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "SeatReplaced",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "seat",
        "type": "uint8",
        "indexed": false,
        "internalType": "uint8"
      },
      {
        "name": "previous",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "verifier",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "SeatsAnchored",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "seat",
        "type": "uint8",
        "indexed": false,
        "internalType": "uint8"
      },
      {
        "name": "anchorBlock",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      },
      {
        "name": "rosterSize",
        "type": "uint16",
        "indexed": false,
        "internalType": "uint16"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "VerdictCast",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "indexed": true,
        "internalType": "uint256"
      },
      {
        "name": "verifier",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "seat",
        "type": "uint8",
        "indexed": false,
        "internalType": "uint8"
      },
      {
        "name": "outcome",
        "type": "uint8",
        "indexed": false,
        "internalType": "enum Outcome"
      },
      {
        "name": "metTarget",
        "type": "bool",
        "indexed": false,
        "internalType": "bool"
      },
      {
        "name": "score",
        "type": "uint32",
        "indexed": false,
        "internalType": "uint32"
      },
      {
        "name": "evidenceHash",
        "type": "bytes32",
        "indexed": false,
        "internalType": "bytes32"
      }
    ],
    "anonymous": false
  },
  {
    "type": "error",
    "name": "AlreadyCancelled",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "AlreadySeated",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "AnchorTooRecent",
    "inputs": [
      {
        "name": "anchorBlock",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "AppealWindowOpen",
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
    "name": "BatchTooLarge",
    "inputs": [
      {
        "name": "asked",
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
    "name": "BondStillDue",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "fence",
        "type": "uint32",
        "internalType": "uint32"
      }
    ]
  },
  {
    "type": "error",
    "name": "ClientCannotLease",
    "inputs": [
      {
        "name": "provider",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "CoolingDown",
    "inputs": [
      {
        "name": "provider",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "until",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "DeadlinePassed",
    "inputs": [
      {
        "name": "deadline",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "Draining",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "LeaseExpired",
    "inputs": [
      {
        "name": "endedAt",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "LeaseHeld",
    "inputs": [
      {
        "name": "fence",
        "type": "uint32",
        "internalType": "uint32"
      },
      {
        "name": "until",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "LeaseNotLive",
    "inputs": [
      {
        "name": "fence",
        "type": "uint32",
        "internalType": "uint32"
      }
    ]
  },
  {
    "type": "error",
    "name": "NoCommittee",
    "inputs": [
      {
        "name": "eligible",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "needed",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "NoSeatToRelease",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "NoVoteCounted",
    "inputs": [
      {
        "name": "checkpointId",
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
    "name": "NotClient",
    "inputs": [
      {
        "name": "caller",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "client",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotClosable",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotEligible",
    "inputs": [
      {
        "name": "provider",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotHolder",
    "inputs": [
      {
        "name": "caller",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "holder",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotJudgeable",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotOffering",
    "inputs": [
      {
        "name": "provider",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotSeated",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "NothingToPay",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "PayBelowRound",
    "inputs": [
      {
        "name": "pay",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "round",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "PriceAboveCeiling",
    "inputs": [
      {
        "name": "price",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "ceiling",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "ProviderBarred",
    "inputs": [
      {
        "name": "provider",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "QueueFull",
    "inputs": [
      {
        "name": "pending",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "ReplacementUnderWay",
    "inputs": [
      {
        "name": "seat",
        "type": "uint8",
        "internalType": "uint8"
      }
    ]
  },
  {
    "type": "error",
    "name": "SameBlockAsEviction",
    "inputs": []
  },
  {
    "type": "error",
    "name": "SeatNotReplaceable",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "seat",
        "type": "uint8",
        "internalType": "uint8"
      }
    ]
  },
  {
    "type": "error",
    "name": "SeatedVerifierCannotLease",
    "inputs": [
      {
        "name": "provider",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "SeatsNotAnchored",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "StaleFence",
    "inputs": [
      {
        "name": "given",
        "type": "uint32",
        "internalType": "uint32"
      },
      {
        "name": "current",
        "type": "uint32",
        "internalType": "uint32"
      }
    ]
  },
  {
    "type": "error",
    "name": "TooFewSeats",
    "inputs": [
      {
        "name": "counted",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "needed",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "UnderChallenge",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "UnknownCheckpoint",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "UnknownJob",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "WindowOver",
    "inputs": [
      {
        "name": "endedAt",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "WrongCheckpointStatus",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "status",
        "type": "uint8",
        "internalType": "uint8"
      }
    ]
  },
  {
    "type": "error",
    "name": "WrongParent",
    "inputs": [
      {
        "name": "given",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "WrongStatus",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "status",
        "type": "uint8",
        "internalType": "uint8"
      }
    ]
  },
  {
    "type": "error",
    "name": "WrongStep",
    "inputs": [
      {
        "name": "given",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "due",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  }
] as const;
