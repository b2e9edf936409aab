import type { SeededChoices } from "@assay/chain/testing/seededChoices";
import type { Devnet } from "@assay/devnet";
import { type ChannelPayment, channelPaymentSchema, type Hex, type PaymentRequired } from "@assay/protocol";
import {
  BatchSettlementEvmScheme,
  buildChannelConfig,
  InMemoryClientChannelStorage,
  signVoucher,
} from "@x402/evm/batch-settlement/client";
import { x402Client, x402HTTPClient } from "@x402/fetch";
import { createPublicClient, http } from "viem";
import { toHeader } from "../test/payer.js";
import { createPayer, type Sight } from "./paidCalls.js";

/** A signed voucher, deposit or wish for a refund, and the request it was made for. */
export interface VoucherCall {
  readonly path: string;
  readonly payment: ChannelPayment;
  readonly header: string;
  readonly payer: VoucherPayer;
}

/** One channel of one wallet, used by the official client. */
export interface VoucherPayer {
  readonly wallet: Hex;
  sign(path: string, challenge: PaymentRequired): Promise<VoucherCall>;
  signRefund(path: string, challenge: PaymentRequired, amount?: string): Promise<VoucherCall>;
  /** Lets the client learn from an answer, as it does from each that it gets itself. */
  learn(call: VoucherCall, sight: Sight): Promise<void>;
}

const isChannelWay = ({ scheme }: { readonly scheme: string }) => scheme === "batch-settlement";

/** Each deposit lasts for one call and so many more. */
export function createVoucherPayer(
  devnet: Devnet,
  privateKey: Hex,
  choices: SeededChoices,
  moreCalls: () => number,
): VoucherPayer {
  const account = createPayer(privateKey);
  const reader = createPublicClient({ transport: http(devnet.rpcUrl), cacheTime: 0 });
  const storage = new InMemoryClientChannelStorage();
  // Each wallet has several channels, which differ in nothing else.
  const salt = choices.hex(32);
  const signer = {
    address: account.address,
    signTypedData: (message: unknown) => account.signTypedData(message as never),
    readContract: (request: unknown) => reader.readContract(request as never) as never,
  };
  const scheme = new BatchSettlementEvmScheme(signer, {
    storage,
    salt,
    depositStrategy: ({ minimumDepositAmount, requestAmount }) =>
      BigInt(minimumDepositAmount) + BigInt(moreCalls()) * BigInt(requestAmount),
  });
  const client = new x402Client((_version, accepts) => {
    const chosen = accepts.find(isChannelWay);
    if (!chosen) throw new Error("no channel is accepted");
    return chosen;
  }).register("eip155:8453", scheme);
  const httpClient = new x402HTTPClient(client);

  const toCall = (path: string, unchecked: unknown): VoucherCall => {
    const payment = channelPaymentSchema.parse(unchecked);
    return { path, payment, header: toHeader(payment), payer };
  };

  const payer: VoucherPayer = {
    wallet: account.address.toLowerCase() as Hex,
    sign: async (path, challenge) => toCall(path, await client.createPaymentPayload(challenge as never)),
    async signRefund(path, challenge, amount) {
      const accepted = challenge.accepts.find(isChannelWay);
      if (!accepted) throw new Error("no channel is accepted");
      const { payload, ...rest } = await client.createPaymentPayload(challenge as never);
      const { channelId } = payload.voucher as { channelId: Hex };
      const { chargedCumulativeAmount = "0" } = (await storage.get(channelId)) ?? {};
      return toCall(path, {
        ...rest,
        payload: {
          type: "refund",
          channelConfig: buildChannelConfig({ signer, storage, salt }, accepted as never),
          voucher: await signVoucher(signer, channelId, chargedCumulativeAmount, accepted.network),
          ...(amount !== undefined && { amount }),
        },
      });
    },
    async learn({ payment }, { headers, status }) {
      if (!headers) return;
      const result = await httpClient.processPaymentResult(
        payment as never,
        (name) => headers.get(name),
        status,
      );
      // What it believes of its channel may be wrong: like a client that was started again, it asks the chain.
      if (status !== 200 && !result.recovered)
        await storage.delete(payment.payload.voucher.channelId.toLowerCase());
    },
  };
  return payer;
}
