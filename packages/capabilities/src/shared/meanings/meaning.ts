import type { Hex } from "@assay/protocol";

export const effects = [
  "transfer",
  "approve",
  "permit",
  "swap",
  "deposit",
  "withdraw",
  "borrow",
  "repay",
  "mint",
  "burn",
  "claim",
  "bridge",
  "vote",
  "delegate",
  "control",
  "batch",
  "account",
  "wrap",
  "unwrap",
  "order",
  "attest",
  "name",
  "stake",
  "other",
] as const;
export type Effect = (typeof effects)[number];

export const roleNames = [
  "recipient",
  "spender",
  "owner",
  "amount",
  "token",
  "tokenOut",
  "deadline",
  "minimum",
  "calls",
] as const;
export type RoleName = (typeof roleNames)[number];

/**
 * Where a value is: names or positions of arguments with dots between them, as `params.recipient` or `path.0`. The last
 * item of a list is `-1`. `first` and `last` of a packed path are the tokens at its ends. `@to` is the contract that is
 * called, `@from` the caller, `@value` the ether sent.
 */
export type Path = string;

/** What a function does, as its protocol documents it. */
export interface Meaning {
  /** Name and argument types, as they are hashed. */
  readonly signature: string;
  /** The same with the names of the arguments. */
  readonly declaration: string;
  readonly selector: Hex;
  readonly protocol: string;
  readonly effect: Effect;
  /** Plain English with holes: `{path|format}`; `writeSentence` lists the formats. */
  readonly sentence: string;
  /** What the arguments are, for judgement. */
  readonly roles: Readonly<Partial<Record<RoleName, Path>>>;
}

/** Meanings in the order of a text whose lines are `selector declaration | effect | sentence | role=path …`. */
export function readMeanings(text: string): Meaning[] {
  let protocol = "";
  const meanings: Meaning[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("# ")) protocol = line.slice(2);
    else if (line !== "") meanings.push(readLine(line, protocol));
  }
  return meanings;
}

function readLine(line: string, protocol: string): Meaning {
  const [head = "", effect = "", sentence = "", roles = ""] = line.split(" | ");
  const declaration = head.slice(9);
  return {
    selector: `0x${head.slice(0, 8)}`,
    declaration,
    signature: dropNames(declaration),
    protocol,
    effect: effect as Effect,
    sentence,
    roles: Object.fromEntries(roles.split(" ").flatMap((role) => (role === "" ? [] : [role.split("=")]))),
  };
}

/** `f(address to, (uint256 a, bytes b) c)` becomes `f(address,(uint256,bytes))`. */
const dropNames = (declaration: string): string =>
  declaration.replaceAll(/([\w)\]])\s+\w+(?=[,)])/g, "$1").replaceAll(", ", ",");
