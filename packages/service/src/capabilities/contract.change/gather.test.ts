import { createDevnet, type Devnet } from "@assay/devnet";
import { artifactIdOf, canonicalJson, type Hex, inputHashOf, NETWORK } from "@assay/protocol";
import { contractChangeReadingsSchema, fingerprintBytecode, knownSlots, verifyFacts } from "@assay/rules";
import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createChain } from "../../chain/createChain.js";
import { deafChain } from "../../chain/testing/deafChain.js";
import type { Chain, ChainRead } from "../../chain/types.js";
import { settleAnsweredCalls, storeAnsweredCall } from "../../testing/answeredCalls.js";
import { createGatherContext } from "../../testing/createGatherContext.js";
import { createTestDatabase, type TestDatabase } from "../../testing/createTestDatabase.js";
import { contractChange } from "./definition.js";

let devnet: Devnet;
let chain: Chain;
let database: TestDatabase;
let snapshot: Hex;

beforeAll(async () => {
  [devnet, database] = await Promise.all([createDevnet({ blockTimeMs: 0 }), createTestDatabase()]);
  chain = await createChain({ rpcUrls: [devnet.rpcUrl], expectedChainId: 8453 });
}, 60_000);
afterAll(async () => {
  await chain?.close();
  await Promise.all([devnet?.close(), database?.close()]);
});
beforeEach(async () => {
  snapshot = await devnet.snapshot();
});
afterEach(async () => {
  await devnet.revert(snapshot);
  await database.query({ text: "TRUNCATE contract_baselines, observations" });
});

const low = (address: string) => address.toLowerCase() as Hex;
const word = (value: string): Hex => `0x${low(value).slice(2).padStart(64, "0")}`;
const FRESH = "0x00000000000000000000000000000000c0de0001";

/** Runs the capability as the service does, counting the batches it asks for. */
async function look(address: string, through: Chain = chain) {
  const batches: (readonly ChainRead[])[] = [];
  const counted: Chain = {
    ...through,
    readAt: (block, reads) => {
      batches.push(reads);
      return through.readAt(block, reads);
    },
  };
  const block = await chain.latestBlock();
  const input = { address: low(address) };
  const context = createGatherContext(counted, block, database);
  const gathered = await contractChange.gather(context, input);
  const readings = contractChangeReadingsSchema.parse(JSON.parse(canonicalJson(gathered.readings)));
  const evaluation = contractChange.evaluate(input, readings);
  return { ...evaluation, input, readings, gathered, block, proofs: context.proofs, batches: batches.length };
}

/** A call that is paid for: what it saw is what the next one is compared with. */
async function observe(address: string, through?: Chain) {
  const seen = await look(address, through);
  const { input, readings, verdict, block, gathered } = seen;
  const { id: capabilityId, version: capabilityVersion } = contractChange.spec;
  const validUntilBlock = block.number;
  const artifactId = artifactIdOf({
    ...{ capabilityId, capabilityVersion, network: NETWORK, input, readings, verdict, validUntilBlock },
    block: readings.block,
  });
  const inputHash = inputHashOf(capabilityId, capabilityVersion, input);
  const artifact = {
    artifactId,
    capabilityId,
    capabilityVersion,
    inputHash,
    input,
    verdict,
    validUntilBlock,
  };
  const call = await storeAnsweredCall(database, {
    artifact: { ...artifact, block: readings.block, freshUntilMs: Date.now() },
    fingerprint: null,
    observation: gathered.observation ?? null,
  });
  await settleAnsweredCalls(database, [call]);
  return { ...seen, artifactId };
}

/** State set by force is seen from the next block on. */
async function setSlot(address: string, slot: Hex, value: string): Promise<void> {
  await devnet.request("hardhat_setStorageAt", [address, slot, word(value)]);
  await devnet.mine();
}
async function setCode(address: string, code: Hex): Promise<void> {
  await devnet.request("hardhat_setCode", [address, code]);
  await devnet.mine();
}

const abi = parseAbi([
  "function upgradeToAndCall(address implementation, bytes data)",
  "function upgradeAndCall(address proxy, address implementation, bytes data)",
  "function upgradeTo(address implementation)",
  "function pause()",
  "function unpause()",
]);

/** Sent by the owner of every sample. */
async function command(
  to: string,
  call: Parameters<typeof encodeFunctionData<typeof abi>>[0],
): Promise<void> {
  const from = devnet.deployer.address;
  await devnet.request("hardhat_impersonateAccount", [from]);
  await devnet.request("eth_sendTransaction", [{ from, to, data: encodeFunctionData(call) }]);
}

describe("two observations", () => {
  test("the first is a baseline, and the second of the same state is unchanged", async () => {
    const { plainToken } = devnet.contracts;
    const first = await observe(plainToken);
    expect(first).toMatchObject({
      verdict: "review",
      reasonCodes: ["BASELINE_CREATED"],
      findings: { changed: null, isBaseline: true, afterBlock: first.block.number },
      batches: 1,
    });
    await devnet.mine();
    const second = await observe(plainToken);
    expect(second).toMatchObject({
      verdict: "allow",
      reasonCodes: ["UNCHANGED"],
      findings: {
        changed: false,
        isBaseline: false,
        beforeBlock: first.block.number,
        afterBlock: first.block.number + 1,
        beforeArtifactId: first.artifactId,
        sinceBaseline: { block: first.block.number, artifactId: first.artifactId, changedFields: [] },
      },
      batches: 1,
    });
    expect(second.gathered.fingerprint).toMatchObject({
      address: low(plainToken),
      codeHash: second.readings.code.status === "value" && second.readings.code.value.codeHash,
    });
    const facts = contractChange.listFacts(second.input, second.readings);
    expect(() => verifyFacts(second.proofs, facts)).not.toThrow();
  });

  test("what was looked at and not settled is compared with nothing", async () => {
    await look(devnet.contracts.plainToken);
    expect((await look(devnet.contracts.plainToken)).findings.isBaseline).toBe(true);
  });

  test("a change older than the last observation still shows against the baseline", async () => {
    const { legacyProxy, boxV2 } = devnet.contracts;
    const first = await observe(legacyProxy);
    await command(legacyProxy, { abi, functionName: "upgradeTo", args: [boxV2] });
    expect((await observe(legacyProxy)).findings).toMatchObject({
      changed: true,
      sinceBaseline: { changedFields: ["implementation"] },
    });
    await devnet.mine();
    // Unchanged since the last observation, and still not what the first one saw.
    expect(await observe(legacyProxy)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["UNCHANGED", "DIFFERS_FROM_BASELINE"]),
      findings: {
        changed: false,
        sinceBaseline: { block: first.block.number, changedFields: ["implementation"] },
      },
    });
  });
});

describe("upgrades", () => {
  test.each([
    ["uupsProxy", "uupsBoxV1", "uupsBoxV2", null],
    ["transparentProxy", "boxV1", "boxV2", "proxyAdmin"],
    ["legacyProxy", "boxV1", "boxV2", "deployer"],
    ["beaconProxy", "boxV1", "boxV2", null],
  ] as const)("of %s are an implementation change", async (name, from, to, admin) => {
    const { contracts, deployer } = devnet;
    const proxy = contracts[name];
    const after = contracts[to];
    await observe(proxy);
    if (name === "uupsProxy")
      await command(proxy, { abi, functionName: "upgradeToAndCall", args: [after, "0x"] });
    if (name === "transparentProxy")
      await command(contracts.proxyAdmin, {
        abi,
        functionName: "upgradeAndCall",
        args: [proxy, after, "0x"],
      });
    if (name === "legacyProxy") await command(proxy, { abi, functionName: "upgradeTo", args: [after] });
    if (name === "beaconProxy")
      await command(contracts.beacon, { abi, functionName: "upgradeTo", args: [after] });
    const result = await look(proxy);
    const adminAddress = admin && low(admin === "deployer" ? deployer.address : contracts[admin]);
    expect(result).toMatchObject({
      verdict: "review",
      reasonCodes: ["IMPLEMENTATION_CHANGED"],
      findings: {
        changed: true,
        fields: {
          codeHash: { changed: false },
          implementation: { before: low(contracts[from]), after: low(after), changed: true },
          admin: { before: adminAddress, after: adminAddress, changed: false },
          beacon: { changed: false },
          paused: { before: null, after: null, changed: false },
        },
      },
      batches: name === "beaconProxy" ? 2 : 1,
    });
  });

  test("of a Safe's singleton are an implementation change", async () => {
    // Answers every call with its first slot.
    await setCode(FRESH, "0x60005460005260206000f3");
    await setSlot(FRESH, knownSlots.safeSingleton, devnet.contracts.boxV1);
    await observe(FRESH);
    await setSlot(FRESH, knownSlots.safeSingleton, devnet.contracts.boxV2);
    expect((await look(FRESH)).reasonCodes).toContain("IMPLEMENTATION_CHANGED");
  });

  test("a beacon that answers by its caller is asked as the proxy would", async () => {
    const { beaconProxy, beacon, boxV1, boxV2 } = devnet.contracts;
    await observe(beaconProxy);
    const naming = (target: string) => `73${low(target).slice(2)}60005260206000f3`;
    // By the size of the caller's code: V2 to the proxy, and still V1 to everybody else.
    await setCode(beacon, `0x333b602257${naming(boxV1)}5b${naming(boxV2)}`);
    expect(await look(beaconProxy)).toMatchObject({
      findings: { fields: { implementation: { before: low(boxV1), after: low(boxV2), changed: true } } },
    });
  });

  test("another beacon is told apart from what it names", async () => {
    const { beaconProxy, beacon, boxV1 } = devnet.contracts;
    await observe(beaconProxy);
    await setCode(FRESH, `0x73${low(boxV1).slice(2)}60005260206000f3`);
    await setSlot(beaconProxy, knownSlots.eip1967Beacon, FRESH);
    expect(await look(beaconProxy)).toMatchObject({
      verdict: "review",
      reasonCodes: ["BEACON_CHANGED"],
      findings: {
        fields: {
          beacon: { before: low(beacon), after: FRESH, changed: true },
          implementation: { before: low(boxV1), after: low(boxV1), changed: false },
        },
      },
    });
  });

  test.each([
    ["transparentProxy", "eip1967Admin"],
    ["legacyProxy", "zeppelinosAdmin"],
  ] as const)("%s under another admin is an admin change", async (name, slot) => {
    const proxy = devnet.contracts[name];
    await observe(proxy);
    await setSlot(proxy, knownSlots[slot], FRESH);
    expect(await look(proxy)).toMatchObject({
      verdict: "review",
      reasonCodes: ["ADMIN_CHANGED"],
      findings: { fields: { admin: { after: FRESH, changed: true }, implementation: { changed: false } } },
    });
  });

  test("other code is a code change, and code that vanished too", async () => {
    await setCode(FRESH, "0x60006000fd");
    await observe(FRESH);
    await setCode(FRESH, "0x60006000fd00");
    expect(await observe(FRESH)).toMatchObject({
      verdict: "review",
      reasonCodes: ["CODE_CHANGED"],
      findings: {
        fields: {
          codeHash: {
            before: fingerprintBytecode("0x60006000fd").codeHash,
            after: fingerprintBytecode("0x60006000fd00").codeHash,
          },
        },
      },
    });
    await setCode(FRESH, "0x");
    expect(await look(FRESH)).toMatchObject({
      verdict: "review",
      reasonCodes: ["CODE_CHANGED", "NO_CODE"],
      findings: { fields: { codeHash: { after: null, changed: true } } },
    });
  });
});

test("a pause blocks while it lasts, and its end is told", async () => {
  const { pausableToken } = devnet.contracts;
  expect((await observe(pausableToken)).findings).toMatchObject({ fields: { paused: { after: false } } });
  await command(pausableToken, { abi, functionName: "pause" });
  expect(await observe(pausableToken)).toMatchObject({
    verdict: "block",
    reasonCodes: ["NOW_PAUSED"],
    findings: { changed: true, fields: { paused: { before: false, after: true, changed: true } } },
  });
  await devnet.mine();
  expect(await observe(pausableToken)).toMatchObject({
    verdict: "block",
    reasonCodes: ["UNCHANGED", "CONTRACT_PAUSED"],
    findings: { changed: false },
  });
  await command(pausableToken, { abi, functionName: "unpause" });
  expect(await observe(pausableToken)).toMatchObject({
    verdict: "review",
    reasonCodes: ["UNPAUSED"],
    findings: { fields: { paused: { before: true, after: false, changed: true } } },
  });
  await devnet.mine();
  expect(await look(pausableToken)).toMatchObject({ verdict: "allow", reasonCodes: ["UNCHANGED"] });
});

describe("a node that fails", () => {
  test.each<[string, ChainRead["kind"][], string[]]>([
    ["code", ["code"], ["codeHash", "implementation"]],
    ["slots", ["storage", "proof"], ["implementation", "admin", "beacon", "paused"]],
    ["calls", ["call"], ["paused"]],
  ])("at %s leaves those fields unread, now and for the next comparison", async (_, kinds, unread) => {
    const { plainToken } = devnet.contracts;
    await observe(plainToken);
    await devnet.mine();
    const deaf = deafTo((read) => kinds.includes(read.kind));
    const result = await observe(plainToken, deaf);
    expect(result).toMatchObject({ verdict: "review", findings: { changed: null, unread } });
    expect(result.reasonCodes).toContain("FIELD_UNREAD");
    await devnet.mine();
    expect(await look(plainToken)).toMatchObject({
      verdict: "review",
      reasonCodes: ["EARLIER_FIELD_UNREAD"],
      findings: { changed: null, unread: [], sinceBaseline: { changedFields: [], notCompared: [] } },
    });
  });

  test("at proofs alone changes nothing but the proof", async () => {
    const { plainToken } = devnet.contracts;
    await observe(plainToken);
    await devnet.mine();
    const result = await look(
      plainToken,
      deafTo((read) => read.kind === "proof"),
    );
    expect(result).toMatchObject({ verdict: "allow", reasonCodes: ["UNCHANGED"] });
    expect(result.proofs.finish()).toBeNull();
  });

  test.each<[string, Hex]>([
    ["refuses", "0x60006000fd"],
    ["answers nothing", "0x00"],
    ["answers no address", "0x60001960005260206000f3"],
  ])("a beacon that %s leaves the implementation unread", async (_, bytecode) => {
    const { beaconProxy, beacon } = devnet.contracts;
    await observe(beaconProxy);
    await setCode(beacon, bytecode);
    expect(await look(beaconProxy)).toMatchObject({
      verdict: "review",
      reasonCodes: ["FIELD_UNREAD"],
      findings: { changed: null, unread: ["implementation"], fields: { beacon: { changed: false } } },
    });
  });

  test("at the beacon leaves the implementation unread", async () => {
    const { beaconProxy, beacon } = devnet.contracts;
    await observe(beaconProxy);
    await devnet.mine();
    const deaf = deafTo((read) => read.kind === "call" && read.to === low(beacon));
    expect(await look(beaconProxy, deaf)).toMatchObject({
      verdict: "review",
      reasonCodes: ["FIELD_UNREAD"],
      findings: { unread: ["implementation"] },
    });
  });
});

const deafTo = (matches: (read: ChainRead) => boolean) => deafChain(chain, matches);
