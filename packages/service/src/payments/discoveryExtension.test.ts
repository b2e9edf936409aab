import { capabilities } from "@assay/capabilities";

import { extractDiscoveryInfoFromExtension, validateDiscoveryExtension } from "@x402/extensions/bazaar";
import { expect, test } from "vitest";
import { CLAIM_OPENING } from "../claims/openClaim.js";
import { discoveryExtensionOf } from "./discoveryExtension.js";

const pathOf = (name: string) => `/api/v1/capabilities/${name}/invoke`;
const sold: [string, string, string, string][] = [
  ...capabilities.map(({ id, method }): (typeof sold)[number] => [id, id, pathOf(id), method]),
  ["tx.preflight", "transaction.intent.guard", pathOf("tx.preflight"), "GET"],
  [CLAIM_OPENING.id, CLAIM_OPENING.id, "/api/v1/claims", "POST"],
];

test.each(sold)(
  "the extension of %s passes x402's own validation and stays small",
  (_name, id, path, method) => {
    const { bazaar } = discoveryExtensionOf(id, path);
    expect(validateDiscoveryExtension(bazaar as never)).toEqual({ valid: true });
    expect(extractDiscoveryInfoFromExtension(bazaar as never).input).toMatchObject({ type: "http", method });
    // It comes back in PAYMENT-SIGNATURE, in base64, beside the payment itself.
    expect(JSON.stringify(bazaar).length).toBeLessThan(3_000);
  },
);
