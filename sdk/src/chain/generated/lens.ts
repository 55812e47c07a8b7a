// Generated from Lens.sol by script/generate.ts. Do not edit.
export const lensAbi = [
  {
    "type": "constructor",
    "inputs": [
      {
        "name": "jobs_",
        "type": "address",
        "internalType": "address"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "canAcquire",
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
      },
      {
        "name": "proof",
        "type": "bytes32[]",
        "internalType": "bytes32[]"
      }
    ],
    "outputs": [
      {
        "name": "reason",
        "type": "uint8",
        "internalType": "enum ILens.AcquireBlock"
      },
      {
        "name": "until",
        "type": "uint40",
        "internalType": "uint40"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "closable",
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
        "type": "bool",
        "internalType": "bool"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "getCheckpoint",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "v",
        "type": "tuple",
        "internalType": "struct ILens.CheckpointView",
        "components": [
          {
            "name": "checkpointId",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "jobId",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "parentId",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "fence",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "provider",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "pricePerStep",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "step",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "steps",
            "type": "uint32",
            "internalType": "uint32"
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
            "name": "judgeable",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "judgeableAt",
            "type": "uint40",
            "internalType": "uint40"
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
            "name": "maturesAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "pay",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "contentDigest",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "votes",
            "type": "tuple[3]",
            "internalType": "struct ILens.VoteView[3]",
            "components": [
              {
                "name": "verifier",
                "type": "address",
                "internalType": "address"
              },
              {
                "name": "outcome",
                "type": "uint8",
                "internalType": "uint8"
              },
              {
                "name": "metTarget",
                "type": "bool",
                "internalType": "bool"
              }
            ]
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "getCheckpoints",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "from",
        "type": "uint32",
        "internalType": "uint32"
      },
      {
        "name": "n",
        "type": "uint32",
        "internalType": "uint32"
      }
    ],
    "outputs": [
      {
        "name": "v",
        "type": "tuple[]",
        "internalType": "struct ILens.CheckpointView[]",
        "components": [
          {
            "name": "checkpointId",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "jobId",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "parentId",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "fence",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "provider",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "pricePerStep",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "step",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "steps",
            "type": "uint32",
            "internalType": "uint32"
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
            "name": "judgeable",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "judgeableAt",
            "type": "uint40",
            "internalType": "uint40"
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
            "name": "maturesAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "pay",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "contentDigest",
            "type": "bytes32",
            "internalType": "bytes32"
          },
          {
            "name": "votes",
            "type": "tuple[3]",
            "internalType": "struct ILens.VoteView[3]",
            "components": [
              {
                "name": "verifier",
                "type": "address",
                "internalType": "address"
              },
              {
                "name": "outcome",
                "type": "uint8",
                "internalType": "uint8"
              },
              {
                "name": "metTarget",
                "type": "bool",
                "internalType": "bool"
              }
            ]
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "getJob",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "v",
        "type": "tuple",
        "internalType": "struct ILens.JobView",
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
            "name": "draining",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "cancelled",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "metTarget",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "configId",
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
          },
          {
            "name": "deadline",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "commitsUntil",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "closedAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "judgedUntil",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "budget",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "locked",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "providerPay",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "contestedFrom",
            "type": "uint256",
            "internalType": "uint256"
          },
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
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "getLease",
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
        "internalType": "struct ILens.LeaseView",
        "components": [
          {
            "name": "fence",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "provider",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "pricePerStep",
            "type": "uint64",
            "internalType": "uint64"
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
            "name": "cause",
            "type": "uint8",
            "internalType": "enum EndCause"
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
            "name": "stallsAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "lastActionAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "openSince",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "bondReleased",
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
    "name": "getLeaseAt",
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
        "name": "v",
        "type": "tuple",
        "internalType": "struct ILens.LeaseView",
        "components": [
          {
            "name": "fence",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "provider",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "pricePerStep",
            "type": "uint64",
            "internalType": "uint64"
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
            "name": "cause",
            "type": "uint8",
            "internalType": "enum EndCause"
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
            "name": "stallsAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "lastActionAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "openSince",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "bondReleased",
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
    "name": "getQueue",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "v",
        "type": "tuple",
        "internalType": "struct ILens.QueueView",
        "components": [
          {
            "name": "headId",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "headStep",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "tipId",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "tipStep",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "judgingId",
            "type": "uint256",
            "internalType": "uint256"
          },
          {
            "name": "judgeableAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "count",
            "type": "uint32",
            "internalType": "uint32"
          },
          {
            "name": "pending",
            "type": "uint256[]",
            "internalType": "uint256[]"
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "getSeats",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "v",
        "type": "tuple",
        "internalType": "struct ILens.SeatsView",
        "components": [
          {
            "name": "drawn",
            "type": "bool",
            "internalType": "bool"
          },
          {
            "name": "seats",
            "type": "tuple[3]",
            "internalType": "struct ILens.SeatView[3]",
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
                "name": "voted",
                "type": "bool",
                "internalType": "bool"
              },
              {
                "name": "replaceable",
                "type": "bool",
                "internalType": "bool"
              }
            ]
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
            "name": "callable",
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
    "name": "getTerms",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "t",
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
    "name": "maxLiability",
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
        "name": "",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "stateMutability": "pure"
  },
  {
    "type": "function",
    "name": "nextStep",
    "inputs": [
      {
        "name": "parentId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
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
    "name": "payOutStatus",
    "inputs": [
      {
        "name": "jobId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "mature",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "settles",
        "type": "bool",
        "internalType": "bool"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "priceCeiling",
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
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "stateMutability": "view"
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
  }
] as const;
