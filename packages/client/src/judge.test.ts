import { encodeFunctionData, type Hex, maxUint256, parseAbi } from "viem";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { confirmAnswer } from "./confirmAnswer.js";
import { createClient } from "./createClient.js";
import { GuardRefusedError } from "./guardRefusedError.js";
import { type JudgePolicy, judge } from "./judge.js";
import { requireAllow } from "./requireAllow.js";
import type { SigningQuestion } from "./signingQuestion.js";
import type { ConnectedService } from "./testing/connectToService.js";
import { getSharedService } from "./testing/getSharedService.js";

const erc20 = parseAbi(["function approve(address spender, uint256 amount) returns (bool)"]);
const STRANGER: Hex = "0x00000000000000000000000000000000000a11ce";

let service: ConnectedService;
let policy: JudgePolicy;
beforeAll(async () => {
  service = await getSharedService();
  const assay = createClient({ baseUrl: service.url, account: service.wallet("alice") });
  policy = { assay, signer: (await assay.describe()).signingAddress, node: service.rpcUrl };
});

const approval = (spender: Hex, amount: bigint) => ({
  from: service.wallet("bob").address,
  to: service.contract("stablecoin"),
  data: encodeFunctionData({ abi: erc20, functionName: "approve", args: [spender, amount] }),
});
const refusalOf = async (act: Promise<unknown>) => {
  const failure = await act.catch((error: unknown) => error);
  if (!(failure instanceof GuardRefusedError)) throw new Error("not refused", { cause: failure });
  return failure;
};

describe("judge", () => {
  it("returns every verdict on a transaction, verified, and confirms it", async () => {
    const allowed = await judge({ transaction: approval(service.contract("swapRouter02"), 5n) }, policy);
    expect(allowed.verdict).toBe("allow");
    expect(allowed.answer.capabilityId).toBe("transaction.intent.guard");
    expect(allowed.verification.conclusion).toBe("verified");
    expect(allowed.guard.rawBody.byteLength).toBeGreaterThan(0);
    await allowed.confirm();
    await confirmAnswer(allowed.answer, service.rpcUrl);
    const blocked = await judge({ transaction: approval(STRANGER, maxUint256) }, policy);
    expect([blocked.verdict, blocked.verification.conclusion]).toEqual(["block", "verified"]);
    // What holds is confirmed whatever it says.
    await blocked.confirm();
  });

  it("returns a verdict on each kind of message, also on those that guardedSign does not sign", async () => {
    const signer = service.wallet("bob").address;
    const text = await judge({ message: { personalMessage: "Please sign in." }, signer }, policy);
    expect([text.verdict, text.answer.capabilityId]).toEqual(["allow", "message.intent.guard"]);
    const { to, data } = approval(STRANGER, maxUint256);
    const calls = await judge({ message: { calls: [{ to, data }] }, signer }, policy);
    expect([calls.verdict, calls.verification.conclusion]).toEqual(["block", "verified"]);
  });

  it("is bound once to the client's signer, node and limits", async () => {
    const { signer } = policy;
    const config = { baseUrl: service.url, account: service.wallet("alice") };
    const transaction = { ...approval(service.contract("swapRouter02"), 5n), value: "0x0" };
    const bound = createClient({ ...config, signer, node: service.rpcUrl });
    const { verdict, confirm } = await bound.judge({ transaction });
    expect(verdict).toBe("allow");
    await confirm();
    await expect(createClient({ ...config, signer, maxPriceUsd: 0 }).judge({ transaction })).rejects.toThrow(
      "the limit is 0 USD",
    );
    await expect(createClient(config).judge({ transaction })).rejects.toThrow("give signer to createClient");
  });

  it("trusts no answer of another signer, or to another question", async () => {
    const { assay } = policy;
    const question = { transaction: approval(service.contract("swapRouter02"), 1n) };
    expect((await refusalOf(judge(question, { ...policy, signer: STRANGER }))).refusal).toBe("not_verified");
    const elsewhere: JudgePolicy["assay"] = {
      callUnverified: (id, input, options) =>
        assay.callUnverified(id, { ...input, value: "1" } as never, options),
    };
    const { refusal, answer } = await refusalOf(judge(question, { ...policy, assay: elsewhere }));
    expect([refusal, answer.result.evidence.input]).toMatchObject(["other_transaction", { value: "1" }]);
  });

  it("confirms nothing on another chain, or after its time", async () => {
    const question = { transaction: approval(service.contract("swapRouter02"), 1n) };
    const replies: Record<string, unknown> = { eth_chainId: "0x2105", eth_blockNumber: "0x1" };
    const node = { request: async ({ method }: { method: string }) => replies[method] };
    const byNode = await judge(question, { ...policy, node: node as never });
    const { confirm } = byNode;
    replies.eth_getBlockByNumber = { hash: `0x${"ab".repeat(32)}` };
    expect((await refusalOf(confirm())).refusal).toBe("unconfirmed");
    const unconfirmed = await refusalOf(confirmAnswer(byNode.answer, node as never));
    expect([unconfirmed.refusal, unconfirmed.message]).toEqual([
      "unconfirmed",
      expect.stringContaining("your node has"),
    ]);
    const { node: _, ...withoutNode } = policy;
    const byClock = await judge(question, withoutNode);
    await byClock.confirm();
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      vi.setSystemTime(Date.now() + 3_600_000);
      expect((await refusalOf(byClock.confirm())).refusal).toBe("expired");
    } finally {
      vi.useRealTimers();
    }
  });

  it("names what no guard takes before anybody pays", async () => {
    const callUnverified = vi.fn();
    const unpaid = { ...policy, assay: { callUnverified } };
    const good = approval(STRANGER, 1n);
    const signer = STRANGER;
    // The last digit does not match the checksum.
    const mistyped = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046";
    for (const [question, rule] of [
      [{}, "a transaction, or a message"],
      [{ transaction: { ...good, to: undefined } }, "needs the address in to"],
      [{ transaction: { ...good, to: mistyped } }, "to: 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046"],
      [{ transaction: { ...good, from: mistyped } }, "check every digit"],
      [{ transaction: { ...good, data: "0x1" } }, "data "],
      [{ transaction: { ...good, value: -1n } }, "value must be wei"],
      [{ transaction: { ...good, value: "1.5" } }, "value must be wei"],
      [{ message: { personalMessage: "Hello" } }, "give signer"],
      [{ message: {}, signer }, "typedData or one of"],
      [{ message: { personalMessage: "Hello", calls: [{ to: STRANGER }] }, signer }, "the only one of"],
    ] as [SigningQuestion, string][])
      await expect(judge(question, unpaid)).rejects.toThrow(rule);
    const question = { transaction: good };
    await expect(judge(question, undefined as never)).rejects.toThrow("needs a policy");
    const noSigner = { assay: { callUnverified } } as never;
    await expect(judge(question, noSigner)).rejects.toThrow("give signer");
    const deaf = { ...unpaid, node: { request: async () => "0x1" } };
    await expect(judge(question, deaf)).rejects.toThrow("of chain 0x1");
    const stopped = { signal: AbortSignal.abort(new Error("enough")) };
    await expect(judge(question, unpaid, stopped)).rejects.toThrow("enough");
    expect(callUnverified).not.toHaveBeenCalled();
  });
});

describe("requireAllow", () => {
  it("returns what may be signed, and throws the rest with its answer", async () => {
    const { signer, node } = policy;
    const config = { baseUrl: service.url, account: service.wallet("alice") };
    const assay = createClient({ ...config, signer, node });
    const question = { transaction: approval(service.contract("swapRouter02"), 6n) };
    expect((await requireAllow(question, { assay })).verdict).toBe("allow");
    const drain = { transaction: approval(STRANGER, maxUint256) };
    const acceptReview = vi.fn(() => true);
    const { refusal, answer } = await refusalOf(requireAllow(drain, { assay, acceptReview }));
    expect([refusal, answer.verdict]).toEqual(["block", "block"]);
    expect(acceptReview).not.toHaveBeenCalled();
    const { from, to, data } = drain.transaction;
    const calls = { message: { calls: [{ to, data }] }, signer: from };
    expect((await refusalOf(requireAllow(calls, { assay }))).message).toContain("blocks this message");
  });

  it("asks acceptReview about a review alone, and lets nothing through that ended meanwhile", async () => {
    const question = { transaction: approval(service.contract("swapRouter02"), 1n) };
    const judgement = await judge(question, policy);
    const review = { ...judgement.answer, verdict: "review" as const };
    const confirm = vi.fn();
    const assay = { judge: async () => ({ ...judgement, verdict: "review", answer: review, confirm }) };
    const given = assay as never as Parameters<typeof requireAllow>[1]["assay"];
    expect((await refusalOf(requireAllow(question, { assay: given }))).refusal).toBe("review");
    expect(confirm).not.toHaveBeenCalled();
    await requireAllow(question, { assay: given, acceptReview: async () => true });
    expect(confirm).toHaveBeenCalledOnce();
    confirm.mockRejectedValue(new Error("its time has passed"));
    await expect(requireAllow(question, { assay: given, acceptReview: () => true })).rejects.toThrow(
      "passed",
    );
  });
});
