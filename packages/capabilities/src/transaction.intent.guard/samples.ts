import { encodeFunctionData, erc20Abi, erc721Abi, type Hex, maxUint256, parseUnits } from "viem";
import { getAccount, getContract, type LocalChainFacts, type Sample } from "../localChain.js";

/** An account that has never been used. */
const STRANGER: Hex = "0x00000000000000000000000000000000005caffe";

export function listSamples(facts: LocalChainFacts): Sample[] {
  const send = (contract: string, data: Hex) => ({
    from: getAccount(facts, "alice"),
    to: getContract(facts, contract),
    data,
    value: "0",
  });
  const approve = (token: string, amount: bigint) => {
    const args = [getContract(facts, "swapRouter02"), amount] as const;
    return send(token, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }));
  };
  const transfer = (token: string, amount: bigint) => {
    const args = [STRANGER, amount] as const;
    return send(token, encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }));
  };
  const handOver = (collection: string) => {
    const args = [STRANGER, true] as const;
    return send(collection, encodeFunctionData({ abi: erc721Abi, functionName: "setApprovalForAll", args }));
  };
  return [
    { name: "Approve 25 dollars", input: approve("stablecoin", parseUnits("25", 6)) },
    { name: "Approve without a limit", input: approve("plainToken", maxUint256) },
    { name: "Send 5 dollars", input: transfer("stablecoin", parseUnits("5", 6)) },
    { name: "Hand over every NFT", input: handOver("erc721") },
  ];
}
