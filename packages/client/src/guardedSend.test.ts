import {
  type Account,
  createPublicClient,
  createWalletClient,
  custom,
  encodeFunctionData,
  type Hex,
  http,
  maxUint256,
  numberToHex,
  parseAbi,
  parseTransaction,
  type WalletClientConfig,
} from "viem";
import { base } from "viem/chains";
import { createNonceManager, jsonRpc } from "viem/nonce";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Client, createClient } from "./createClient.js";
import { type GuardPolicy, guardActions, guardedSend } from "./guardedSend.js";
import { GuardRefusedError } from "./guardRefusedError.js";
import type { ConnectedService } from "./testing/connectToService.js";
import { getSharedService } from "./testing/getSharedService.js";
import { skipWaits } from "./testing/skipWaits.js";
import type { WindowState } from "./watchResult.js";

const erc20 = parseAbi([
  "function approve(address spender, uint256 amount) returns (bool)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function transfer(address to, uint256 amount) returns (bool)",
]);

let service: ConnectedService;
let assay: Client;
let policy: GuardPolicy;
beforeAll(async () => {
  service = await getSharedService();
  assay = createClient({ baseUrl: service.url, account: service.wallet("alice") });
  policy = { assay, signer: (await assay.describe()).signingAddress };
});

const stranger = "0x00000000000000000000000000000000000a11ce";
const chain = () =>
  createPublicClient({
    chain: base,
    transport: http(service.rpcUrl),
    cacheTime: 0,
    // The local chain mines a transaction at once.
    pollingInterval: 50,
  });
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

type Patches = Record<string, (params: unknown) => unknown>;

/** A wallet that records what it is asked to send, and whose node answers some methods differently. */
function recordingWallet(
  account: Account | Hex,
  patches: Patches = {},
  config: Partial<WalletClientConfig> = {},
) {
  const node = http(service.rpcUrl)({ chain: base });
  const sent: unknown[] = [];
  const transport = custom(
    {
      async request({ method, params }) {
        if (patches[method]) return patches[method](params);
        if (!/^eth_send/.test(method)) return node.request({ method, params });
        sent.push(method === "eth_sendRawTransaction" ? parseTransaction(params[0]) : params[0]);
        return `0x${"11".repeat(32)}`;
      },
    },
    { retryCount: 0 },
  );
  const wallet = createWalletClient({ account, chain: base, ...config, transport });
  return { wallet, sent };
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

  it("gives back the nonce of what was not sent", async () => {
    const bob = { ...service.wallet("bob"), nonceManager: createNonceManager({ source: jsonRpc() }) };
    let failures = 1;
    const { wallet, sent } = recordingWallet(bob, {
      eth_estimateGas: () => {
        if (failures-- > 0) throw new Error("execution reverted");
        return "0x20000";
      },
    });
    const transaction = approval(service.contract("swapRouter02"), 1n);
    await expect(guardedSend(wallet, transaction, policy)).rejects.toThrow("execution reverted");
    await guardedSend(wallet, transaction, policy);
    expect(sent).toMatchObject([{ nonce: await nonceOf("bob") }]);
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

  it("refuses an answer of another signer, about another transaction, or altered", async () => {
    const transaction = approval(service.contract("swapRouter02"), 1n);
    const send = (changed: Partial<GuardPolicy>) => () =>
      guardedSend(walletOf("bob"), transaction, { ...policy, ...changed });
    expect((await refusalOf(send({ signer: stranger }))).refusal).toBe("not_verified");
    const altered: GuardPolicy["assay"] = {
      ...assay,
      async callUnverified(id, input, options) {
        const paid = await assay.callUnverified(id, input, options);
        const { answer } = paid;
        return { ...paid, answer: { ...answer, result: { ...answer.result, summary: "All is well." } } };
      },
    };
    expect((await refusalOf(send({ assay: altered }))).refusal).toBe("not_verified");
    const elsewhere: GuardPolicy["assay"] = {
      ...assay,
      callUnverified: (id, input, options) =>
        assay.callUnverified(id, { ...input, value: "1" } as never, options),
    };
    expect((await refusalOf(send({ assay: elsewhere }))).refusal).toBe("other_transaction");
  });

  it("believes its own node, not the service, on how far the chain is and what its blocks are", async () => {
    const send = (patches: Patches) => {
      const { wallet, sent } = recordingWallet(service.wallet("bob"), patches);
      const act = () => guardedSend(wallet, approval(service.contract("swapRouter02"), 1n), policy);
      return refusalOf(act).then(({ refusal }) => [refusal, sent]);
    };
    expect(await send({ eth_blockNumber: () => "0xffffff" })).toEqual(["expired", []]);
    const other = { hash: `0x${"ab".repeat(32)}`, baseFeePerGas: "0x1" };
    expect(await send({ eth_getBlockByNumber: () => other })).toEqual(["unconfirmed", []]);
    const onlyLatest = async ([tag]: [string]) => {
      if (tag === "latest") return other;
      // It is asked again for four seconds, which pass sooner here.
      vi.setSystemTime(Date.now() + 1_500);
      return null;
    };
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      expect(await send({ eth_getBlockByNumber: onlyLatest as never })).toEqual(["unconfirmed", []]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("signs nothing that no guard judged", async () => {
    const { wallet, sent } = recordingWallet(service.wallet("bob"));
    const authorization = await walletOf("bob").signAuthorization({
      contractAddress: stranger,
      executor: "self",
    });
    const call = vi.fn();
    for (const [name, value] of Object.entries({
      authorizationList: [authorization],
      accessList: [{ address: stranger, storageKeys: [] }],
      type: "eip7702",
      blobs: ["0x00"],
      dataSuffix: "0xdeadbeef",
      gasPrice: 1n,
    })) {
      const transaction = { ...approval(service.contract("swapRouter02"), 1n), [name]: value };
      await expect(
        guardedSend(wallet, transaction, { ...policy, assay: { callUnverified: call } }),
      ).rejects.toThrow(`guardedSend does not support ${name}: no guard evaluates it.`);
    }
    expect([call.mock.calls, sent]).toEqual([[], []]);
  });

  it("signs for the one chain, whatever the transaction, the wallet or its node say", async () => {
    const transaction = approval(service.contract("swapRouter02"), 1n);
    const bob = service.wallet("bob");
    const { wallet, sent } = recordingWallet(bob);
    await expect(guardedSend(wallet, { ...transaction, chainId: 1 as never }, policy)).rejects.toThrow(
      "this one is for chain 1",
    );
    await expect(guardedSend(wallet, { ...transaction, chain: { ...base, id: 1 } }, policy)).rejects.toThrow(
      "this one is for chain 1",
    );
    const foreign = recordingWallet(bob, {}, { chain: { ...base, id: 1 } });
    await expect(guardedSend(foreign.wallet, transaction, policy)).rejects.toThrow("this one is for chain 1");
    const moved = recordingWallet(bob, { eth_chainId: () => "0x1" }, { chain: undefined });
    await expect(guardedSend(moved.wallet, transaction, policy)).rejects.toThrow("of chain 0x1");
    await guardedSend(wallet, { ...transaction, chainId: 8453, chain: base }, policy);
    expect(sent).toMatchObject([{ chainId: 8453, type: "eip1559" }]);
    expect([foreign.sent, moved.sent]).toEqual([[], []]);
  });

  it("signs what was judged to the byte, past what wallet and chain would make of it", async () => {
    const transaction = approval(service.contract("swapRouter02"), 1n);
    const redirect = async (request: object) => ({ ...request, to: stranger, data: "0xdeadbeef" });
    const hooked = {
      ...base,
      prepareTransactionRequest: [redirect, { runAt: ["beforeFillTransaction", "afterFillParameters"] }],
      serializers: { transaction: () => "0x02c0" },
    };
    const past = recordingWallet(service.wallet("bob"), {}, { chain: hooked as never });
    await guardedSend(past.wallet, transaction, policy);
    expect(past.sent).toMatchObject([{ to: transaction.to.toLowerCase(), data: transaction.data }]);

    const marked = recordingWallet(service.wallet("bob"), {}, { dataSuffix: "0xcafecafe" });
    const { guard } = await guardedSend(marked.wallet, transaction, { ...policy, acceptReview: () => true });
    const data = `${transaction.data}cafecafe`;
    expect(guard.answer.result.evidence.input).toMatchObject({ data });
    expect(marked.sent).toMatchObject([{ data }]);

    const injected = recordingWallet(service.wallet("bob").address, {}, { dataSuffix: "0xcafecafe" });
    await guardedSend(injected.wallet, transaction, { ...policy, acceptReview: () => true });
    const names = ["chainId", "data", "from", "gas", "maxFeePerGas", "maxPriorityFeePerGas", "to", "type"];
    expect(Object.keys(Object(injected.sent[0])).sort()).toEqual([...names, "value"]);
    expect(injected.sent).toMatchObject([{ chainId: "0x2105", data, to: transaction.to }]);
  });

  it("sends nothing that the account signed otherwise, or that another account signed", async () => {
    const transaction = approval(service.contract("swapRouter02"), 1n);
    const [bob, carol] = [service.wallet("bob"), service.wallet("carol")];
    const redirecting = {
      ...bob,
      signTransaction: (given: object) => bob.signTransaction({ ...given, to: stranger } as never),
    };
    let reads = 0;
    const twoFaced = {
      ...carol,
      get address() {
        return reads++ === 0 ? bob.address : carol.address;
      },
    };
    for (const account of [redirecting, twoFaced]) {
      const { wallet, sent } = recordingWallet(bob);
      const act = () => guardedSend(wallet, { ...transaction, account: account as typeof bob }, policy);
      const { refusal, message } = await refusalOf(act);
      expect([refusal, sent]).toEqual(["altered", []]);
      expect(message).toContain("It was not sent.");
    }
  });

  it("keeps the fee within the policy and the gas above what is needed", async () => {
    const transaction = approval(service.contract("swapRouter02"), 1n);
    const { wallet, sent } = recordingWallet(service.wallet("bob"));
    const refuse = async (terms: object, changed: Partial<GuardPolicy> = {}) =>
      (await refusalOf(() => guardedSend(wallet, { ...transaction, ...terms }, { ...policy, ...changed })))
        .message;
    const dear = { maxFeePerGas: 10n ** 15n, maxPriorityFeePerGas: 1n };
    expect(await refuse(dear)).toContain("maxFeeWei is 5000000000000000.");
    expect(await refuse({}, { maxFeeWei: 1n })).toContain("maxFeeWei is 1.");
    expect(await refuse({ gas: 21_000n })).toMatch(/It needs \d+ gas, but gas is 21000/);
    expect(sent).toEqual([]);
  });

  it("pays for no guard when it is known beforehand that nothing will be signed", async () => {
    const transaction = approval(service.contract("swapRouter02"), 1n);
    const { wallet } = recordingWallet(service.wallet("bob"));
    const call = vi.fn();
    for (const [terms, rule] of [
      [{ gas: 30_000_000n, maxFeePerGas: 10n ** 15n }, "maxFeeWei is 5000000000000000."],
      [{ maxFeePerGas: 1n, maxPriorityFeePerGas: 2n }, "maxPriorityFeePerGas is above maxFeePerGas"],
      // The last digit does not match the checksum.
      [{ to: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046" }, "check every digit"],
      [{ to: "0x12" }, "check every digit"],
    ] as const)
      await expect(
        guardedSend(wallet, { ...transaction, ...terms } as never, {
          ...policy,
          assay: { callUnverified: call },
        }),
      ).rejects.toThrow(rule);
    await expect(guardedSend(wallet, transaction, undefined as never)).rejects.toThrow("needs a policy");
    expect(call.mock.calls).toEqual([]);
  });

  it("needs the address of the signer, and stops when its signal is aborted", async () => {
    const transaction = approval(service.contract("swapRouter02"), 1n);
    const { wallet, sent } = recordingWallet(service.wallet("bob"));
    for (const signer of [undefined, null, "", "0x12"])
      await expect(guardedSend(wallet, transaction, { ...policy, signer: signer as never })).rejects.toThrow(
        "give signer",
      );
    const stopped = { signal: AbortSignal.abort(new Error("enough")) };
    await expect(wallet.extend(guardActions(policy)).guardedSend(transaction, stopped)).rejects.toThrow(
      "enough",
    );
    const later = new AbortController();
    const acceptReview = () => {
      later.abort(new Error("changed my mind"));
      return true;
    };
    const reviewed = approval(service.contract("boxV1"), 1n);
    const act = guardedSend(wallet, reviewed, { ...policy, acceptReview }, { signal: later.signal });
    await expect(act).rejects.toThrow("changed my mind");
    const shrug = () => "no" as unknown as boolean;
    await refusalOf(() => guardedSend(wallet, reviewed, { ...policy, acceptReview: shrug }));
    expect(sent).toEqual([]);
  });

  it("asks the swap guard where the policy says so, and passes its refusal on", async () => {
    const transaction = approval(service.contract("swapRouter02"), 1n);
    await expect(
      guardedSend(walletOf("bob"), transaction, { ...policy, guard: "amm.swap.guard" }),
    ).rejects.toThrow(/router/);
  });
});

describe("watching", () => {
  /** Without viem, which gives up after a timer. */
  const mine = (blocks: number) => {
    const call = { jsonrpc: "2.0", id: 1, method: "hardhat_mine", params: [numberToHex(blocks)] };
    const headers = { "content-type": "application/json" };
    return fetch(service.rpcUrl, { method: "POST", headers, body: JSON.stringify(call) });
  };

  it("counts down to the end of an answer's window", async () => {
    const { answer } = await assay.call("chain.snapshot", {});
    const states: WindowState[] = [];
    await skipWaits(async () => {
      for await (const state of assay.watch(answer)) {
        states.push(state);
        await mine(Math.ceil(state.blocksLeft / 4));
      }
    });
    expect(states[0]).toMatchObject({ ended: false, validUntilBlock: answer.result.validUntilBlock });
    expect(states.at(-1)).toMatchObject({ ended: true, blocksLeft: 0 });
    expect(states.at(-1)?.headBlock).toBeGreaterThan(answer.result.validUntilBlock);
  });

  it("stops when its signal is aborted", async () => {
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
