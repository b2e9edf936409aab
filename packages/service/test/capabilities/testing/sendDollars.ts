import type { Hex } from "@assay/protocol";
import { encodeFunctionData, erc20Abi } from "viem";
import { accountOf } from "../../payer.js";
import type { TestService } from "../../startTestService.js";

/** Mines a transfer of one stablecoin from carol, signed by herself; she pays for nothing else. */
export async function sendDollars({ chainOf }: Pick<TestService, "chainOf">): Promise<Hex> {
  const carol = accountOf({ chainOf }, "carol");
  const [to, nonce] = [chainOf.contracts.stablecoin as Hex, await countOf(chainOf, carol.address)];
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: "transfer",
    args: [chainOf.payTo, 1_000_000n],
  });
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n };
  const call = { chainId: 8453, type: "eip1559", nonce, gas: 200_000n, to, data, ...fees } as const;
  return chainOf.request<Hex>("eth_sendRawTransaction", [await carol.signTransaction(call)]);
}

const countOf = async (chainOf: TestService["chainOf"], address: Hex) =>
  Number(await chainOf.request<Hex>("eth_getTransactionCount", [address, "latest"]));
