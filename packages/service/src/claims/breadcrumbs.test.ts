import { until } from "@assay/chain/testing/until";
import { claimDetailSchema, type Hex } from "@assay/protocol";
import { createWalletClient, http, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { base } from "viem/chains";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/createTestDatabase.js";
import { accountOf } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { type Failpoint, type Failpoints, noFailpoints } from "../base/failpoints.js";
import { createBreadcrumbs } from "./breadcrumbs.js";
import { getClaimDetail } from "./readClaims.js";
import { insertClaim } from "./testing/insertClaim.js";
import { describeTrueClaim, payForClaim } from "./testing/paidClaims.js";

const serviceKey = generatePrivateKey();
const service = useTestService({ RATE_LIMITS: "off", BREADCRUMB_PRIVATE_KEY: serviceKey });

const fund = (address: Hex, wei = parseEther("1")) =>
  service.chainOf.request("hardhat_setBalance", [address, `0x${wei.toString(16)}`]);
const countMined = async (address: Hex) =>
  Number(await service.chainOf.request<Hex>("eth_getTransactionCount", [address, "latest"]));
const readTransaction = (hash: unknown) =>
  service.chainOf.request<{ from: Hex; to: Hex; input: Hex } | null>("eth_getTransactionByHash", [hash]);

test("a claim is published at once, and mentioned on the chain by its id and survival hash", async () => {
  await fund(privateKeyToAddress(serviceKey));
  const opener = accountOf(service, "alice");
  const { response } = await payForClaim(service.url, opener, await describeTrueClaim(service, opener));
  const opened = claimDetailSchema.partial().parse(await response.json());
  expect(opened.breadcrumb).toEqual({ status: "due", transaction: null });
  const { breadcrumb, claimId, survivalHash } = await until(async () => {
    const detail = claimDetailSchema.parse(
      await (await fetch(`${service.url}/api/v1/claims/${opened.claimId}`)).json(),
    );
    return detail.breadcrumb?.status === "sent" ? detail : undefined;
  });
  const address = privateKeyToAddress(serviceKey).toLowerCase();
  expect(await readTransaction(breadcrumb?.transaction)).toMatchObject({
    from: address,
    to: address,
    input: `${claimId}${survivalHash?.slice(2)}`,
  });
});

describe("step by step", () => {
  // A database in which no job is at work.
  let db: TestDatabase;
  let key: Hex;
  let address: Hex;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    key = generatePrivateKey();
    address = privateKeyToAddress(key);
    await db.query({ text: "UPDATE claims SET breadcrumb = 'off'" });
    await fund(address);
  });

  const insertDue = async () => {
    const claimId = await insertClaim(db, {
      type: "upgrade_window",
      address: `0x${"0a".repeat(20)}`,
      implementation: null,
      fromBlock: 1,
      toBlock: 2,
    });
    await db.query({
      text: "UPDATE claims SET breadcrumb = 'due' WHERE claim_id = $1",
      values: [claimId],
    });
    return claimId;
  };
  /** What one process has; the key and the database are shared. */
  const startProcess = (failpoints: Failpoints = noFailpoints, chain = service.context.chain) => {
    const { logger } = service.context;
    return createBreadcrumbs({ database: db, chain, logger, failpoints }, key);
  };
  const dyingAt = (where: Failpoint): Failpoints => ({
    reach(name) {
      if (name === where) throw new Error("dead");
    },
  });
  const readRow = async (claimId: Hex) => {
    const [row] = await db.query<{
      breadcrumb: string;
      breadcrumb_transaction: Hex | null;
      breadcrumb_attempts: number;
    }>({
      text: "SELECT breadcrumb, breadcrumb_transaction, breadcrumb_attempts FROM claims WHERE claim_id = $1",
      values: [claimId],
    });
    return row;
  };
  const endLease = () =>
    db.query({ text: "UPDATE claims SET breadcrumb_lease_until = now() WHERE breadcrumb = 'sending'" });
  /** A transaction signed now would be another one. */
  const raiseBaseFee = async () => {
    const { chain } = service.context;
    const before = chain.findHead()?.header.baseFeePerGas ?? 0n;
    await service.chainOf.request("hardhat_setNextBlockBaseFeePerGas", [
      `0x${(2n * before + 1_000n).toString(16)}`,
    ]);
    await service.chainOf.mine(1);
    await chain.latestBlock();
    expect(chain.findHead()?.header.baseFeePerGas).not.toBe(before);
  };
  const advanceUntilSent = async (claimId: Hex) =>
    until(async () => {
      await startProcess().advance();
      return (await readRow(claimId))?.breadcrumb === "sent" ? true : undefined;
    });

  test("a process that dies before sending leaves the transaction to the next, once its time is over", async () => {
    const claimId = await insertDue();
    await startProcess(dyingAt("before_breadcrumb")).advance();
    const recorded = (await readRow(claimId))?.breadcrumb_transaction;
    expect(recorded).toMatch(/^0x[0-9a-f]{64}$/);
    await startProcess().advance();
    expect([await readTransaction(recorded), await countMined(address)]).toEqual([null, 0]);
    await raiseBaseFee();
    await endLease();
    await advanceUntilSent(claimId);
    expect(await readTransaction(recorded)).toMatchObject({ input: claimId });
    expect(await countMined(address)).toBe(1);
  });

  test("a process that dies after sending has sent the only one", async () => {
    const claimId = await insertDue();
    await startProcess(dyingAt("after_breadcrumb")).advance();
    await endLease();
    await advanceUntilSent(claimId);
    expect(await countMined(address)).toBe(1);
    expect((await readRow(claimId))?.breadcrumb_attempts).toBeLessThanOrEqual(2);
  });

  test("several processes mention each claim once", async () => {
    const claims = [await insertDue(), await insertDue(), await insertDue()];
    await until(async () => {
      await Promise.all(Array.from({ length: 4 }, () => startProcess().advance()));
      const rows = await Promise.all(claims.map(readRow));
      return rows.every((row) => row?.breadcrumb === "sent") ? true : undefined;
    });
    expect(await countMined(address)).toBe(claims.length);
    for (const claimId of claims)
      expect(await readTransaction((await readRow(claimId))?.breadcrumb_transaction)).toMatchObject({
        input: claimId,
      });
  });

  test("a second claim cannot be begun while one is under way", async () => {
    const [first, second] = [await insertDue(), await insertDue()];
    await startProcess(dyingAt("before_breadcrumb")).advance();
    const underWay = [(await readRow(first))?.breadcrumb, (await readRow(second))?.breadcrumb];
    expect(underWay).toEqual(["sending", "due"]);
    await startProcess().advance();
    expect((await readRow(second))?.breadcrumb).toBe("due");
    const begin = db.query({
      text: "UPDATE claims SET breadcrumb = 'sending' WHERE claim_id = $1",
      values: [second],
    });
    await expect(begin).rejects.toThrow("claims_breadcrumb_under_way");
  });

  test("a transaction that another one replaced is signed again", async () => {
    const claimId = await insertDue();
    await startProcess(dyingAt("before_breadcrumb")).advance();
    const lost = (await readRow(claimId))?.breadcrumb_transaction;
    const wallet = createWalletClient({
      account: privateKeyToAccount(key),
      chain: base,
      transport: http(service.chainOf.rpcUrl),
    });
    await wallet.sendTransaction({ to: address, value: 1n });
    await until(async () => ((await countMined(address)) === 1 ? true : undefined));
    await endLease();
    await advanceUntilSent(claimId);
    const { breadcrumb_transaction: found } = (await readRow(claimId)) ?? {};
    expect(found).not.toBe(lost);
    expect(await readTransaction(found)).toMatchObject({ input: claimId });
    expect(await countMined(address)).toBe(2);
  });

  test("without money for gas it is given up after ten sendings, and the claim stays open", async () => {
    await fund(address, 0n);
    const [claimId, next] = [await insertDue(), await insertDue()];
    const { chain } = service.context;
    const request = vi.spyOn(chain, "request");
    for (let turn = 0; turn < 15 && (await readRow(claimId))?.breadcrumb !== "failed"; turn++) {
      await startProcess().advance();
      await endLease();
    }
    const sendings = request.mock.calls.filter(([method]) => method === "eth_sendRawTransaction");
    request.mockRestore();
    expect(sendings).toHaveLength(10);
    expect(await readRow(claimId)).toMatchObject({ breadcrumb: "failed" });
    const detail = await getClaimDetail({ ...service.context, database: db }, claimId);
    expect(detail).toMatchObject({ status: "open", breadcrumb: { status: "failed" } });
    // The one behind it has its turn.
    await fund(address);
    await advanceUntilSent(next);
  });

  test("while the chain is silent nothing is lost but an attempt", async () => {
    const claimId = await insertDue();
    const silent = { ...service.context.chain, request: () => Promise.reject(new Error("silence")) };
    await startProcess(noFailpoints, silent).advance();
    expect(await readRow(claimId)).toMatchObject({
      breadcrumb: "sending",
      breadcrumb_transaction: null,
      breadcrumb_attempts: 1,
    });
    await endLease();
    await advanceUntilSent(claimId);
    expect(await countMined(address)).toBe(1);
  });
});
