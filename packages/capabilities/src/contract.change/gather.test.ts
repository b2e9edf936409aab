import type { Chain, ChainRead } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { recordReads } from "@assay/chain/testing/recordReads";
import { useLocalChain } from "@assay/chain/testing/useLocalChain";
import { withoutAnswers } from "@assay/chain/testing/withoutAnswers";
import { artifactIdOf, type Hex, NETWORK } from "@assay/protocol";
import { encodeFunctionData, parseAbi } from "viem";
import { afterEach, describe, expect, test } from "vitest";
import { fingerprintBytecode } from "../shared/code/fingerprintBytecode.js";
import { verifyFacts } from "../shared/proofs/provableFact.js";
import { knownSlots } from "../shared/proxies/knownSlots.js";
import { createGatherContext } from "../testing/createGatherContext.js";
import { createMemoryRecords } from "../testing/memoryRecords.js";
import { runCapability } from "../testing/runCapability.js";
import { contractChange as capability } from "./capability.js";
import { gatherer } from "./gather/gather.js";
import { rule } from "./rule.js";

const contractChange = { ...rule, ...gatherer };

const local = useLocalChain();
const { setCode, setSlot } = local;
const records = createMemoryRecords();
afterEach(() => records.clear());

const deafTo = (matches: (read: ChainRead) => boolean) => withoutAnswers(local.chain, matches);
const FRESH = "0x00000000000000000000000000000000c0de0001";

/** Runs the capability as the service does, counting the batches it asks for. */
async function compareNow(address: string, through: Chain = local.chain) {
  const { chain, asked } = recordReads(through);
  const block = await local.chain.latestBlock();
  const input = { address: lowercase(address) };
  const context = createGatherContext(chain, block, records);
  const result = await runCapability(contractChange, context, input);
  return { ...result, input, block, proofs: context.proofs, batches: asked.length };
}

/** A call that is paid for: what it saw is what the next one is compared with. */
async function observe(address: string, through?: Chain) {
  const seen = await compareNow(address, through);
  const { input, readings, verdict, block, gathered } = seen;
  const { id: capabilityId, version: capabilityVersion } = capability;
  const validUntilBlock = block.number;
  const artifactId = artifactIdOf({
    ...{ capabilityId, capabilityVersion, network: NETWORK, input, readings, verdict, validUntilBlock },
    block: readings.block,
  });
  if (gathered.observation)
    records.observe(gathered.observation.address, {
      blockNumber: block.number,
      blockHash: block.hash,
      artifactId,
      fields: gathered.observation.fields,
    });
  return { ...seen, artifactId };
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
  const from = local.devnet.deployer.address;
  await local.devnet.request("hardhat_impersonateAccount", [from]);
  await local.devnet.request("eth_sendTransaction", [{ from, to, data: encodeFunctionData(call) }]);
}

describe("two observations", () => {
  test("the first is a baseline, and the second of the same state is unchanged", async () => {
    const { plainToken } = local.devnet.contracts;
    const first = await observe(plainToken);
    expect(first).toMatchObject({
      verdict: "review",
      reasonCodes: ["BASELINE_CREATED"],
      findings: { changed: null, isBaseline: true, afterBlock: first.block.number },
      batches: 1,
    });
    await local.devnet.mine();
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
      address: lowercase(plainToken),
      codeHash: second.readings.code.status === "value" && second.readings.code.value.codeHash,
    });
    const facts = contractChange.listFacts(second.input, second.readings);
    expect(() => verifyFacts(second.proofs, facts)).not.toThrow();
  });

  test("an observation whose payment did not settle is compared with nothing", async () => {
    await compareNow(local.devnet.contracts.plainToken);
    expect((await compareNow(local.devnet.contracts.plainToken)).findings.isBaseline).toBe(true);
  });

  test("a change older than the last observation still shows against the baseline", async () => {
    const { legacyProxy, boxV2 } = local.devnet.contracts;
    const first = await observe(legacyProxy);
    await command(legacyProxy, { abi, functionName: "upgradeTo", args: [boxV2] });
    expect((await observe(legacyProxy)).findings).toMatchObject({
      changed: true,
      sinceBaseline: { changedFields: ["implementation", "delegates"] },
    });
    await local.devnet.mine();
    // Unchanged since the last observation, and still not what the first one saw.
    expect(await observe(legacyProxy)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["UNCHANGED", "DIFFERS_FROM_BASELINE"]),
      findings: {
        changed: false,
        sinceBaseline: { block: first.block.number, changedFields: ["implementation", "delegates"] },
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
    const { contracts, deployer } = local.devnet;
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
    const result = await compareNow(proxy);
    const adminAddress = admin && lowercase(admin === "deployer" ? deployer.address : contracts[admin]);
    expect(result).toMatchObject({
      verdict: "review",
      reasonCodes: ["IMPLEMENTATION_CHANGED"],
      findings: {
        changed: true,
        fields: {
          codeHash: { changed: false },
          implementation: { before: lowercase(contracts[from]), after: lowercase(after), changed: true },
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
    await setSlot(FRESH, knownSlots.safeSingleton, local.devnet.contracts.boxV1);
    await observe(FRESH);
    await setSlot(FRESH, knownSlots.safeSingleton, local.devnet.contracts.boxV2);
    expect((await compareNow(FRESH)).reasonCodes).toContain("IMPLEMENTATION_CHANGED");
  });

  test("a beacon that answers by its caller is asked as the proxy would", async () => {
    const { beaconProxy, beacon, boxV1, boxV2 } = local.devnet.contracts;
    await observe(beaconProxy);
    const naming = (target: string) => `73${lowercase(target).slice(2)}60005260206000f3`;
    // By the size of the caller's code: V2 to the proxy, and still V1 to everybody else.
    await setCode(beacon, `0x333b602257${naming(boxV1)}5b${naming(boxV2)}`);
    expect(await compareNow(beaconProxy)).toMatchObject({
      findings: {
        fields: { implementation: { before: lowercase(boxV1), after: lowercase(boxV2), changed: true } },
      },
    });
  });

  test("another beacon is distinguished from what it names", async () => {
    const { beaconProxy, beacon, boxV1 } = local.devnet.contracts;
    await observe(beaconProxy);
    await setCode(FRESH, `0x73${lowercase(boxV1).slice(2)}60005260206000f3`);
    await setSlot(beaconProxy, knownSlots.eip1967Beacon, FRESH);
    expect(await compareNow(beaconProxy)).toMatchObject({
      verdict: "review",
      reasonCodes: ["BEACON_CHANGED"],
      findings: {
        fields: {
          beacon: { before: lowercase(beacon), after: FRESH, changed: true },
          implementation: { before: lowercase(boxV1), after: lowercase(boxV1), changed: false },
        },
      },
    });
  });

  test.each([
    ["transparentProxy", "eip1967Admin"],
    ["legacyProxy", "zeppelinosAdmin"],
  ] as const)("%s under another admin is an admin change", async (name, slot) => {
    const proxy = local.devnet.contracts[name];
    await observe(proxy);
    await setSlot(proxy, knownSlots[slot], FRESH);
    expect(await compareNow(proxy)).toMatchObject({
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
    expect(await compareNow(FRESH)).toMatchObject({
      verdict: "review",
      reasonCodes: ["CODE_CHANGED", "NO_CODE"],
      findings: { fields: { codeHash: { after: null, changed: true } } },
    });
  });
});

test("a pause blocks while it lasts, and its end is reported", async () => {
  const { pausableToken } = local.devnet.contracts;
  expect((await observe(pausableToken)).findings).toMatchObject({ fields: { paused: { after: false } } });
  await command(pausableToken, { abi, functionName: "pause" });
  expect(await observe(pausableToken)).toMatchObject({
    verdict: "block",
    reasonCodes: ["NOW_PAUSED"],
    findings: { changed: true, fields: { paused: { before: false, after: true, changed: true } } },
  });
  await local.devnet.mine();
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
  await local.devnet.mine();
  expect(await compareNow(pausableToken)).toMatchObject({ verdict: "allow", reasonCodes: ["UNCHANGED"] });
});

describe("a node that fails", () => {
  test.each<[string, ChainRead["kind"][], string[]]>([
    ["code", ["code"], ["codeHash", "implementation", "delegates"]],
    ["slots", ["storage", "proof"], ["implementation", "admin", "beacon", "paused"]],
    ["calls", ["call"], ["facets", "paused"]],
  ])("at %s leaves those fields unread, now and for the next comparison", async (_, kinds, unread) => {
    const { plainToken } = local.devnet.contracts;
    await observe(plainToken);
    await local.devnet.mine();
    const deaf = deafTo((read) => kinds.includes(read.kind));
    const result = await observe(plainToken, deaf);
    expect(result).toMatchObject({ verdict: "review", findings: { changed: null, unread } });
    expect(result.reasonCodes).toContain("FIELD_UNREAD");
    await local.devnet.mine();
    expect(await compareNow(plainToken)).toMatchObject({
      verdict: "review",
      reasonCodes: ["EARLIER_FIELD_UNREAD"],
      findings: { changed: null, unread: [], sinceBaseline: { changedFields: [], notCompared: [] } },
    });
  });

  test("at proofs alone changes nothing but the proof", async () => {
    const { plainToken } = local.devnet.contracts;
    await observe(plainToken);
    await local.devnet.mine();
    const result = await compareNow(
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
    const { beaconProxy, beacon } = local.devnet.contracts;
    await observe(beaconProxy);
    await setCode(beacon, bytecode);
    expect(await compareNow(beaconProxy)).toMatchObject({
      verdict: "review",
      reasonCodes: ["FIELD_UNREAD"],
      findings: {
        changed: null,
        unread: ["implementation", "delegates"],
        fields: { beacon: { changed: false } },
      },
    });
  });

  test("at the beacon leaves the implementation unread", async () => {
    const { beaconProxy, beacon } = local.devnet.contracts;
    await observe(beaconProxy);
    await local.devnet.mine();
    const deaf = deafTo((read) => read.kind === "call" && read.to === lowercase(beacon));
    expect(await compareNow(beaconProxy, deaf)).toMatchObject({
      verdict: "review",
      reasonCodes: ["FIELD_UNREAD"],
      findings: { unread: ["implementation", "delegates"] },
    });
  });
});
