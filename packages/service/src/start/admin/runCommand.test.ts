import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { createPublicClient, createWalletClient, http, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../../test/createTestDatabase.js";
import { pay, send } from "../../../test/payer.js";
import { useTestService } from "../../../test/useTestService.js";
import { createBudgets, createRateLimits } from "../../store/rateLimits.js";
import { readConfig } from "../config.js";
import { checkBackup } from "../keep/readBackup.js";
import { runAdmin } from "../runAdmin.js";
import { commands } from "./runCommand.js";

const service = useTestService({ RATE_LIMITS: "off" });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-admin-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(line: string, env: Record<string, string> = {}) {
  let said = "";
  const settings = {
    DATABASE_URL: service.db.connectionString,
    RPC_URL: service.chainOf.rpcUrl,
    PAY_TO: service.chainOf.payTo,
    STABLECOIN_ADDRESS: service.chainOf.stablecoin.address,
    SETTLER_PRIVATE_KEY: service.chainOf.settler.privateKey,
    ...env,
  };
  const output = { write: (text: string) => (said += text) };
  const code = await runAdmin(line.split(" "), () => readConfig(settings), output);
  return { code, said };
}
const runJson = async <T>(line: string) => JSON.parse((await run(`${line} --json`)).said) as T;
const question = () => service.invokeUrl("token.metadata", { address: service.chainOf.contracts.plainToken });

describe("every command", () => {
  test("explains itself without a database, with examples that it understands", async () => {
    for (const { name, examples } of commands) {
      const { code, said } = await run(`${name} --help`, { DATABASE_URL: "" });
      expect([name, code]).toEqual([name, 0]);
      expect(said).toContain(`Usage: assay-admin ${name}`);
      for (const example of examples) expect(example).toMatch(new RegExp(`^assay-admin ${name}( |$)`));
    }
    const { said } = await run("--help");
    for (const { name, summary } of commands) expect(said).toMatch(new RegExp(`  ${name} +${summary}`));
  });

  test("refuses what it does not understand", async () => {
    for (const { name } of commands)
      await expect(run(`${name} --no-such-option`), name).rejects.toThrow("--help");
  });
});

describe("backups", () => {
  test("are refused where a byte differs, where they end early, and where they go on", async () => {
    await service.buy(question());
    const path = join(folder, "whole.gz");
    const { rows } = JSON.parse((await run(`backup ${path} --json`)).said) as { rows: number };
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await run(`verify ${path}`)).said).toContain(`${rows} rows`);
    await expect(run(`backup ${join(folder, "no/such/folder.gz")}`)).rejects.toThrow("ENOENT");

    const text = gunzipSync(await readFile(path)).toString("latin1");
    const damage: [string, string][] = [
      ["a digit", text.replace(/\n(\d)(?=[^\n]*\n\\\.)/, (_, digit) => `\n${(Number(digit) + 1) % 10}`)],
      ["a row", text.replace(/\n[^\n{\\][^\n]*(?=\n\\\.)/, "")],
      ["the end", text.slice(0, text.lastIndexOf("{"))],
      ["more", `${text}\n`],
    ];
    const target = await createTestDatabase({ migrated: false });
    onTestFinished(() => target.close());
    for (const [what, content] of damage) {
      expect(content === text, what).toBe(false);
      const damaged = join(folder, "damaged.gz");
      await writeFile(damaged, gzipSync(Buffer.from(content, "latin1")));
      await expect(run(`verify ${damaged}`), what).rejects.toThrow("nothing of it is used");
      // A restoration reads as `verify` does. Its tables take seconds on a busy machine: it ends among the rows once, and once after all.
      if (what !== "the end" && what !== "more") continue;
      await expect(
        run(`restore ${damaged}`, { DATABASE_URL: target.connectionString }),
        what,
      ).rejects.toThrow();
      const left = await target.query({
        text: "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace",
      });
      expect(left, what).toHaveLength(0);
    }
  });

  test("hold every value exactly, and go into an empty database only", async () => {
    const path = join(folder, "exact.gz");
    const odd = "tab\t, newline\n, backslash \\ \\. \\N, ü, 😀";
    await service.db.query({
      text: "INSERT INTO blocked_wallets (wallet, reason) VALUES ('0x1', $1)",
      values: [odd],
    });
    await run(`backup ${path}`);
    const target = await createTestDatabase({ migrated: false });
    const env = { DATABASE_URL: target.connectionString };
    const { said } = await run(`restore ${path} --continued`, env);
    expect(said).toContain("Sums of the ledger, every hash of the log and its signed head hold.");
    await expect(run(`restore ${path}`, env)).rejects.toThrow("not empty");
    // Written again from there, every table is the same to the byte. The service goes on, so its own database may not be.
    const copy = join(folder, "copy.gz");
    await run(`backup ${copy}`, env);
    const [first, second] = [await checkBackup(path), await checkBackup(copy)];
    expect(Object.keys(first.footer.tables).length).toBeGreaterThan(30);
    expect(second.footer.tables).toEqual(first.footer.tables);
    expect(await target.query({ text: "SELECT reason FROM blocked_wallets" })).toEqual([{ reason: odd }]);
    const [next] = await target.query<{ id: bigint }>({
      text: `INSERT INTO channels (channel_id, config, charged, balance, claimed, withdrawing, withdraw_requested_at, refund_nonce)
             VALUES ('0x2', '{}', 0, 0, 0, 0, 0, 0) RETURNING channel_no AS id`,
    });
    expect(next?.id).toBe(1n);
    await target.close();
    await service.db.query({ text: "DELETE FROM blocked_wallets" });
  }, 30_000);

  test("verify finds a changed balance and a changed leaf", async () => {
    expect((await run("verify")).code).toBe(0);
    const change = async (text: string, back: string, finding: string) => {
      await service.db.query({ text });
      const { code, said } = await run("verify");
      await service.db.query({ text: back });
      expect([code, said]).toEqual([1, expect.stringContaining(finding)]);
    };
    await change(
      "INSERT INTO credit_balances VALUES ('wallet:0x1', 5)",
      "DELETE FROM credit_balances WHERE account = 'wallet:0x1'",
      "accounts have another balance",
    );
    await change(
      "UPDATE log_leaves SET leaf = leaf || '\\x20' WHERE leaf_index = 0",
      "UPDATE log_leaves SET leaf = substr(leaf, 1, length(leaf) - 1) WHERE leaf_index = 0",
      "leaf 0 is lost or differs",
    );
    // What is no text, let alone JSON, is a finding like any other.
    await service.db.query({ text: "CREATE TABLE kept_leaf AS SELECT leaf_index, leaf FROM log_leaves" });
    await change(
      "UPDATE log_leaves SET leaf = '\\xff00' WHERE leaf_index = 0",
      "UPDATE log_leaves l SET leaf = k.leaf FROM kept_leaf k WHERE k.leaf_index = l.leaf_index",
      "leaf 0 is lost or differs",
    );
    await service.db.query({ text: "DROP TABLE kept_leaf" });
    expect((await run("verify")).code).toBe(0);
  });

  test("what a killed backup left behind does not stand in the way of the next", async () => {
    const path = join(folder, "nightly.gz");
    for (const left of [`${path}.partial`, `${path}.0badcafe.partial`]) await writeFile(left, "half");
    for (const _night of [1, 2]) expect((await run(`backup ${path}`)).code).toBe(0);
    expect((await run(`verify ${path}`)).code).toBe(0);
    expect((await readdir(folder)).filter((name) => name.startsWith("nightly"))).toHaveLength(3);
  });
});

describe("payments and sales", () => {
  test("lists what has not ended, and has it taken up at once", async () => {
    expect(await run("payments")).toMatchObject({ code: 0 });
    const { response } = await pay(question(), service.account("bob"));
    const { invocationId } = (await response.json()) as { invocationId: string };
    // As a process leaves one that died while it settled, after which no node answered; nobody ever delivers this one.
    const lost = {
      invocation_id: "inv_lost",
      state: "unknown",
      failure: "no node answered",
      authorization_nonce: `0x${"0".repeat(64)}`,
    };
    const cleared = { offer_key: null, log_index: null, settled_at: null, transaction_hash: null };
    const times = {
      created_at: "2026-01-01T00:00:00Z",
      lease_until: "2126-01-01T00:00:00Z",
      valid_before: 1,
    };
    await service.db.query({
      text: "INSERT INTO invocations SELECT (jsonb_populate_record(i, $2)).* FROM invocations i WHERE invocation_id = $1",
      values: [invocationId, JSON.stringify({ ...lost, ...cleared, ...times })],
    });
    const { code, said } = await run("payments");
    expect([code, said]).toEqual([1, expect.stringContaining("no node answered")]);
    await run("payments retry inv_lost");
    await expect.poll(async () => (await run("payments")).code, { timeout: 10_000 }).toBe(0);
    await expect(run("payments retry inv_lost")).rejects.toThrow("it has ended");
  }, 20_000);

  test("adds up what was paid, and what other prices would have earned", async () => {
    // Everybody plays on the local chain.
    await service.db.query({ text: "UPDATE stats_days SET is_simulated = false" });
    type Row = { capabilityId: string; settled: number; paidUsd: number; hits: number; misses: number };
    const [sold] = await runJson<Row[]>("revenue");
    expect(sold).toMatchObject({ capabilityId: "token.metadata" });
    const [paid] = await service.db.query<{ sum: string }>({
      text: "SELECT sum(price_micro_usd)::text AS sum FROM invocations WHERE state = 'settled'",
    });
    expect(Math.round((sold?.paidUsd ?? 0) * 1e6)).toBe(Number(paid?.sum));

    const file = join(folder, "prices.json");
    await writeFile(file, JSON.stringify({ "token.metadata": { cacheMissUsd: 0.08 } }));
    type Compared = { capabilityId: string; today: { earnedUsd: number }; changed: { earnedUsd: number } };
    const compared = await runJson<Compared[]>(`prices ${file}`);
    expect(compared.map(({ capabilityId }) => capabilityId)).toEqual(["token.metadata"]);
    const difference = (compared[0]?.changed.earnedUsd ?? 0) - (compared[0]?.today.earnedUsd ?? 0);
    expect(difference).toBeCloseTo((sold?.misses ?? 0) * 0.05, 6);
    expect((await run(`prices ${file}`)).said).toContain("at the new ones, for the same calls");
    await expect(run("prices /no/such/file")).rejects.toThrow("does not exist");
  });

  test("records a refund that the chain shows, and no other", async () => {
    const { chainOf } = service;
    const { payment, response } = await pay(question(), service.account("carol"));
    expect(response.status).toBe(200);
    const { authorization } = payment.payload;
    const [call] = await service.db.query<{ transaction_hash: string }>({
      text: "SELECT transaction_hash FROM invocations WHERE authorization_nonce = $1",
      values: [authorization.nonce.toLowerCase()],
    });
    // As if the call were lost and found on the chain again.
    await service.db.query({
      text: `INSERT INTO recovered_payments (authorization_id, asset, payer, authorization_nonce, pay_to, amount, transaction_hash, block_number)
             VALUES ('\\xabcd', $1, $2, $3, $4, $5, $6, 1)`,
      values: [
        chainOf.stablecoin.address,
        authorization.from,
        authorization.nonce,
        chainOf.payTo,
        authorization.value,
        call?.transaction_hash,
      ],
    });
    expect((await run("refunds")).said).toContain("waiting");
    expect((await run("refunds begin abcd")).said).toContain("buys no answer any more");
    await expect(run("refunds begin abcd")).rejects.toThrow("refund began");
    // The payment itself is no refund.
    await expect(run(`refunds record abcd --transaction ${call?.transaction_hash}`)).rejects.toThrow(
      "brings 0 USD",
    );
    const dave = service.chainOf.accounts.find(({ name }) => name === "dave");
    const wallet = createWalletClient({
      account: privateKeyToAccount(dave?.privateKey as `0x${string}`),
      transport: http(chainOf.rpcUrl),
    });
    const transfer = await wallet.writeContract({
      chain: null,
      address: chainOf.stablecoin.address as `0x${string}`,
      abi: parseAbi(["function transfer(address, uint256)"]),
      functionName: "transfer",
      args: [authorization.from as `0x${string}`, BigInt(authorization.value)],
    });
    await createPublicClient({ transport: http(chainOf.rpcUrl) }).waitForTransactionReceipt({
      hash: transfer,
    });
    expect((await run(`refunds record abcd --transaction ${transfer}`)).code).toBe(0);
    expect((await run("refunds")).said).toContain("refunded");
    await service.db.query({ text: "DELETE FROM recovered_payments" });
  }, 20_000);

  test("shows the limits, with the operator's changes, and names what is wrong in them", async () => {
    const file = join(folder, "limits.json");
    const env = { RATE_LIMITS_FILE: file };
    await writeFile(file, JSON.stringify({ quote: { points: 3 } }));
    const { code, said } = await run("limits", env);
    expect([code, said]).toEqual([0, expect.stringMatching(/quote +3 in 60 s +instead of 120 in 60 s/)]);
    for (const wrong of [{ qoute: { points: 3 } }, { quote: { points: 0 } }, { quote: { per: 3 } }]) {
      await writeFile(file, JSON.stringify(wrong));
      await expect(run("limits", env), JSON.stringify(wrong)).rejects.toThrow("RATE_LIMITS_FILE");
    }
    const limited = createRateLimits(service.db, createBudgets({ quote: { points: 2 } }));
    await limited.consume("quote", "192.0.2.7");
    await limited.consume("quote", "192.0.2.7");
    await expect(limited.consume("quote", "192.0.2.7")).rejects.toThrow("At most 2");
  });

  test("lists obligations", async () => {
    expect((await run("obligations list")).code).toBe(0);
  });
});

describe("blocked wallets", () => {
  test("get 403 before any work, and still what they have paid for", async () => {
    const erin = service.account("erin");
    const before = await pay(question(), erin);
    const body = await before.response.text();
    await run(`wallets block ${erin.address} --reason misuse`);
    expect((await run("wallets")).said).toContain("misuse");
    await service.context.blockedWallets.refresh();

    const again = await send(question(), before.payment);
    expect([again.status, (await again.text()) === body]).toEqual([200, true]);
    const [calls] = await service.db.query({ text: "SELECT count(*) FROM invocations" });
    const refused = await pay(question(), erin);
    expect([refused.response.status, await refused.response.json()]).toEqual([
      403,
      expect.objectContaining({ code: "wallet_blocked" }),
    ]);
    const quoted = await fetch(
      service.quoteUrl("token.metadata", erin.address, { address: service.chainOf.contracts.weth }),
    );
    expect(quoted.status).toBe(403);
    expect(await service.db.query({ text: "SELECT count(*) FROM invocations" })).toEqual([calls]);

    await run(`wallets unblock ${erin.address}`);
    await service.context.blockedWallets.refresh();
    expect((await send(question(), refused.payment)).status).toBe(200);
    await expect(run("wallets block 0x12 --reason x")).rejects.toThrow("one wallet");
    await expect(run(`wallets block ${erin.address}`)).rejects.toThrow("--reason");
  });
});
