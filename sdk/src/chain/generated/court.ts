// Generated from Court.sol by script/generate.ts. Do not edit.
export const courtAbi = [
  {
    "type": "constructor",
    "inputs": [
      {
        "name": "escrow_",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "registry_",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "jobs_",
        "type": "address",
        "internalType": "address"
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
    "name": "appeal",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "reasonHash",
        "type": "bytes32",
        "internalType": "bytes32"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "appealBond",
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
        "type": "uint256",
        "internalType": "uint256"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "arbiterPeriod",
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
    "name": "challengeOf",
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
        "internalType": "struct Challenge",
        "components": [
          {
            "name": "kind",
            "type": "uint8",
            "internalType": "enum ChallengeKind"
          },
          {
            "name": "state",
            "type": "uint8",
            "internalType": "enum ChallengeState"
          },
          {
            "name": "opener",
            "type": "address",
            "internalType": "address"
          },
          {
            "name": "openedAt",
            "type": "uint40",
            "internalType": "uint40"
          },
          {
            "name": "bond",
            "type": "uint64",
            "internalType": "uint64"
          },
          {
            "name": "configId",
            "type": "uint16",
            "internalType": "uint16"
          },
          {
            "name": "reasonHash",
            "type": "bytes32",
            "internalType": "bytes32"
          }
        ]
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
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "dispute",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      },
      {
        "name": "reasonHash",
        "type": "bytes32",
        "internalType": "bytes32"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "disputeBond",
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
    "name": "grant",
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
    "name": "lapse",
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
    "name": "reject",
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
    "name": "uphold",
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
    "type": "event",
    "name": "ChallengeClosed",
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
        "name": "kind",
        "type": "uint8",
        "indexed": false,
        "internalType": "enum ChallengeKind"
      },
      {
        "name": "state",
        "type": "uint8",
        "indexed": false,
        "internalType": "enum ChallengeState"
      },
      {
        "name": "cutFrom",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      }
    ],
    "anonymous": false
  },
  {
    "type": "event",
    "name": "ChallengeOpened",
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
        "name": "opener",
        "type": "address",
        "indexed": true,
        "internalType": "address"
      },
      {
        "name": "kind",
        "type": "uint8",
        "indexed": false,
        "internalType": "enum ChallengeKind"
      },
      {
        "name": "bond",
        "type": "uint256",
        "indexed": false,
        "internalType": "uint256"
      },
      {
        "name": "reasonHash",
        "type": "bytes32",
        "indexed": false,
        "internalType": "bytes32"
      },
      {
        "name": "arbiterUntil",
        "type": "uint40",
        "indexed": false,
        "internalType": "uint40"
      }
    ],
    "anonymous": false
  },
  {
    "type": "error",
    "name": "AlreadyChallenged",
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
    "name": "ArbiterTimeOver",
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
    "name": "ArbiterTimeRuns",
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
    "name": "NoOpenChallenge",
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
    "name": "NotArbiter",
    "inputs": [
      {
        "name": "caller",
        "type": "address",
        "internalType": "address"
      },
      {
        "name": "arbiter",
        "type": "address",
        "internalType": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "WrongKind",
    "inputs": [
      {
        "name": "checkpointId",
        "type": "uint256",
        "internalType": "uint256"
      }
    ]
  }
] as const;
