import { type ChannelConfig, type ChannelDeposit, channelConfigSchema, channelIdOf } from "@assay/protocol";
import { InvalidArgumentError } from "../invalidArgumentError.js";

/** What a payer has to remember of its channel. Plain JSON; amounts in atomic units of the token. */
export interface ChannelRecord {
  readonly config: ChannelConfig;
  /** What answers have cost so far: the ceiling of the last voucher that bought one. */
  readonly charged: string;
  /** The highest ceiling that was ever signed. Nobody can claim more. */
  readonly signed: string;
  /** What was deposited, as far as answers have confirmed it. */
  readonly deposited: string;
  /** A deposit that was signed and that no answer has confirmed. It goes with every voucher until one does. */
  readonly pending?: ChannelDeposit | undefined;
  /** Deposits that the service denied after they had expired, since the last answer. */
  readonly denied?: number | undefined;
  /** A refund was asked for, and its answer may have got lost. */
  readonly isClosing?: boolean | undefined;
}

/** Where the record of one channel is kept. */
export interface ChannelStore {
  /** Runs `work` while no other call uses the channel: each voucher adds to the one before it. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  read(): Promise<ChannelRecord | undefined>;
  /** Undefined forgets the channel. */
  write(record: ChannelRecord | undefined): Promise<void>;
}

/** A record that lasts as long as its client. */
export function keepInMemory(): ChannelStore {
  let record: ChannelRecord | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    exclusively(work) {
      const turn = last.then(work, work);
      last = turn.catch(() => undefined);
      return turn;
    },
    read: async () => record,
    write: async (next) => {
      record = next;
    },
  };
}

const AMOUNT = /^(0|[1-9][0-9]{0,38})$/;

/** A record as it was stored. Throws InvalidArgumentError at anything else: vouchers are signed from it. */
export function readChannelRecord(value: unknown): ChannelRecord {
  const record = Object(value) as ChannelRecord;
  const amounts = [record.charged, record.signed, record.deposited];
  if (!amounts.every((amount) => typeof amount === "string" && AMOUNT.test(amount)))
    throw new InvalidArgumentError("The record of the payment channel lacks an amount.");
  if (!channelConfigSchema.safeParse(record.config).success)
    throw new InvalidArgumentError(
      "The record of the payment channel does not say what the channel is made of.",
    );
  return record;
}

/** The channel that its payer has not used yet. */
export const newRecord = (config: ChannelConfig): ChannelRecord => ({
  config,
  ...{ charged: "0", signed: "0", deposited: "0" },
});

/** A channel as its payer counts it, in atomic units. */
export interface ChannelCount {
  readonly channelId: `0x${string}`;
  readonly charged: bigint;
  readonly signed: bigint;
  readonly deposited: bigint;
}

export const countOf = ({ config, charged, signed, deposited }: ChannelRecord): ChannelCount => ({
  channelId: channelIdOf(config),
  charged: BigInt(charged),
  signed: BigInt(signed),
  deposited: BigInt(deposited),
});
