import { lowercase } from "@assay/chain/testing/lowercase";
import { useLocalChain } from "@assay/chain/testing/useLocalChain";
import { afterEach, describe, expect, test } from "vitest";
import { createGatherContext } from "../testing/createGatherContext.js";
import { createLauncher } from "../testing/createLauncher.js";
import { loadSample } from "../testing/loadSample.js";
import { createMemoryRecords } from "../testing/memoryRecords.js";
import { deployLayout, proxyLayouts } from "../testing/proxyLayouts.js";
import { runCapability } from "../testing/runCapability.js";
import { gatherer } from "./gather/gather.js";
import { rule } from "./rule.js";

const local = useLocalChain();
const records = createMemoryRecords();
afterEach(() => records.clear());

/** A call that is paid for: what it saw is what the next one is compared with. */
async function observe(address: string) {
  await local.devnet.mine();
  const block = await local.chain.latestBlock();
  const context = createGatherContext(local.chain, block, records);
  const seen = await runCapability({ ...rule, ...gatherer }, context, { address: lowercase(address) });
  if (seen.gathered.observation)
    records.observe(seen.gathered.observation.address, {
      blockNumber: block.number,
      blockHash: block.hash,
      artifactId: `sha256:${block.number.toString(16).padStart(64, "0")}`,
      fields: seen.gathered.observation.fields,
    });
  return seen;
}

/** Layouts of which not everything can be compared: they are never unchanged. */
const NEVER_UNCHANGED = ["a router per function"];

describe("a real upgrade is seen", () => {
  test.each(Object.keys(proxyLayouts))("in %s", async (name) => {
    const { address, replace } = await deployLayout(local, name);
    await observe(address);
    const same = await observe(address);
    const isComparable = !NEVER_UNCHANGED.includes(name);
    expect(same).toMatchObject(
      isComparable ? { verdict: "allow", reasonCodes: ["UNCHANGED"] } : { verdict: "review" },
    );
    await replace();
    const changed = await observe(address);
    expect(changed.verdict).toBe("review");
    if (isComparable) {
      expect(changed.findings.changed).toBe(true);
      expect(changed.reasonCodes.join()).toMatch(/IMPLEMENTATION_CHANGED|FACETS_CHANGED/);
    }
  });

  test("in one function of an ordinary contract", async () => {
    const launcher = createLauncher(local.devnet);
    const { boxV1, boxV2 } = local.devnet.contracts;
    const address = await launcher.deploy("PartlyDelegating", [boxV1]);
    await observe(address);
    expect(await observe(address)).toMatchObject({ verdict: "allow", reasonCodes: ["UNCHANGED"] });
    await launcher.call(address, loadSample("PartlyDelegating").abi, "replace", [boxV2]);
    expect(await observe(address)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["IMPLEMENTATION_CHANGED"]),
    });
  });
});
