import { createChain } from "@assay/chain";
import { createSeededChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import type { Hex } from "@assay/protocol";
import { StateProofError } from "@assay/protocol";
import { bytesToHex, hexToBytes } from "viem";
import { expect, test } from "vitest";
import { openExecution } from "./openExecution.js";
import type { TradeExecutionReadings } from "./readings.js";
import { type Sending, useNotarizeFixture } from "./testing/notarizeFixture.js";

const fixture = useNotarizeFixture();
/** A few hold every kind of transaction; ASSAY_MIXED_BLOCKS=100 is the long form. */
const BLOCKS = Number(process.env.ASSAY_MIXED_BLOCKS ?? 10);
const SEED = 20261116;

/** Emits as many logs as the first byte of its calldata says, each with one topic. */
const CHATTY: Hex = `0x${"c4".repeat(20)}`;
const CHATTY_CODE: Hex = "0x5f3560f81c5b80156017578060405fa1600190036005565b00";

/** One transaction of any kind that a wallet can send to the local chain. */
async function chooseSending(choices: SeededChoices): Promise<Sending> {
  const { alice, bob, contracts } = fixture;
  const kinds: (() => Sending | Promise<Sending>)[] = [
    () => ({ to: bob.address, value: BigInt(choices.integer(0, 1_000)) }),
    () => ({
      to: bob.address,
      data: choices.hex(choices.integer(0, 200)),
      more: { gasPrice: 3n * 10n ** 9n, type: "legacy" },
    }),
    () => ({
      to: contracts.stablecoin,
      data: `0xa9059cbb${bob.address.slice(2).padStart(64, "0")}${choices.integer(0, 99).toString(16).padStart(64, "0")}`,
      more: {
        type: "eip2930",
        gasPrice: 3n * 10n ** 9n,
        accessList: [
          { address: contracts.stablecoin, storageKeys: [`0x${"01".repeat(32)}`, `0x${"00".repeat(32)}`] },
        ],
      },
    }),
    () => ({ data: "0x6001600c60003960016000f300" }),
    // Reverts: nobody may transfer what he has not.
    () => ({
      to: contracts.plainToken,
      data: `0xa9059cbb${"0".repeat(63)}1${"f".repeat(64)}`,
      gas: 200_000n,
    }),
    () => ({ to: CHATTY, data: `0x0${choices.hex(1).slice(3)}` }),
    async () => ({
      to: bob.address,
      more: {
        type: "eip7702",
        authorizationList: [
          await alice.signAuthorization({
            chainId: 8453,
            contractAddress: contracts.boxV1,
            nonce: 1_000_000,
          }),
        ],
      },
    }),
  ];
  return choices.pick(kinds)();
}

function flip(bytes: Hex, choices: SeededChoices): Hex {
  const flipped = hexToBytes(bytes);
  const at = choices.integer(0, flipped.length - 1);
  flipped[at] = (flipped[at] ?? 0) ^ (1 << choices.integer(0, 7));
  return bytesToHex(flipped);
}

type Proven = Pick<TradeExecutionReadings, "block" | "execution">;

/** The same readings with one byte changed, in each of the parts. */
function listForgeries({ block, execution }: Proven, choices: SeededChoices): Proven[] {
  const { header, transaction, receipt } = execution;
  const forgeNode = (part: typeof receipt) => {
    if (part.proof.status !== "value") throw new Error("not proven");
    const nodes = [...part.proof.value];
    const at = choices.integer(0, nodes.length - 1);
    nodes[at] = flip(nodes[at] as Hex, choices);
    return { ...part, proof: { status: "value" as const, value: nodes } };
  };
  if (header.status !== "value") throw new Error("no header");
  return [
    { header: { ...header, value: flip(header.value as Hex, choices) } },
    { transaction: forgeNode(transaction) },
    { receipt: forgeNode(receipt) },
    { hash: flip(execution.hash as Hex, choices) },
  ].map((change) => ({ block, execution: { ...execution, ...change } }));
}

test(`every transaction of ${BLOCKS} mixed blocks is proven, and one flipped byte shows`, async () => {
  const choices = createSeededChoices(SEED);
  await fixture.setCode(CHATTY, CHATTY_CODE);
  const hashes: Hex[] = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    const sendings = await Promise.all(
      Array.from({ length: choices.integer(1, 5) }, () => chooseSending(choices)),
    );
    hashes.push(
      ...(await fixture.sendTogether(sendings.map((sending) => () => fixture.send(fixture.alice, sending)))),
    );
  }
  const chain = await createChain({ rpcUrls: [fixture.devnet.rpcUrl], expectedChainId: 8453 });
  const seen = { transactions: 0, reverted: 0, logs: 0, forgeries: 0, types: new Set<number>() };
  try {
    const head = await chain.latestBlock();
    const block = { number: head.number, hash: head.hash, timestamp: head.timestamp };
    for (const hash of hashes) {
      const mined = await chain.findMined(hash);
      if (mined === undefined) throw new Error(`${hash} was not mined`);
      const { header, transaction, receipt } = await chain.readExecution(mined);
      const proven = {
        block,
        execution: {
          ...{
            number: mined.blockNumber,
            hash: mined.blockHash,
            canonicalHash: mined.blockHash,
            index: mined.index,
          },
          ...{ header, transaction, receipt },
        },
      } as unknown as Proven;
      const opened = openExecution(hash, proven);
      expect(opened).toMatchObject({
        isTransactionProven: true,
        isReceiptProven: true,
        transaction: { hash, from: fixture.alice.address.toLowerCase() },
      });
      seen.transactions += 1;
      seen.reverted += opened.receipt?.success ? 0 : 1;
      seen.logs += opened.receipt?.logs.length ?? 0;
      seen.types.add(opened.transaction?.type ?? -1);
      for (const forgery of listForgeries(proven, choices)) {
        expect(() => openExecution(hash, forgery)).toThrow(StateProofError);
        seen.forgeries += 1;
      }
    }
  } finally {
    await chain.close();
  }
  if (process.env.SHOW_NOTARIZE_TABLE) console.log(seen);
  expect([...seen.types].sort()).toEqual([0, 1, 2, 4]);
  expect(seen.transactions).toBe(hashes.length);
  expect(seen.reverted).toBeGreaterThan(BLOCKS / 10);
  expect(seen.logs).toBeGreaterThan(BLOCKS);
}, 120_000);
