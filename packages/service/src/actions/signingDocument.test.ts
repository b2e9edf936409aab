import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { actionHeaders } from "@assay/protocol";
import { expect, test } from "vitest";
import { accountOf } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";

const service = useTestService();

/** The code that the document shows, as a function of the address of the service and an account. */
async function readExample() {
  const text = await readFile(join(import.meta.dirname, "../../../../docs/signing.md"), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(text)?.[1];
  if (!code) throw new Error("docs/signing.md has no example");
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor;
  return new AsyncFunction("service", "account", `${code}\nreturn { timestamp, nonce, signature };`);
}

test("an action signed as docs/signing.md says is accepted", async () => {
  const account = accountOf(service, "alice");
  const signed = await (await readExample())(service.url, account);
  const send = (nonce: string) =>
    fetch(`${service.url}/api/v1/demand-pledges`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        [actionHeaders.wallet]: account.address,
        [actionHeaders.timestamp]: String(signed.timestamp),
        [actionHeaders.nonce]: nonce,
        [actionHeaders.signature]: signed.signature,
      },
      body: JSON.stringify({ wallet: account.address, capability: "amm.pool.state" }),
    });
  // Control: the signature is over this nonce and no other.
  expect((await send("another-nonce")).status).toBe(401);
  expect((await send(signed.nonce)).status).toBe(201);
});
