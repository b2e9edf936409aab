import { type ListedAsset, listedAssetSchema, listLocalIssuers } from "@assay/capabilities";
import type { Devnet } from "@assay/devnet";
import { readOperatorFile } from "./readOperatorFile.js";

const MAX_LISTED = 1_000;

/** The assets whose issuers are known: the operator's list, or on the embedded chain its sample assets. */
export async function loadIssuers(
  path: string | undefined,
  devnet: Devnet | undefined,
): Promise<readonly ListedAsset[]> {
  // A wrong address would vouch for a stranger's token, so no list for Base is built in.
  if (path === undefined) return devnet ? listLocalIssuers(devnet.contracts) : [];
  return readOperatorFile("ISSUERS_FILE", path, parseIssuers);
}

/** Throws an Error whose message says which entry breaks which rule, without a final stop. */
function parseIssuers(value: unknown): ListedAsset[] {
  if (!Array.isArray(value) || value.length > MAX_LISTED)
    throw new Error(`must be a JSON list of at most ${MAX_LISTED} assets`);
  const list = value.map((entry, index) => {
    const parsed = listedAssetSchema.safeParse(entry);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".");
    const rule =
      issue?.code === "unrecognized_keys"
        ? `${issue.keys.join(", ")} is not a known field`
        : issue?.message.replace(/^Invalid input: /, "is invalid: ");
    throw new Error(`entry ${index + 1}: ${field ? `${field} ` : ""}${rule}`);
  });
  const addresses = list.flatMap((entry) => entry.addresses);
  const second = addresses.find((address, index) => addresses.indexOf(address) !== index);
  if (second !== undefined) throw new Error(`${second} is listed twice`);
  return list;
}
