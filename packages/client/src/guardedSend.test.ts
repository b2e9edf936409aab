import { createPublicClient, createWalletClient, encodeFunctionData, http, maxUint256, parseAbi } from "viem";
import { base } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Client, createClient } from "./createClient.js";
import { BudgetError, GuardRefusedError } from "./errors.js";
import { type GuardPolicy, guardActions, guardedSend } from "./guardedSend.js";
import { type RunningService, startService } from "./testing/startService.js";

const erc20 = parseAbi([
  "function approve(address spender, uint256 amount) returns (bool)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function transfer(address to, uint256 amount) returns (bool)",
]);

let service: RunningService;
let assay: Client;
let policy: GuardPolicy;
beforeAll(async () => {
  service = await startService();
  assay = createClient({ baseUrl: service.url, account: service.wallet("alice") });
  policy = { assay, signer: (await assay.describe()).signingAddress };
});
afterAll(() => service?.stop());

const stranger = "0x00000000000000000000000000000000000a11ce";
const chain = () => createPublicClient({ chain: base, transport: http(service.rpcUrl), cacheTime: 0 });
const walletOf = (name: string) =>
  createWalletClient({ account: service.wallet(name), chain: base, transport: http(service.rpcUrl) });
const nonceOf = (name: string) =>
  chain().getTransactionCount({ address: service.wallet(name).address, blockTag: "latest" });
const approval = (spender: `0x${string}`, amount: bigint) => ({
  to: service.contract("stablecoin"),
  data: encodeFunctionData({ abi: erc20, functionName: "approve", args: [spender, amount] }),
});

/** The refusal, and that the wallet sent nothing. */
async function refusalOf(act: () => Promise<unknown>, name = "bob"): Promise<GuardRefusedError> {
  const before = await nonceOf(name);
  const failure = await act().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(await nonceOf(name)).toBe(before);
  if (!(failure instanceof GuardRefusedError)) throw new Error("not refused", { cause: failure });
  return failure;
}

describe("guardedSend", () => {
  it("signs a transaction that is allowed, on an answer it has verified", async () => {
    const wallet = walletOf("bob").extend(guardActions(policy));
    const router = service.contract("swapRouter02");
    const { hash, guard, verification } = await wallet.guardedSend(approval(router, 5_000_000n));
    expect(guard.answer.verdict).toBe("allow");
    expect(verification.steps.map(({ name }) => name)).toContain("stateProofs");
    expect((await chain().waitForTransactionReceipt({ hash })).status).toBe("success");
    const allowance = await chain().readContract({
      address: service.contract("stablecoin"),
      abi: erc20,
      functionName: "allowance",
      args: [service.wallet("bob").address, router],
    });
    expect(allowance).toBe(5_000_000n);
  });

  it("does not sign what is blocked, whatever the policy says of reviews", async () => {
    const refusal = await refusalOf(() =>
      guardedSend(walletOf("bob"), approval(stranger, maxUint256), { ...policy, acceptReview: () => true }),
    );
    expect(refusal.refusal).toBe("block");
    expect(refusal.message).toContain("Nothing was signed.");
    expect(refusal.answer.result.reasonCodes).toContain("UNLIMITED_APPROVAL_TO_ACCOUNT");
  });

  it("asks about a review, and signs only if it is taken", async () => {
    const transaction = approval(service.contract("boxV1"), 1n);
    const refusal = await refusalOf(() => guardedSend(walletOf("bob"), transaction, policy));
    expect(refusal.refusal).toBe("review");
    const acceptReview = vi.fn(() => true);
    const { hash } = await guardedSend(walletOf("bob"), transaction, { ...policy, acceptReview });
    expect(acceptReview).toHaveBeenCalledOnce();
    expect((await chain().waitForTransactionReceipt({ hash })).status).toBe("success");
  });

  it("refuses an answer of another signer, about another transaction, altered, or out of its window", async () => {
    const transaction = approval(service.contract("swapRouter02"), 1n);
    const send = (changed: Partial<GuardPolicy>) => () =>
      guardedSend(walletOf("bob"), transaction, { ...policy, ...changed });
    expect((await refusalOf(send({ signer: stranger }))).refusal).toBe("not_verified");
    const altered: GuardPolicy["assay"] = {
      ...assay,
      async call(id, input, options) {
        const paid = await assay.call(id, input, options);
        const { answer } = paid;
        return { ...paid, answer: { ...answer, result: { ...answer.result, summary: "All is well." } } };
      },
    };
    expect((await refusalOf(send({ assay: altered }))).refusal).toBe("not_verified");
    const elsewhere: GuardPolicy["assay"] = {
      ...assay,
      call: (id, input, options) => assay.call(id, { ...input, value: "1" } as never, options),
    };
    const other = await refusalOf(send({ assay: elsewhere }));
    expect(["other_transaction", "block", "review"]).toContain(other.refusal);
    expect(other.refusal).toBe("other_transaction");
    const late: GuardPolicy["assay"] = {
      ...assay,
      health: async (options) => ({ ...(await assay.health(options)), headBlock: 10_000_000 }),
    };
    expect((await refusalOf(send({ assay: late }))).refusal).toBe("expired");
  });

  it("asks the swap guard where the policy says so, and passes its refusal on", async () => {
    const transaction = approval(service.contract("swapRouter02"), 1n);
    await expect(
      guardedSend(walletOf("bob"), transaction, { ...policy, guard: "amm.swap.guard" }),
    ).rejects.toThrow(/router/);
  });

  it("judges nothing on another chain", async () => {
    const wallet = walletOf("bob").extend(() => ({}));
    const foreign = { ...wallet, request: async () => "0x1" } as unknown as typeof wallet;
    await expect(guardedSend(foreign, approval(stranger, 1n), policy)).rejects.toThrow(/on chain 1;/);
  });
});

describe("a budget", () => {
  it("limits what is signed in all and gets back what was not charged", async () => {
    const client = createClient({
      baseUrl: service.url,
      account: service.wallet("carol"),
      maxTotalUsd: 0.15,
    });
    const address = service.contract("plainToken");
    await client.call("contract.guard", { address });
    expect(client.spentUsd()).toBe(0.1);
    await expect(client.call("transaction.intent.guard", { from: address, to: address })).rejects.toThrow(
      BudgetError,
    );
    await expect(client.call("web.compile", { url: "http://nowhere.test/" })).rejects.toThrow();
    expect(client.spentUsd()).toBe(0.1);
    const racing = await Promise.allSettled(
      ["token.metadata", "token.metadata", "token.metadata"].map((id) =>
        client.call(id as "token.metadata", { address }),
      ),
    );
    expect(client.spentUsd()).toBeLessThanOrEqual(0.15);
    expect(racing.some(({ status }) => status === "rejected")).toBe(true);
  });
});

describe("watching", () => {
  it("counts down to the end of an answer's window", async () => {
    const { answer } = await assay.call("chain.snapshot", {});
    const states = [];
    for await (const state of assay.watch(answer)) states.push(state);
    expect(states[0]).toMatchObject({ ended: false, validUntilBlock: answer.result.validUntilBlock });
    expect(states.at(-1)).toMatchObject({ ended: true, blocksLeft: 0 });
    expect(states.at(-1)?.headBlock).toBeGreaterThan(answer.result.validUntilBlock);
  });

  it("stops when told", async () => {
    const { answer } = await assay.call("contract.interface", { address: service.contract("plainToken") });
    const stop = new AbortController();
    const watched = (async () => {
      for await (const _ of assay.watch(answer, { signal: stop.signal })) stop.abort();
    })();
    await expect(watched).rejects.toThrow(/abort/i);
  });
});

describe("records", () => {
  it("gives keys, evidence and the log's proofs", async () => {
    const { answer } = await assay.call("token.metadata", { address: service.contract("plainToken") });
    const { artifactId } = answer.evidenceReference;
    expect(await assay.evidence(artifactId, { channel: "test" })).toMatchObject({ artifactId });
    const { log } = await assay.receipt(answer.invocationId);
    const size = Number((await assay.logCheckpoint()).split("\n")[1]);
    expect(await assay.logProof(log?.index ?? -1, size)).toMatchObject({ leafHash: log?.leafHash });
    expect(await assay.logConsistency(1, size)).toMatchObject({ first: 1, second: size });
  });
});
