import { createChain } from "@assay/chain";
import { BASE_USDC, CHAIN_ID, usdFromMicro } from "@assay/protocol";
import { readTransfer } from "../../payments/recovery/readTransfer.js";
import {
  beginRefund,
  listRecovered,
  type RecoveredPayment,
  recordRefund,
} from "../../payments/recovery/recoveredPayments.js";
import type { Database } from "../../store/database.js";
import type { Config } from "../config.js";
import { ConfigError } from "../configError.js";
import { createLogger } from "../logger.js";
import { type Command, formatTable, type Given, type Result, takeArgument, withDatabase } from "./command.js";

interface OpenCall {
  invocation_id: string;
  state: string;
  capability_id: string;
  payer: string;
  price_micro_usd: bigint;
  seconds: number;
  valid_before: bigint;
  failure: string | null;
}

export const payments: Command = {
  name: "payments",
  usage: "[--older-than <seconds>] | retry <invocationId>",
  summary: "payments that have not ended, and why",
  help: `Lists calls that are reserved, being settled, or of which it is not known whether their payment arrived, the oldest first. The
service asks the chain about each of them every few seconds, so a long list means that nodes do not answer or a settling key lacks
ether. Nobody can end such a call by hand: only the chain says whether money moved, at the latest once a final block is past the
payment's validity. A payer who sends the payment again gets the answer or the reason.

retry has the running service take one up at once, whatever process had it.

  --older-than <seconds>   only calls that began so long ago; 60 by default`,
  examples: ["assay-admin payments", "assay-admin payments --older-than 600 --json"],
  options: { "older-than": { type: "string" } },
  run: (given) => withDatabase(given.config, (database) => runPayments(database, given)),
};

async function runPayments(database: Database, { positionals, values }: Given): Promise<Result> {
  const [action, id, ...more] = positionals;
  if (action !== undefined) {
    if (action !== "retry" || id === undefined || more.length > 0)
      throw new ConfigError("Only `payments retry <invocationId>` follows here; --help shows how.");
    const moved = await database.query({
      text: `UPDATE invocations SET lease_until = now() - interval '1 second'
             WHERE invocation_id = $1 AND state = 'unknown' RETURNING 1`,
      values: [id],
    });
    if (moved.length === 0)
      throw new ConfigError(
        `${id} is no call whose payment is unknown: it has ended, or a process works on it.`,
      );
    return { text: [`${id} is taken up within a second by any running process.`], json: { retried: id } };
  }
  const seconds = Number(values["older-than"] ?? 60);
  if (!Number.isInteger(seconds) || seconds < 0)
    throw new ConfigError("--older-than must be a whole number of seconds.");
  const rows = await database.query<OpenCall>({
    text: `SELECT invocation_id, state, capability_id, payer, price_micro_usd, valid_before, failure,
             extract(epoch FROM now() - created_at)::float8 AS seconds
           FROM invocations WHERE state IN ('reserved', 'settling', 'unknown')
             AND created_at <= now() - $1 * interval '1 second'
           ORDER BY created_at LIMIT 1000`,
    values: [seconds],
  });
  const calls = rows.map((row) => ({
    invocationId: row.invocation_id,
    state: row.state,
    capabilityId: row.capability_id,
    payer: row.payer,
    priceUsd: usdFromMicro(row.price_micro_usd),
    ageSeconds: Math.round(row.seconds),
    validUntil: new Date(Number(row.valid_before) * 1000).toISOString(),
    reason: row.failure,
  }));
  return {
    text:
      calls.length === 0
        ? [`No payment is open for longer than ${seconds} seconds.`]
        : formatTable(
            ["call", "state", "capability", "USD", "age", "valid until", "why"],
            calls.map((call) => [
              call.invocationId,
              call.state,
              call.capabilityId,
              call.priceUsd,
              `${call.ageSeconds} s`,
              call.validUntil,
              call.reason ?? "",
            ]),
          ),
    json: calls,
    isFault: calls.length > 0,
  };
}

export const refunds: Command = {
  name: "refunds",
  usage: "[begin <id> | record <id> --transaction <0x…>]",
  summary: "payments of calls that a restored database lacks",
  help: `Lists what the chain shows as paid and no call of this database carried, as found after a restoration. A payer who sends such a
payment again gets an answer, without another charge. What waits for long can be paid back in two steps, so that nobody gets both:

begin     from now on this payment buys no answer. Refused where it was answered, or is being answered.
record    the transfer with which you paid it back, from any account of yours, as it stands on the chain. It is checked: the token,
          the payer, at least the amount, later than the payment, and not recorded for another payment.

The service holds no key of PAY_TO, so it cannot send the money itself.`,
  examples: ["assay-admin refunds", "assay-admin refunds --json"],
  options: { transaction: { type: "string" } },
  run: (given) => withDatabase(given.config, (database) => runRefunds(database, given)),
};

async function runRefunds(database: Database, given: Given): Promise<Result> {
  const [action, ...rest] = given.positionals;
  if (action === undefined) return listRefunds(await listRecovered(database));
  const id = takeArgument(
    { ...given, positionals: rest },
    "the id of one payment, as `assay-admin refunds` lists it",
  );
  const [payment] = await listRecovered(database, id);
  if (!payment) throw new ConfigError(`There is no payment ${id}; assay-admin refunds lists them.`);
  if (action === "begin") {
    if (!(await beginRefund(database, id)))
      throw new ConfigError(
        `${id} cannot be refunded now: it is ${payment.state === "waiting" ? "being answered" : payment.state.replace("_", " ")}.`,
      );
    return {
      text: [
        `${id} buys no answer any more. Pay ${usdFromMicro(payment.amountMicroUsd)} USD to ${payment.payer}, then:`,
        `assay-admin refunds record ${id} --transaction 0x…`,
      ],
      json: { begun: id, payTo: payment.payer, amountMicroUsd: String(payment.amountMicroUsd) },
    };
  }
  if (action !== "record")
    throw new ConfigError(`There is no action "${action}"; --help shows begin and record.`);
  const transaction = String(given.values.transaction ?? "");
  if (!/^0x[0-9a-fA-F]{64}$/.test(transaction))
    throw new ConfigError("--transaction must be 0x and 64 hex digits.");
  await verifyRefund(given.config, payment, transaction);
  if (!(await recordRefund(database, id, transaction)))
    throw new ConfigError(`The refund of ${id} was not begun, or is recorded already.`);
  return { text: [`${id} is refunded by ${transaction}.`], json: { refunded: id, transaction } };
}

const listRefunds = (all: readonly RecoveredPayment[]): Result => ({
  text:
    all.length === 0
      ? ["No payment is known to the chain that this database lacks."]
      : formatTable(
          ["id", "state", "payer", "USD", "block", "transaction"],
          all.map((one) => [
            one.id,
            one.state,
            one.payer,
            usdFromMicro(one.amountMicroUsd),
            one.block,
            one.transaction,
          ]),
        ),
  json: all.map(({ amountMicroUsd, ...one }) => ({ ...one, amountMicroUsd: String(amountMicroUsd) })),
});

async function verifyRefund(config: Config, payment: RecoveredPayment, transaction: string): Promise<void> {
  const { rpcUrls, stablecoinAddress } = config;
  if (rpcUrls === undefined)
    throw new ConfigError("RPC_URL must be set: the refund is checked on the chain.");
  const chain = await createChain({
    rpcUrls: [...rpcUrls],
    expectedChainId: CHAIN_ID,
    logger: createLogger("error"),
  });
  try {
    const token = stablecoinAddress ?? BASE_USDC;
    const paid = await readTransfer(chain, { token, to: payment.payer, transaction });
    if (paid === undefined) throw new ConfigError(`No node has ${transaction} as a successful transaction.`);
    if (paid.block < payment.block) throw new ConfigError("That transaction is older than the payment.");
    if (paid.amount < payment.amountMicroUsd)
      throw new ConfigError(
        `That transaction brings ${usdFromMicro(paid.amount)} USD to ${payment.payer}, not ${usdFromMicro(payment.amountMicroUsd)}.`,
      );
  } finally {
    await chain.close();
  }
}
