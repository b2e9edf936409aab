import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { packageFolder } from "../src/base/packageFolder.js";
import { getLogRoot } from "../src/log/logTree.js";
import { defineRoot } from "../src/log/testing/createLog.js";
import { findInvocation } from "../src/payments/invocations.js";
import { migrate } from "../src/store/migrate.js";
import { createTestDatabase } from "./createTestDatabase.js";

test("calls and leaves from before calls were packed are read as before after the migration", async () => {
  const database = await createTestDatabase({ migrated: false });
  const query = (text: string, values: unknown[] = []) => database.query({ text, values });
  const folder = fileURLToPath(new URL("migrations/", packageFolder));
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const packing = files.indexOf("0017_packed_calls.sql");
  await query(
    "CREATE TABLE migrations (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
  );
  for (const name of files.slice(0, packing)) {
    const text = await readFile(`${folder}${name}`, "utf8");
    await query(text);
    const sha256 = createHash("sha256").update(text).digest("hex");
    await query("INSERT INTO migrations VALUES ($1, $2)", [name, sha256]);
  }
  const insert = (id: string, nonce: string) =>
    query(
      `INSERT INTO invocations (invocation_id, capability_id, capability_version, input_hash, state, lease_until, network,
         asset, payer, authorization_nonce, payment_digest, pay_to, amount, valid_before, reserved_at_block,
         quoted_status, list_price_micro_usd, credit_micro_usd, price_micro_usd, result_hash, transaction_hash, settled_at)
       VALUES ($1, 'contract.guard', '1.0.0', 'sha256:1', 'settled', now(), 'eip155:8453', '0xa', '0xb', $2, 'digest',
         '0xc', 1, 2, 3, 'miss', 4, 0, 4, 'sha256:2', '0xd', now())`,
      [id, nonce],
    );
  await insert("inv_1", "0x1");
  await query("SELECT log_append(ARRAY['receipt', 'credit'], ARRAY['one'::bytea, 'two'])");
  const root = defineRoot(["one", "two"].map((text) => Buffer.from(text)));
  expect(await migrate(database)).toEqual(files.slice(packing));
  expect(await findInvocation(database, "inv_1")).toMatchObject({
    capabilityVersion: "1.0.0",
    authorizationNonce: "0x1",
    payTo: "0xc",
    validBefore: 2n,
    reservedAtBlock: 3,
    resultHash: "sha256:2",
    transactionHash: "0xd",
  });
  expect(await getLogRoot(database, 2)).toBe(root);
  expect(await query("SELECT log_find_fault(0, 2) AS fault")).toEqual([{ fault: null }]);
  await expect(insert("inv_2", "0x1")).rejects.toMatchObject({ constraint: "one_call_per_authorization" });
  await insert("inv_3", "0x3");
  await database.close();
});
