import type { Chain } from "@assay/chain";
import { z } from "zod";
import { asTopic, TRANSFER } from "../settlement/transferCall.js";

const receiptSchema = z
  .object({
    status: z.string(),
    blockNumber: z.string(),
    logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
  })
  .nullable();

/** What a successful transaction brought to an account in a token; undefined where no node has it as successful. */
export async function readTransfer(
  chain: Chain,
  { token, to, transaction }: { readonly token: string; readonly to: string; readonly transaction: string },
): Promise<{ readonly amount: bigint; readonly block: number } | undefined> {
  const receipt = receiptSchema.parse(await chain.request("eth_getTransactionReceipt", [transaction]));
  if (receipt?.status !== "0x1") return undefined;
  const amounts = receipt.logs
    .filter(
      ({ address, topics, data }) =>
        address.toLowerCase() === token.toLowerCase() &&
        topics[0] === TRANSFER &&
        topics[2] === asTopic(to) &&
        data.length === 66,
    )
    .map(({ data }) => BigInt(data));
  return { amount: amounts.reduce((sum, one) => sum + one, 0n), block: Number(receipt.blockNumber) };
}
