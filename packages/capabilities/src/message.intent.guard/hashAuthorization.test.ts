import type { Hex } from "@assay/protocol";
import { hashAuthorization as hashByViem } from "viem/utils";
import { describe, expect, test } from "vitest";
import { hashAuthorization } from "./hashAuthorization.js";
import { input as messageIntentInput } from "./input.js";

const address: Hex = "0xe6cae83bde06e4c305530e199d7217f42808555b";

describe("the hash of an authorization", () => {
  test.each([0, 1, 127, 128, 255, 256, 65_535, 65_536, Number.MAX_SAFE_INTEGER])(
    "agrees with viem's for %d",
    (number) => {
      for (const chainId of [0, 1, 8453, number])
        expect(hashAuthorization({ chainId: String(chainId), address, nonce: String(number) })).toBe(
          hashByViem({ chainId, contractAddress: address, nonce: number }),
        );
    },
  );

  test("is exact for numbers that JavaScript's are not", () => {
    const most = 2n ** 64n - 1n;
    const hashes = [most, most - 1n, 2n ** 53n, 2n ** 53n + 1n].map((nonce) =>
      hashAuthorization({ chainId: "8453", address, nonce: nonce.toString() }),
    );
    expect(new Set(hashes).size).toBe(4);
  });

  test("is never asked for of a nonce that EIP-7702 does not take", () => {
    const parse = (nonce: bigint) =>
      messageIntentInput.safeParse({
        signer: address,
        authorization: { chainId: 8453, address, nonce: nonce.toString() },
      });
    expect(parse(2n ** 64n - 1n).success).toBe(true);
    expect(parse(2n ** 64n).error?.issues).toMatchObject([
      { path: ["authorization", "nonce"], message: "must fit in 64 bits" },
    ]);
  });
});
