import {
  blockNumberSchema,
  canonicalJson,
  hash32Schema,
  hashText,
  isWholeMicroUsd,
  lowercaseAddressSchema,
  MAX_CLAIM_WINDOW_DAYS,
} from "@assay/protocol";
import { z } from "zod";

const MAX_CHALLENGE_HOURS = 30 * 24;
const MAX_WINDOW_HOURS = MAX_CLAIM_WINDOW_DAYS * 24;

const fields = {
  address: lowercaseAddressSchema,
  /** This many blocks, up to the newest one at publication. */
  windowBlocks: z.int().min(1, "must be at least 1").optional(),
  /** As many blocks as these hours are, at the chain's own pace at publication. */
  windowHours: z
    .number()
    .positive(`must be above 0 and at most ${MAX_WINDOW_HOURS}`)
    .max(MAX_WINDOW_HOURS, `must be above 0 and at most ${MAX_WINDOW_HOURS}`)
    .optional(),
  fromBlock: blockNumberSchema.optional(),
  toBlock: blockNumberSchema.optional(),
  /** How long it is open to challenge; 0 for not at all, and then no decision can rest on its verdict. */
  challengeHours: z
    .number()
    .min(0, `must be from 0 to ${MAX_CHALLENGE_HOURS}`)
    .max(MAX_CHALLENGE_HOURS, `must be from 0 to ${MAX_CHALLENGE_HOURS}`),
  rewardUsd: z
    .number()
    .min(0, "must be from 0 to 10000")
    .max(10_000, "must be from 0 to 10000")
    .refine(isWholeMicroUsd, "must be whole millionths of a dollar")
    .default(0),
  /** Published again this long after the last time. */
  everyHours: z.number().min(0.1, "must be at least 0.1").optional(),
};

const lineSchema = z
  .discriminatedUnion(
    "type",
    [
      z.strictObject({
        type: z.literal("upgrade_window"),
        ...fields,
        /** Without it, what the chain has. Null for none. */
        implementation: lowercaseAddressSchema.nullable().optional(),
      }),
      z.strictObject({
        type: z.literal("bytecode"),
        ...fields,
        bytecodeHash: hash32Schema.nullable().optional(),
        bytecodeBytes: z.int().min(0).optional(),
      }),
    ],
    "must be upgrade_window or bytecode",
  )
  .superRefine((line, issues) => {
    const refuse = (field: string, message: string) =>
      issues.addIssue({ code: "custom", path: [field], message });
    const { windowBlocks, windowHours, fromBlock, toBlock, everyHours } = line;
    const names = fromBlock !== undefined || toBlock !== undefined;
    const lengths = [windowBlocks, windowHours].filter((length) => length !== undefined).length;
    if (lengths === 0 && !names)
      refuse("windowHours", "or windowBlocks, or fromBlock and toBlock must be given");
    if (lengths > 1) refuse("windowHours", "must not stand beside windowBlocks");
    if (lengths === 1 && names)
      refuse(
        windowBlocks === undefined ? "windowHours" : "windowBlocks",
        "must not stand beside fromBlock or toBlock",
      );
    if (names && (fromBlock === undefined || toBlock === undefined))
      refuse("fromBlock", "and toBlock must be given together");
    if (fromBlock !== undefined && toBlock !== undefined && fromBlock > toBlock)
      refuse("fromBlock", "must be at most toBlock");
    if (everyHours !== undefined && names)
      refuse("everyHours", "needs windowHours or windowBlocks: fixed blocks come once");
    if (line.type === "bytecode" && (line.bytecodeHash === undefined) !== (line.bytecodeBytes === undefined))
      refuse("bytecodeHash", "and bytecodeBytes must be given together");
  });

/** One line of an operator's list: what to assert, and how often. */
export type ObligationLine = z.output<typeof lineSchema>;

/** Throws an Error whose message says which line breaks which rule, without a final stop. */
export function parseObligationList(value: unknown): ObligationLine[] {
  if (!Array.isArray(value)) throw new Error("must be a JSON list of obligations");
  const lines = value.map((line, index) => parseObligationLine(line, `line ${index + 1}`));
  const keys = lines.map(listKeyOf);
  const second = keys.findIndex((key, index) => keys.indexOf(key) !== index);
  if (second >= 0)
    throw new Error(`line ${second + 1} repeats line ${keys.indexOf(keys[second] as string) + 1}`);
  return lines;
}

/** The same for one line outside a list. `name` begins the error message. */
export function parseObligationLine(value: unknown, name: string): ObligationLine {
  const parsed = lineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".");
  throw new Error(`${name}: ${field ? `${field} ` : ""}${describe(issue)}`);
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "unrecognized_keys") return `${issue.keys.join(", ")} is not a known field`;
  if (issue?.code === "invalid_type" && issue.input === undefined) return "is required";
  return issue?.message.replace(/^Invalid input: /, "is invalid: ") ?? "is not an obligation";
}

/** Identifies a line by its content, so that a changed line is another line. */
export const listKeyOf = (line: ObligationLine): string => hashText(canonicalJson(line));
