/** Asked for, not built: nothing answers 402 for these names. */
export const proposedCapabilities = [
  {
    pledgeAs: "solana.program.change",
    title: "Program changes on Solana",
    wouldAnswer: "Whether a Solana program's code or upgrade authority changed between two observations.",
    gap: "Only one EVM chain is read today.",
    buildCost: "A second chain adapter with its own finality and account model.",
    status: "unbuilt",
  },
  {
    pledgeAs: "solana.token.mint.change",
    title: "Mint authority changes on Solana",
    wouldAnswer: "Whether a mint's authority, freeze authority or supply changed between two observations.",
    gap: "Only one EVM chain is read today.",
    buildCost: "A second chain adapter and the token program's account layouts.",
    status: "unbuilt",
  },
  {
    pledgeAs: "evm.contract.change.multichain",
    title: "Contract changes on several EVM chains",
    wouldAnswer:
      "Whether contracts deployed at one address on several chains still hold the same code and control slots.",
    gap: "Verdicts are limited to one chain id.",
    buildCost: "Nodes, finality rules and block-time measurement for each further chain.",
    status: "unbuilt",
  },
  {
    pledgeAs: "amm.pool.state",
    title: "Pool state",
    wouldAnswer: "Reserves, price, fee and depth of a pool at one block, with proofs.",
    gap: "Swap guards read pools but sell no pool reading of their own.",
    buildCost: "Readings for each pool family and their storage proofs.",
    status: "unbuilt",
  },
] as const;
