export const QUESTIONS = [
  {
    question: "What happens when a provider’s machine dies?",
    answer:
      "Its connection to the three seats closes. When it is not back within the job’s time-out, two of them sign it off the job and their signatures go on chain. The auction for the lease opens at once, the next provider starts from the newest checkpoint, and the steps since that checkpoint are lost to whoever trained them. Steps that were accepted stay paid.",
  },
  {
    question: "How does a verifier know that work is real?",
    answer:
      "It runs some of the steps again: intervals drawn by the hash of a block that came after the work was handed in. It compares how the model changed with how the provider said it changed. Honest machines differ by a few millionths, other work by a thousandth or more.",
  },
  {
    question: "Can a client refuse to pay?",
    answer:
      "No. What an accepted checkpoint earns is fixed at acceptance. A client can dispute within the dispute window, with a bond; the arbiter decides, and when it stays silent the verdict stands. After the window anybody can make the contract pay.",
  },
  {
    question: "Can a model be refused because it scores badly?",
    answer:
      "No. A low score only makes the verifiers replay the whole segment. If that passes, the work is paid. A target that was not met costs only the protocol its fee.",
  },
  {
    question: "When do I get my money back?",
    answer:
      "As client: what was not earned returns when the job is settled, or after you cancel, or when the deadline and its grace are over and anybody closes the job. As provider or verifier: your bond, after you leave and the unbonding time has passed.",
  },
  {
    question: "Who can see my data and my model?",
    answer:
      "The provider that trains on it can. Whole jobs kept private from their own provider are out of reach of encryption. Checkpoints are served to nobody before they are committed.",
  },
  {
    question: "Where do the losses on a run’s page come from?",
    answer:
      "From the provider’s own node, through a verifier’s gateway. They are self-reported until the trace that was committed binds them; a refused provider’s curve shows why that matters.",
  },
  {
    question: "Is the money real?",
    answer: "No. It is a test token on a local or test chain, worth nothing anywhere else.",
  },
] as const;

export const GLOSSARY = [
  { word: "Escrow", meaning: "The one contract that holds all money: budgets, pay ready to withdraw, bonds." },
  { word: "Step", meaning: "One update of the model. The unit of work and of pay." },
  {
    word: "Checkpoint",
    meaning: "All it takes to go on from a step, handed in every few steps and named by its hash.",
  },
  { word: "Head", meaning: "The newest accepted checkpoint. The model, so far." },
  {
    word: "Lease",
    meaning: "The right to train a job, held by one provider at a time, for a short while that each checkpoint renews.",
  },
  {
    word: "Fence",
    meaning: "A number that rises with every lease. Whoever comes late with an old one is refused by name.",
  },
  { word: "Seat", meaning: "One of the three verifiers drawn for a job. Two equal votes decide." },
  {
    word: "Pulse",
    meaning: "The connection over which a provider beats several times a second so that its seats know it lives.",
  },
  {
    word: "Eviction",
    meaning: "Two seats’ signatures that end the lease of a provider gone silent. It takes the lease, never money.",
  },
  {
    word: "Trace",
    meaning: "The states between two checkpoints, committed as one root, so that any interval can be asked for later.",
  },
  { word: "Replay", meaning: "Running an interval of steps again and comparing what changed." },
  {
    word: "Update distance",
    meaning:
      "How far a replayed change is from the claimed one, relative to its size. 0 is the same, 1 has nothing in common.",
  },
  {
    word: "Verdict",
    meaning: "Two equal votes on a checkpoint: accept, refuse, or unavailable when its bytes can’t be had.",
  },
  {
    word: "Dispute window",
    meaning: "The time in which a client may contest accepted work. After it the pay has matured.",
  },
  {
    word: "Reverse auction",
    meaning: "The price ceiling rises from zero; the cheapest provider can take the lease first.",
  },
  {
    word: "Bond",
    meaning:
      "What a provider or verifier has at stake. Refused work costs its provider one round of the verifiers’ fees.",
  },
  {
    word: "Proof of reserves",
    meaning: "What the escrow holds, less what it owes. Your browser asks the contract and subtracts.",
  },
] as const;
