import type { Hex } from "@assay/protocol";
import { toJson } from "./messageCase.js";

/** A message with the verdict that it must get, and the reason for it. */
export interface TableRow {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>> & { readonly signer: Hex };
  readonly verdict: "allow" | "review" | "block";
  readonly code: string;
}

type Add = (verdict: TableRow["verdict"], code: string, name: string, given: object) => void;

export function collect(signer: Hex, fill: (add: Add) => void): TableRow[] {
  const rows: TableRow[] = [];
  fill((verdict, code, name, given) =>
    rows.push({ name, verdict, code, input: { signer, ...(toJson(given) as object) } }),
  );
  return rows;
}
