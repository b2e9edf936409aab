import type { CapabilityId } from "@assay/capabilities";
import { type ChannelConfig, type ChannelRequirements, type Hex, usdFromMicro } from "@assay/protocol";
import type { ChainSource } from "../chain/askNode.js";
import type { Connection, RequestOptions } from "../connect.js";
import { UnacceptableChallengeError } from "../errors.js";
import type { HttpAnswer } from "../exchange.js";
import { InvalidArgumentError } from "../invalidArgumentError.js";
import type { PreparedPayment } from "../preparedPayment.js";
import { agreeOnPrice, type Purchase, type SpendRules } from "../preparePayment.js";
import { readLimit } from "../readLimit.js";
import type { SendOptions } from "../sendPayment.js";
import type { ChannelContext, ChannelOptions, ChannelStatus } from "./channelContext.js";
import { ChannelDisputeError } from "./channelDisputeError.js";
import { countOf, keepInMemory, newRecord, readChannelRecord } from "./channelRecord.js";
import { type ClosedChannel, closeChannel } from "./closeChannel.js";
import { payByVoucher } from "./payByVoucher.js";
import { readChannelChallenge } from "./readChannelChallenge.js";
import { randomSalt } from "./signVoucher.js";

export interface Channel {
  /** Buys in turn: calls of one channel follow each other. `choose` is called when the turn has come. */
  buy<Id extends CapabilityId, T>(
    choose: () => Promise<Purchase<Id>>,
    read: (answer: HttpAnswer, prepared: PreparedPayment<Id>) => T,
    options: SendOptions & { readonly maxPriceUsd?: number | undefined },
  ): Promise<T>;
  /** Undefined before the first paid call, and after the channel was closed. */
  findStatus(): Promise<ChannelStatus | undefined>;
  close(options?: RequestOptions): Promise<ClosedChannel | undefined>;
}

export function openChannel(
  connection: Connection,
  rules: SpendRules,
  {
    depositUsd,
    maxPriceUsd = Math.min(depositUsd, rules.maxPriceUsd),
    store = keepInMemory(),
  }: ChannelOptions,
  node: ChainSource | undefined,
): Channel {
  const depositMicroUsd = readLimit("channel.depositUsd", depositUsd);
  if (readLimit("channel.maxPriceUsd", maxPriceUsd) > depositMicroUsd)
    throw new InvalidArgumentError(
      "channel.maxPriceUsd must not be above channel.depositUsd, which pays for it.",
    );
  const context: ChannelContext = { connection, rules, store, depositMicroUsd, node };
  const findRecord = async () => {
    const kept = await store.read();
    return kept && readChannelRecord(kept);
  };
  return {
    buy: (choose, read, options) =>
      store.exclusively(async () => {
        const kept = await findRecord();
        if (kept?.isClosing)
          throw new ChannelDisputeError(
            "The refund of this channel was asked for, and its answer got lost: close it again first.",
          );
        const purchase = await choose();
        const limit = Math.min(maxPriceUsd, options.maxPriceUsd ?? rules.maxPriceUsd);
        const agreement = await agreeOnPrice(
          connection,
          purchase,
          { ...rules, maxPriceUsd: limit },
          options,
          readChannelChallenge,
        );
        const { account, challenge } = agreement;
        const record =
          kept ?? newRecord(describeConfig(account.address, challenge.requirements, randomSalt()));
        verifyFits(
          record.config,
          describeConfig(account.address, challenge.requirements, record.config.salt),
        );
        return payByVoucher(context, record, { purchase, agreement, read, options });
      }),
    async findStatus() {
      const record = await findRecord();
      if (!record) return undefined;
      const { channelId, charged, signed, deposited } = countOf(record);
      return {
        channelId,
        payer: record.config.payer as Hex,
        payTo: record.config.receiver as Hex,
        depositedUsd: usdFromMicro(deposited),
        chargedUsd: usdFromMicro(charged),
        signedUsd: usdFromMicro(signed),
        leftUsd: usdFromMicro(deposited > charged ? deposited - charged : 0n),
        withdrawDelaySeconds: record.config.withdrawDelay,
      };
    },
    close: (options = {}) =>
      store.exclusively(async () => {
        const record = await findRecord();
        return record && closeChannel(context, record, options);
      }),
  };
}

/** The channel that this challenge asks for. The payer's own key signs its vouchers. */
const describeConfig = (
  payer: Hex,
  { payTo, asset, extra }: ChannelRequirements,
  salt: string,
): ChannelConfig => ({
  payer,
  payerAuthorizer: payer,
  receiver: payTo,
  receiverAuthorizer: extra.receiverAuthorizer as Hex,
  token: asset,
  withdrawDelay: Number(extra.withdrawDelay),
  salt,
});

/** Throws where the service now asks for another channel than the one that holds the deposit. */
function verifyFits(own: ChannelConfig, asked: ChannelConfig): void {
  for (const name of Object.keys(own) as (keyof ChannelConfig)[])
    if (String(own[name]).toLowerCase() !== String(asked[name]).toLowerCase())
      throw new UnacceptableChallengeError(
        `The service asks for a channel with ${name} ${asked[name]}; the open one has ${own[name]}. Close it to open another.`,
      );
}
