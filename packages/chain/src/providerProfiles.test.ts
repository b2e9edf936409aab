import { describe, expect, test } from "vitest";
import { createChain } from "./createChain.js";
import { contracts, installContracts, slotZero } from "./testing/contracts.js";
import { createLocalChain, type LocalChain } from "./testing/localChain.js";
import { type ProfiledNode, startProfiledNode } from "./testing/profiledNode.js";
import type { ProviderProfile } from "./testing/providerProfile.js";
import { getProfile, providerProfiles } from "./testing/providerProfiles.js";
import type { Chain } from "./types.js";
import { watchReads } from "./watchReads.js";

const call = (name: keyof typeof contracts) =>
  ({ kind: "call", to: contracts[name].address, data: "0x" }) as const;
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;

interface Opened {
  readonly local: LocalChain;
  readonly node: ProfiledNode;
  readonly chain: Chain;
}

/** The tests wait more than they work, so they run at the same time; each closes what it opened. */
async function behind(profile: ProviderProfile, run: (opened: Opened) => Promise<void>): Promise<void> {
  const local = await createLocalChain();
  await installContracts(local);
  const node = await startProfiledNode(local, profile);
  try {
    const chain = await createChain({ rpcUrls: [node.url], expectedChainId: 8453 });
    await run({ local, node, chain }).finally(() => chain.close());
  } finally {
    await node.close();
  }
}

const READS = [
  { kind: "code", address: contracts.answers42.address },
  { kind: "storage", address: contracts.answers42.address, slot: slotZero },
  { kind: "balance", address: contracts.answers42.address },
  call("answers42"),
  call("revertsWithData"),
] as const;
const TRUE = [
  { status: "value", value: contracts.answers42.code },
  { status: "value", value: word(7) },
  { status: "value", value: "0x10" },
  { status: "value", value: word(42) },
  { status: "reverted", data: "0xdeadbeef" },
];

describe.concurrent("behind a provider", () => {
  test.each(providerProfiles)(
    "$name: the chain opens, and a reading is true or is missing for a reason that passes",
    (profile) =>
      behind(profile, async ({ chain }) => {
        for (let round = 0; round < 3; round += 1) {
          const block = await chain.latestBlock();
          const caller = watchReads(chain);
          const readings = await caller.readAt(block, READS);
          const isWhole = readings.every(({ status }) => status !== "unanswered");
          if (isWhole) expect(readings).toEqual(TRUE);
          else expect(caller.passingFailures()).not.toEqual([]);
        }
      }),
  );
});

describe.concurrent("a batch that is refused", () => {
  const more = [call("returnsNothing"), call("revertsEmpty"), call("invalidOpcode"), call("stackUnderflow")];

  test.each(providerProfiles.filter(({ batch, limit }) => batch !== undefined && limit === undefined))(
    "$name: is learnt from once, and every answer finds its place",
    (profile) =>
      behind(profile, async ({ chain, node }) => {
        const block = await chain.latestBlock();
        expect(await chain.readAt(block, READS)).toEqual(TRUE);
        // Polls of the head go on meanwhile.
        const count = () => node.requests.count - (node.calls.get("eth_getBlockByNumber") ?? 0);
        const before = count();
        await chain.readAt(block, more);
        // A limit that the refusal does not state is found by halving.
        const least = Math.max(1, Math.floor((profile.batch?.max ?? 1) / 2));
        expect(count() - before).toBeLessThanOrEqual(Math.ceil(more.length / least));
      }),
  );
});

describe.concurrent("a method that is refused", () => {
  const proof = { kind: "proof", address: contracts.answers42.address, slots: [] } as const;
  const trace = {
    kind: "trace",
    from: contracts.answers42.address,
    to: contracts.answers42.address,
    data: "0x",
    value: 0n,
  } as const;

  test.each(["refused methods: HTTP 403 for the whole request", "no proofs, no traces"])(
    "%s: is asked for once, takes no other answer with it, and is no failure of the node",
    (name) =>
      behind(getProfile(name), async ({ chain, node, local }) => {
        for (let round = 0; round < 5; round += 1) {
          await local.rpc("evm_mine");
          const block = await chain.latestBlock();
          const [code, proven, traced] = await chain.readAt(block, [READS[0], proof, trace]);
          expect([code.status, proven, traced]).toEqual([
            "value",
            { status: "unanswered", reason: "method_unsupported" },
            { status: "absent" },
          ]);
        }
        // Once within a batch, and where that ended the batch, once more by itself.
        expect(node.calls.get("eth_getProof")).toBeLessThanOrEqual(2);
        expect(node.calls.get("debug_traceCall")).toBe(1);
      }),
  );
});
