import type { Hex } from "@assay/protocol";
import { nameFreshAccount } from "../../simulation/gather/nameFreshAccount.js";

/** Accounts that nobody can have prepared: their addresses follow from the block's hash. */
export interface FreshAccounts {
  readonly traders: readonly [Hex, Hex];
  readonly friend: Hex;
  readonly nobody: Hex;
  readonly pretender: Hex;
}

export function nameFreshAccounts(blockHash: Hex, token: Hex): FreshAccounts {
  const name = (part: string) => nameFreshAccount(blockHash, token, part);
  return {
    traders: [name("trader one"), name("trader two")],
    friend: name("friend"),
    nobody: name("nobody"),
    pretender: name("pretender"),
  };
}
