import { channelIdOf, type Hex, voucherDigestOf } from "@assay/protocol";
import { recoverAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkReceipt } from "../checkReceipt.js";
import { checkResult } from "../checkResult.js";
import { type ClientConfig, createClient } from "../createClient.js";
import { BudgetError, PaymentOutcomeUnknownError, SpendLimitError } from "../errors.js";
import { startOwnService } from "../testing/startOwnService.js";
import type { RunningService } from "../testing/startService.js";
import { startUnreliableProxy, type UnreliableProxy } from "../testing/startUnreliableProxy.js";
import { ChannelDisputeError } from "./channelDisputeError.js";
import { type ChannelRecord, type ChannelStore, keepInMemory } from "./channelRecord.js";

let service: RunningService;
let proxy: UnreliableProxy;
beforeAll(async () => {
  service = await startOwnService({ RATE_LIMITS: "off" });
  proxy = await startUnreliableProxy(service.url);
});
afterAll(async () => {
  await proxy?.stop();
  await service?.stop();
});

/** What this payment says, from its header. */
const decode = (header: string) => JSON.parse(Buffer.from(header, "base64").toString("utf8"));
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

interface Recorded {
  readonly store: ChannelStore;
  /** Every payment that left the client. */
  readonly sent: {
    readonly price: string;
    readonly type: string;
    readonly voucher: { readonly maxClaimableAmount: string };
  }[];
}

/** A client of its own wallet that pays from a channel, and what it sends. */
function open(name: string, config: Partial<ClientConfig> = {}) {
  const recorded: Recorded = { store: config.channel?.store ?? keepInMemory(), sent: [] };
  const fetch = config.fetch ?? globalThis.fetch;
  const client = createClient({
    baseUrl: service.url,
    account: service.wallet(name),
    ...config,
    channel: { depositUsd: 0.5, ...config.channel, store: recorded.store },
    fetch: (url, init) => {
      const header = new Headers(init?.headers).get("payment-signature");
      if (header !== null) {
        const { accepted, payload } = decode(header);
        recorded.sent.push({ price: accepted.amount, ...payload });
      }
      return fetch(url, init);
    },
  });
  return { client, ...recorded };
}

const readRecord = async (store: ChannelStore) => (await store.read()) as ChannelRecord;
const ceilingsOf = (sent: Recorded["sent"]) => sent.map(({ voucher }) => Number(voucher.maxClaimableAmount));

describe("a client with a channel", () => {
  it("deposits with its first call, pays the others by signature, tops up when the channel is used up, and gets the rest back", async () => {
    const { address } = service.wallet("alice");
    const before = await service.balanceOf(address);
    const { client, sent, store } = open("alice", { channel: { depositUsd: 0.25 }, node: service.rpcUrl });
    expect(await client.channelStatus()).toBeUndefined();
    const first = await client.call("contract.guard", { address: service.contract("plainToken") });
    expect(first).toMatchObject({
      settlement: null,
      voucher: { maxClaimableAmount: "100000", deposit: "250000" },
    });
    expect(before - (await service.balanceOf(address))).toBe(250_000n);

    // Asked for at once; paid one after another.
    await Promise.all(
      ["weth", "erc721"].map((name) => client.call("contract.guard", { address: service.contract(name) })),
    );
    // Two fit into the deposit. The third brought another one.
    expect(sent.map(({ type }) => type)).toEqual(["deposit", "voucher", "deposit"]);
    expect(before - (await service.balanceOf(address))).toBe(500_000n);
    for (let calls = 0; calls < 10; calls++) await client.call("chain.snapshot", {});
    const ceilings = ceilingsOf(sent);
    expect(ceilings).toEqual([...new Set(ceilings)].sort((a, b) => a - b));
    expect(sent.slice(3).every(({ type }) => type === "voucher")).toBe(true);

    const status = await client.channelStatus();
    const charged = ceilings.at(-1) ?? 0;
    expect(status).toMatchObject({ depositedUsd: 0.5, chargedUsd: charged / 1e6, signedUsd: charged / 1e6 });
    expect(client.spentUsd()).toBe(charged / 1e6);

    const closed = await client.closeChannel();
    expect(closed).toMatchObject({
      channelId: status?.channelId,
      chargedUsd: charged / 1e6,
      refundedUsd: (500_000 - charged) / 1e6,
      shownBy: "node",
    });
    expect(await service.wasMined(closed?.transaction ?? "0x")).toBe(true);
    expect(before - (await service.balanceOf(address))).toBe(BigInt(charged));
    expect(await store.read()).toBeUndefined();
    expect(await client.closeChannel()).toBeUndefined();
  });

  it("gets receipts that verify offline, and no other voucher in their place", async () => {
    const { client } = open("bob");
    await client.call("chain.snapshot", {});
    const { answer } = await client.call("contract.guard", { address: service.contract("plainToken") });
    const { log, signingAddress } = await client.describe();
    const logKey = log.publicKey;
    const unclaimed = await client.receipt(answer.invocationId);
    expect(unclaimed.payment).toMatchObject({ transaction: null, channel: { isClaimed: false } });
    expect(unclaimed.payment.channel?.voucher).not.toHaveProperty("signature");
    const unshown = await checkReceipt(unclaimed, { logKey });
    expect(unshown.steps.filter(({ ok, checked }) => !ok || !checked)).toMatchObject([
      { name: "voucher", ok: true, checked: false },
    ]);
    // Closing claims what was charged.
    await client.closeChannel();
    const receipt = await client.receipt(answer.invocationId);
    expect(receipt.payment).toMatchObject({ transaction: null, channel: { isClaimed: true } });
    const verified = await checkReceipt(receipt, { logKey });
    expect(verified.steps.filter(({ ok, checked }) => !ok || !checked)).toEqual([]);
    expect(verified.steps.map(({ name }) => name)).toContain("voucher");
    const together = await checkResult({ answer, receipt }, { signer: signingAddress, logKey });
    expect(together).toMatchObject({ conclusion: "verified" });

    const { payment } = receipt;
    const channel = payment.channel as NonNullable<typeof payment.channel>;
    const own = privateKeyToAccount(generatePrivateKey());
    const sign = (channelId: string, amount: string) =>
      own.sign({ hash: voucherDigestOf({ channelId, maxClaimableAmount: BigInt(amount) }) });
    const { voucher, config } = channel;
    const foreign = { ...config, payerAuthorizer: own.address };
    const foreignId = channelIdOf(foreign);
    const { channel: _, ...without } = payment;
    const changed: Record<string, unknown> = {
      "another signer": {
        ...payment,
        channel: {
          ...channel,
          voucher: { ...voucher, signature: await sign(voucher.channelId, voucher.maxClaimableAmount) },
        },
      },
      "another channel of the signer's": {
        ...payment,
        channel: {
          ...channel,
          config: foreign,
          voucher: {
            ...voucher,
            channelId: foreignId,
            signature: await sign(foreignId, voucher.maxClaimableAmount),
          },
        },
      },
      "another ceiling": {
        ...payment,
        channel: { ...channel, voucher: { ...voucher, maxClaimableAmount: "1" } },
      },
      "another salt": {
        ...payment,
        channel: { ...channel, config: { ...config, salt: `0x${"11".repeat(32)}` } },
      },
      "no voucher": without,
      "no signature": {
        ...payment,
        channel: { ...channel, voucher: { ...voucher, signature: undefined } },
      },
      "a claim that is none": {
        ...payment,
        channel: { ...channel, isClaimed: false, claimTransaction: `0x${"11".repeat(32)}` },
      },
    };
    for (const [name, other] of Object.entries(changed)) {
      const forged = { ...receipt, payment: other };
      expect(await checkReceipt(forged, { logKey }), name).toMatchObject({ ok: false });
      expect(await checkResult({ answer, receipt: forged }, { logKey }), name).toMatchObject({ ok: false });
    }
  });

  it("signs nothing above its limits, and holds no more in the channel than its budget has left", async () => {
    const { client, sent } = open("carol", {
      maxTotalUsd: 0.15,
      channel: { depositUsd: 1, maxPriceUsd: 0.11 },
    });
    const strict = open("carol", { channel: { depositUsd: 1, maxPriceUsd: 0.05 } });
    const question = { address: service.contract("honeypotToken") };
    await expect(strict.client.call("contract.guard", question, { maxPriceUsd: 1 })).rejects.toThrow(
      SpendLimitError,
    );
    expect(strict.sent).toEqual([]);
    await client.call("contract.guard", { address: service.contract("honeypotToken") });
    expect(sent[0]).toMatchObject({ type: "deposit", deposit: { amount: "150000" } });
    await expect(
      client.call("contract.guard", { address: service.contract("transparentProxy") }),
    ).rejects.toThrow(BudgetError);
    expect(sent).toHaveLength(1);
    const { client: unable } = open("carol", { channel: { depositUsd: 1, maxPriceUsd: 2 } });
    await expect(unable.call("chain.snapshot", {})).rejects.toThrow("channel.maxPriceUsd");
  });

  it("pays only what the expected key has offered", async () => {
    const { signingAddress } = await open("judy").client.describe();
    const { client } = open("judy", { signer: signingAddress });
    await client.call("chain.snapshot", {});
    await client.closeChannel();
    const other = open("judy", { signer: service.wallet("judy").address });
    await expect(other.client.call("chain.snapshot", {})).rejects.toThrow("offers no payment");
    expect(other.sent).toEqual([]);
  });

  it("sends the same voucher again when an answer gets lost, and is charged once", async () => {
    const { client, sent } = open("dave", { baseUrl: proxy.url });
    proxy.faults = ["drop", "unavailable", "html"];
    await client.call("chain.snapshot", {});
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map((payload) => JSON.stringify(payload))).size).toBe(1);
    expect(await client.channelStatus()).toMatchObject({ chargedUsd: (ceilingsOf(sent)[0] ?? 0) / 1e6 });
  });

  it("counts a call whose answer never came once the service shows the signature over it", async () => {
    const { client, sent, store } = open("erin", { baseUrl: proxy.url });
    // Its answer lasts for days, so that the price stays the same however long this takes.
    const asked = { address: service.contract("plainToken") };
    await client.call("contract.interface", asked);
    proxy.faults = ["drop", "drop", "drop", "drop", "drop", "drop"];
    const lost = await client
      .call("contract.interface", asked, { deadlineMs: 1_000 })
      .catch((error) => error);
    expect(lost).toBeInstanceOf(PaymentOutcomeUnknownError);
    proxy.faults = [];
    const inDoubt = await readRecord(store);
    expect(BigInt(inDoubt.signed)).toBeGreaterThan(BigInt(inDoubt.charged));

    const attempts = sent.length;
    await client.call("contract.interface", asked);
    const [tried = 0, corrected = 0] = ceilingsOf(sent.slice(attempts));
    const price = tried - Number(inDoubt.charged);
    expect(corrected).toBe(Number(inDoubt.signed) + price);
    // The payment in doubt still gets the answer that it bought.
    const resumed = await client.send(lost.prepared, { wasSent: true });
    expect(resumed.voucher).toMatchObject({ maxClaimableAmount: inDoubt.signed });
    expect((await client.closeChannel())?.chargedUsd).toBe(corrected / 1e6);
  });
});

/** A service that answers a paid request with a correction of its own making. */
function correcting(
  state: (payload: { voucher: { channelId: Hex; maxClaimableAmount: string; signature: Hex } }) => object,
): typeof globalThis.fetch {
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    const header = headers.get("payment-signature");
    if (header === null) return globalThis.fetch(url, init);
    headers.delete("payment-signature");
    const challenge = await globalThis.fetch(url, { ...init, headers });
    const asked = decode(challenge.headers.get("payment-required") ?? "");
    const accepts = asked.accepts.map((way: { scheme: string; extra: object }) =>
      way.scheme === "exact" ? way : { ...way, extra: { ...way.extra, ...state(decode(header).payload) } },
    );
    const error = "invalid_batch_settlement_evm_cumulative_amount_mismatch";
    return new Response("{}", {
      status: 402,
      headers: { "payment-required": encode({ ...asked, error, accepts }) },
    });
  };
}

const stateOf = (channelId: Hex, charged: string, signature?: Hex) => ({
  channelState: { channelId, chargedCumulativeAmount: charged },
  ...(signature && { voucherState: { signedMaxClaimable: charged, signature } }),
});

describe("a service that lies about a channel", () => {
  const stranger = privateKeyToAccount(generatePrivateKey());
  const forge = async (channelId: Hex, amount: string) =>
    stranger.sign({ hash: voucherDigestOf({ channelId, maxClaimableAmount: BigInt(amount) }) });

  /** A channel with one charge, then this answer to the next call. Returns what was sent to the liar. */
  async function lie(name: string, state: Parameters<typeof correcting>[0]) {
    const honest = open(name);
    await honest.client.call("chain.snapshot", {});
    const before = await readRecord(honest.store);
    const liar = open(name, { channel: { depositUsd: 0.5, store: honest.store }, fetch: correcting(state) });
    const failure = await liar.client.call("chain.snapshot", {}).catch((error) => error);
    return { failure, before, after: await readRecord(honest.store), sent: liar.sent, honest };
  }

  it("gets no voucher over a charge that the payer never signed", async () => {
    let forged: Hex | undefined;
    const { failure, sent, before, after, honest } = await lie("frank", ({ voucher }) => {
      const amount = "400000";
      return stateOf(voucher.channelId, amount, forged ?? voucher.signature);
    });
    expect(failure).toBeInstanceOf(ChannelDisputeError);
    expect(sent).toHaveLength(1);
    expect(after.charged).toBe(before.charged);

    const { channelId } = (await honest.client.channelStatus()) as { channelId: Hex };
    forged = await forge(channelId, "400000");
    const liar = open("frank", {
      channel: { depositUsd: 0.5, store: honest.store },
      fetch: correcting(({ voucher }) => stateOf(voucher.channelId, "400000", forged)),
    });
    await expect(liar.client.call("chain.snapshot", {})).rejects.toThrow(
      "does not show the payer's signature",
    );
    expect(liar.sent).toHaveLength(1);
    // The channel is as good as before.
    await honest.client.call("chain.snapshot", {});
  });

  it("gets no second voucher for one call by showing the first one as used up", async () => {
    const { failure, sent, before, after } = await lie("grace", ({ voucher }) =>
      stateOf(voucher.channelId, voucher.maxClaimableAmount, voucher.signature),
    );
    expect(failure).toBeInstanceOf(ChannelDisputeError);
    expect(failure.message).toContain("signed before this call");
    expect(sent).toHaveLength(1);
    const price = BigInt(ceilingsOf(sent)[0] ?? 0) - BigInt(before.charged);
    expect(BigInt(after.signed)).toBe(BigInt(before.signed) + price);
  });

  it("raises what it can claim by at most the price of each call, however often it refuses", async () => {
    const honest = open("heidi");
    await honest.client.call("chain.snapshot", {});
    let highest: { channelId: Hex; maxClaimableAmount: string; signature: Hex } | undefined;
    const liar = open("heidi", {
      channel: { depositUsd: 0.5, store: honest.store },
      // Shows the highest voucher it has, as if it had been charged.
      fetch: correcting(({ voucher }) => {
        const shown = highest ?? voucher;
        if (!highest || BigInt(voucher.maxClaimableAmount) > BigInt(highest.maxClaimableAmount))
          highest = voucher;
        return stateOf(shown.channelId, shown.maxClaimableAmount, shown.signature);
      }),
    });
    const before = await readRecord(honest.store);
    let agreed = 0;
    for (let calls = 1; calls <= 5; calls++) {
      const attempts = liar.sent.length;
      await liar.client.call("chain.snapshot", {}, { useQuote: false }).catch(() => undefined);
      agreed += Number(liar.sent[attempts]?.price);
      const { signed } = await readRecord(honest.store);
      expect(Number(signed) - Number(before.signed)).toBeLessThanOrEqual(agreed);
    }
    const own = service.wallet("heidi").address;
    const shown = highest as unknown as { channelId: Hex; maxClaimableAmount: string; signature: Hex };
    const { channelId, maxClaimableAmount, signature } = shown;
    const hash = voucherDigestOf({ channelId, maxClaimableAmount: BigInt(maxClaimableAmount) });
    expect(await recoverAddress({ hash, signature })).toBe(own);
    expect((await readRecord(honest.store)).signed).toBe(maxClaimableAmount);
  });

  it("is found out when it returns less than is left, or names a transaction that returned nothing", async () => {
    const { client, store } = open("ivan", { node: service.rpcUrl });
    await client.call("chain.snapshot", {});
    const kept = await readRecord(store);
    const claiming = (amount: string) =>
      open("ivan", {
        channel: { depositUsd: 0.5, store },
        node: service.rpcUrl,
        fetch: async (url, init) => {
          if (!new Headers(init?.headers).has("payment-signature")) return globalThis.fetch(url, init);
          const settled = { success: true, transaction: `0x${"22".repeat(32)}`, amount };
          return new Response("{}", { headers: { "payment-response": encode(settled) } });
        },
      }).client;
    await expect(claiming("1").closeChannel()).rejects.toThrow("were deposited");
    const left = (BigInt(kept.deposited) - BigInt(kept.charged)).toString();
    await expect(claiming(left).closeChannel()).rejects.toThrow("the node does not show it");
    // Neither closed anything.
    expect(await client.closeChannel()).toMatchObject({ shownBy: "node", refundedUsd: Number(left) / 1e6 });
  });
});
