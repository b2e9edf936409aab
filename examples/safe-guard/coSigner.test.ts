import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { expectProtection } from "../testing/runAdapter.js";
import { serveCoSigner } from "./coSigner.mjs";

it("signs a Safe's swap and not its drain, which then lacks a signature", async () => {
  const { guarded, unguarded } = await expectProtection("examples/safe-guard");
  expect(guarded).toEqual([
    expect.stringMatching(/^staged: 0x\w+ is a Safe of /),
    expect.stringMatching(/^swap: 2 of 2 signed, executed 0x/),
    expect.stringMatching(/^drain: co-signer answers 403, block: .*UNLIMITED_APPROVAL_TO_ACCOUNT/),
    "drain: 1 of 2 signed, not executed: There is 1 signature missing",
    "The stranger may take 0.",
  ]);
  expect(unguarded[2]).toMatch(/^drain: 2 of 2 signed, executed 0x/);
});

const SAFE = "0x00000000000000000000000000000000005afe00";
const zero = "0x0000000000000000000000000000000000000000";
const transaction = {
  ...{ to: zero, value: "0", data: "0x", operation: 0, safeTxGas: "0", baseGas: "0", gasPrice: "0" },
  ...{ gasToken: zero, refundReceiver: zero, nonce: 0 },
};
const sign = vi.fn();
const server = serveCoSigner({ safes: [SAFE], sign });
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());
const post = async (body: string, path = "/proposals") => {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body });
  return [response.status, await response.text()] as const;
};

it.each([
  ["{", 400, "JSON"],
  ["null", 400, "safe must be one"],
  [JSON.stringify({ safe: zero, transaction }), 400, "safe must be one that this owner signs for"],
  [JSON.stringify({ safe: SAFE }), 400, "transaction.to must be"],
  [JSON.stringify({ safe: SAFE, transaction: { ...transaction, nonce: null } }), 400, "transaction.nonce"],
  ["x".repeat(300_001), 400, "at most 300000 bytes"],
])("refuses %.60s before anybody pays", async (body, status, text) => {
  expect(await post(body)).toEqual([status, expect.stringContaining(text)]);
  expect(sign).not.toHaveBeenCalled();
});

it("signs nothing without a verdict, and only the fields of a Safe's transaction", async () => {
  sign.mockRejectedValueOnce(new Error("the service does not answer"));
  const body = JSON.stringify({ safe: SAFE, transaction: { ...transaction, extra: "1" } });
  expect(await post(body)).toEqual([503, expect.stringContaining("the service does not answer")]);
  expect(await post(body, "/other")).toEqual([404, expect.any(String)]);
  const [document] = sign.mock.lastCall ?? [];
  expect(document).toMatchObject({ domain: { verifyingContract: SAFE }, primaryType: "SafeTx" });
  expect(Object.keys(document.message).toSorted()).toEqual(Object.keys(transaction).toSorted());
});
