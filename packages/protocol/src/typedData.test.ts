import fc from "fast-check";
import { domainSeparator, getAddress, hashTypedData, keccak256, toHex } from "viem";
import { expect, test } from "vitest";
import { evidenceTypedData } from "./artifact.js";
import { CHAIN_ID, type Hex } from "./primitives.js";
import { createTypedDataHasher } from "./typedData.js";
import { transferWithAuthorizationTypes } from "./x402Wire.js";

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toHex(bytes));
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => getAddress(toHex(bytes)));
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

test("digests of payment authorizations equal viem's", () => {
  const domain = {
    name: "USD Coin",
    version: "2",
    chainId: CHAIN_ID,
    verifyingContract: `0x${"83".repeat(20)}` as Hex,
  };
  const digest = createTypedDataHasher(
    {
      primaryType: "TransferWithAuthorization",
      fields: transferWithAuthorizationTypes.TransferWithAuthorization,
    },
    domainSeparator({ domain }),
  );
  fc.assert(
    fc.property(
      address,
      address,
      uint256,
      uint256,
      uint256,
      hash,
      (from, to, value, validAfter, validBefore, nonce) => {
        const message = { from, to, value, validAfter, validBefore, nonce };
        expect(digest(message)).toBe(
          hashTypedData({
            domain,
            types: transferWithAuthorizationTypes,
            primaryType: "TransferWithAuthorization",
            message,
          }),
        );
      },
    ),
  );
});

test("digests of evidence statements equal viem's, whatever the strings hold", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.string(),
      fc.nat(),
      (capabilityId, invocationId, block) => {
        const sha = `sha256:${keccak256(toHex(capabilityId)).slice(2)}`;
        const typed = evidenceTypedData({
          capabilityId,
          capabilityVersion: "1.0.0",
          invocationId,
          inputHash: sha,
          resultHash: sha,
          artifactId: sha,
          blockHash: keccak256("0x01"),
          computedAtBlock: block,
          validUntilBlock: block + 1,
        });
        const digest = createTypedDataHasher(
          { primaryType: typed.primaryType, fields: typed.types.EvidenceStatement },
          domainSeparator({ domain: typed.domain }),
        );
        expect(digest(typed.message)).toBe(hashTypedData(typed));
      },
    ),
  );
});
