import { type ChannelPayment, channelPaymentSchema, type PaymentRequired } from "@assay/protocol";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { createPublicClient, createWalletClient, encodeFunctionData, erc20Abi, type Hex, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { accountOf } from "../../../../test/payer.js";
import type { TestService } from "../../../../test/startTestService.js";

export async function fund(service: TestService, to: Hex, amount: bigint): Promise<void> {
  const wallet = createWalletClient({
    account: accountOf(service, "frank"),
    transport: http(service.chainOf.rpcUrl),
  });
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
  await wallet.sendTransaction({
    to: service.chainOf.stablecoin.address as Hex,
    data,
    gas: 100_000n,
    chain: null,
  });
  await service.chainOf.mine(1);
}

/** An agent with the official client, which pays by channel: with money of its own. */
export async function openPayer(
  service: TestService,
  options: { readonly usd?: number /** Ten calls unless stated. */; readonly depositUsd?: number } = {},
) {
  const { depositUsd } = options;
  const account = privateKeyToAccount(generatePrivateKey());
  await fund(service, account.address, BigInt(Math.round((options.usd ?? 10) * 1e6)));
  const reader = createPublicClient({ transport: http(service.chainOf.rpcUrl) });
  const scheme = new BatchSettlementEvmScheme(
    {
      address: account.address,
      signTypedData: (message) => account.signTypedData(message as never),
      readContract: (request) => reader.readContract(request as never) as never,
    },
    depositUsd === undefined ? {} : { depositStrategy: () => BigInt(Math.round(depositUsd * 1e6)) },
  );
  // The order of schemes decides nothing: both are known, and this one is chosen.
  const client = new x402Client((_version, accepts) => {
    const chosen = accepts.find((way) => way.scheme === "batch-settlement") ?? accepts[0];
    if (!chosen) throw new Error("nothing is accepted");
    return chosen;
  })
    .register("eip155:8453", new ExactEvmScheme(account))
    .register("eip155:8453", scheme);
  const paidFetch = wrapFetchWithPayment(fetch, client);
  return {
    account,
    scheme,
    client,
    fetch: paidFetch,
    /** What the client would send, without sending it. */
    sign: async (challenge: PaymentRequired): Promise<ChannelPayment> =>
      channelPaymentSchema.parse(await client.createPaymentPayload(challenge as never)),
    async buy(url: string, init?: RequestInit) {
      const response = await paidFetch(url, init);
      const header = response.headers.get("payment-response");
      return {
        status: response.status,
        body: await response.text(),
        paid: header === null ? undefined : decodePaymentResponseHeader(header),
      };
    },
  };
}
