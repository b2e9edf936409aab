/** What reasons about simulations and measurements say, for the capabilities that share them. */
export const simulationSentences = {
  ROUTER_HAS_NO_CODE: "There is no code at the router's address.",
  TOKEN_HAS_NO_CODE: "There is no code at the address of a token.",
  SIMULATION_UNAVAILABLE: "The measured simulation was not run; the limitations say why.",
  SIMULATION_DISAGREES: "A plain call and the measured simulation ended differently.",
  SIMULATION_RECOGNISABLE:
    "Code that may run can tell the simulation from a transaction by fees that the node does not show.",
  GAS_ABOVE_CAP: "The transaction needs more gas than the chain allows one transaction.",
  CALL_UNREAD: "No node answered the transaction as a call, so whether it runs is not known.",
  SENDER_UNREAD: "The sender's code or balance could not be read.",
  MEASURE_BOUND_REACHED: "The transaction concerns more tokens or addresses than this check measures.",
  MEASURE_UNREAD: "A balance or an allowance that matters could not be measured.",
  SIMULATION_UNFINISHED: "A simulated trade did not come to its end or could not be measured.",
} as const;
