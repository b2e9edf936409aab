import { z } from "zod";
import { oneLine, quote } from "./modelText.js";

const flowSchema = z.object({
  text: z.string().nullish(),
  amount: z.string(),
  token: z.string().nullish(),
  usd: z.string().nullish(),
  to: z.union([z.string(), z.array(z.string())]).nullish(),
});
const permissionSchema = z.object({
  token: z.string(),
  spender: z.string(),
  name: z.string().nullish(),
  amount: z.string().nullish(),
  isRevocation: z.boolean().nullish(),
});
const effectsSchema = z.object({
  leaves: z.array(flowSchema),
  returns: z.array(flowSchema),
  permissions: z.array(permissionSchema),
});
const tradeSchema = z.object({ gives: z.array(flowSchema), gets: z.array(flowSchema) });
const swapSchema = z.object({
  swap: z.object({ tokenIn: z.object({ address: z.string() }), tokenOut: z.object({ address: z.string() }) }),
  measured: z.object({ paid: z.string(), received: z.string() }),
});

export interface Effects {
  readonly leaves: readonly string[];
  readonly returns: readonly string[];
  readonly permissions: readonly string[];
}

/** More than half of all numbers that a token can count: nobody means such an amount as a limit. */
const UNLIMITED = 2n ** 255n;

/** What leaves, what returns and who may take what, by any of the forms in which a rule states it; undefined where it states none. */
export function listEffects(findings: unknown): Effects | undefined {
  const found = asRecord(findings);
  for (const place of [found.effects, asRecord(found.run).effects]) {
    const { data } = effectsSchema.safeParse(place);
    if (data)
      return {
        leaves: data.leaves.map(describeFlow),
        returns: data.returns.map(describeFlow),
        permissions: data.permissions.map(describePermission),
      };
  }
  const { data: trades } = z.array(tradeSchema).min(1).safeParse(found.trades);
  if (trades)
    return {
      leaves: trades.flatMap(({ gives }) => gives.map(describeFlow)),
      returns: trades.flatMap(({ gets }) => gets.map(describeFlow)),
      permissions: [],
    };
  const { data: swap } = swapSchema.safeParse(findings);
  if (!swap) return undefined;
  const { tokenIn, tokenOut } = swap.swap;
  return {
    leaves: [describeFlow({ amount: swap.measured.paid, token: tokenIn.address })],
    returns: [describeFlow({ amount: swap.measured.received, token: tokenOut.address })],
    permissions: [],
  };
}

function describeFlow({ text, amount, token, usd, to }: z.infer<typeof flowSchema>): string {
  const what = text ? quote(text.slice(0, 80)) : `${number(amount)} units`;
  const of = token === null ? " of ether" : token === undefined ? "" : ` of ${word(token)}`;
  const worth = usd ? ` (${oneLine(usd.slice(0, 24))})` : "";
  const [receiver] = typeof to === "string" ? [to] : (to ?? []);
  return `${what}${of}${worth}${receiver === undefined ? "" : ` to ${word(receiver)}`}`;
}

function describePermission(one: z.infer<typeof permissionSchema>): string {
  // Somebody without a name is called by the address, which follows anyhow.
  const name = one.name?.includes("0x") ? undefined : one.name;
  const who = `${name ? `${quote(name.slice(0, 60))} ` : ""}${word(one.spender)}`;
  if (one.isRevocation) return `${who} no more of ${word(one.token)}`;
  const isEndless = one.amount && /^\d{1,78}$/.test(one.amount) && BigInt(one.amount) >= UNLIMITED;
  const most = isEndless
    ? "without limit"
    : one.amount
      ? `up to ${number(one.amount)} units`
      : "an item or all";
  return `${who} ${most} of ${word(one.token)}`;
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
const number = (text: string) => (/^-?\d{1,78}$/.test(text) ? text : quote(text.slice(0, 80)));
const word = (text: string) => (/^0x[0-9a-fA-F]{40}$/.test(text) ? text : quote(text.slice(0, 80)));
