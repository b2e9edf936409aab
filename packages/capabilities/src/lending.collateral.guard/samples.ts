import { parseUnits } from "viem";
import { getAccount, type LocalChainFacts, type Sample } from "../localChain.js";

/** Borrows of dollars, which have six decimals, on alice's ten ether of 3,000 dollars each. */
export function listSamples(facts: LocalChainFacts): Sample[] {
  const { id: marketId, collateralToken, loanToken } = facts.lendingMarket;
  const userAddress = getAccount(facts, "alice");
  const borrow = (dollars: string) => ({
    marketId,
    collateralToken,
    loanToken,
    userAddress,
    borrowAmountWei: parseUnits(dollars, 6).toString(),
  });
  return [
    { name: "Borrow 5,000 on ten ether", input: borrow("5000") },
    { name: "Borrow 24,000", input: borrow("24000") },
    { name: "Borrow 30,000, too much", input: borrow("30000") },
  ];
}
