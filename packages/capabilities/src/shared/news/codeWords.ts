import { formatAmount } from "./formatAmount.js";
import type { Found } from "./found.js";

const forms: Readonly<Record<string, string>> = {
  empty: "an account without code",
  native_b20: "a token that the chain itself runs (B20)",
  eip7702_delegation: "an account that runs a contract's code (EIP-7702)",
  eip1167_clone: "a fixed copy of another contract (EIP-1167)",
  contract: "a contract with code of its own",
};

const proxies: Readonly<Record<string, string>> = {
  eip1967: "yes: its code can be replaced (ERC-1967)",
  beacon: "yes: a beacon names its code, for all its copies at once (ERC-1967)",
  eip1822: "yes: its code can be replaced (ERC-1822)",
  zeppelinos: "yes: its code can be replaced (an early kind)",
  safe: "yes: a Safe wallet, whose owners can replace it",
  eip1167_clone: "a fixed copy: its code cannot be replaced (EIP-1167)",
  eip7702_delegation: "yes: the account's key can choose other code (EIP-7702)",
  diamond: "yes: it is made of parts that can be replaced (ERC-2535)",
};

/** The words of a table for what was found; undefined for what is not in it, whatever anybody calls it. */
export function wordsFor<T>(table: Readonly<Record<string, T>>, found: Found): T | undefined {
  const name = found.text();
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** What stands at an address. */
export const tellForm = (form: Found): string | undefined => wordsFor(forms, form) ?? form.text();

/** Whether its code can be replaced, by the kind of its proxy. */
export const tellProxy = (kind: Found): string | undefined => wordsFor(proxies, kind) ?? kind.text();

export function tellBytes(size: Found): string | undefined {
  const bytes = size.whole();
  return bytes === undefined ? undefined : `${formatAmount(bytes, 0)} bytes`;
}
