import type { ChainRead } from "@assay/chain";
import { openStateProofs } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { verifyFacts } from "../shared/proofs/provableFact.js";
import { knownSlots } from "../shared/proxies/knownSlots.js";
import { useGuardFixture } from "./testing/guardFixture.js";

const fixture = useGuardFixture();
const { guard, deafTo } = fixture;
const names = ["plainToken", "taxedToken", "transparentProxy", "beaconProxy", "minimalProxy"] as const;

/** The chain has given proofs before, so that a reader counts on them. */
async function warmUp(): Promise<void> {
  await fixture.devnet.mine();
  await guard(fixture.devnet.contracts.boxV2);
  expect(fixture.chain.provesState()).toBe(true);
}
const kindsOf = (batch: readonly ChainRead[] = []) => [...new Set(batch.map(({ kind }) => kind))];

describe("a node that proves its state", () => {
  test.each(names)("lets a stranger check every fact about %s", async (name) => {
    const result = await guard(fixture.devnet.contracts[name]);
    const proofs = result.proofs.finish();
    if (!proofs) throw new Error("no proofs");
    const state = openStateProofs(proofs, result.block.hash);
    expect(result.facts.length).toBeGreaterThan(0);
    verifyFacts(state, result.facts);
    // Negative control: one fact turned round is seen.
    const [first, ...others] = result.facts;
    if (!first) throw new Error("no facts");
    expect(() => verifyFacts(state, [{ ...first, codeHash: null }, ...others])).toThrow(/hashes to/);
    expect(() => openStateProofs(proofs, `0x${"0".repeat(64)}`)).toThrow(/not to the block/);
  });

  test("is not also asked for slots once it is known", async () => {
    await warmUp();
    await fixture.devnet.mine();
    const result = await guard(fixture.devnet.contracts.transparentProxy);
    expect(result.batches).toBe(2);
    expect(result.asked.flat().filter(({ kind }) => kind === "storage")).toEqual([]);
  });

  test("proves a contract whole that names itself as its implementation", async () => {
    const address = await fixture.setCode("0x60006000fd");
    await fixture.setSlot(address, knownSlots.eip1967Implementation, address);
    // More slots, so that the proof of some does not by chance prove the others.
    for (const slot of [knownSlots.zeppelinosAdmin, knownSlots.diamondOwner, knownSlots.safeSingleton])
      await fixture.setSlot(address, slot, address);
    const result = await guard(address);
    expect(result.facts.map((fact) => fact.address)).toEqual([address, address, address]);
    expect(result.proofs.finish()).not.toBeNull();
    verifyFacts(result.proofs, result.facts);
  });
});

describe("a node that gives no proofs", () => {
  test.each(names)("makes the same of %s, without proofs", async (name) => {
    const proven = await guard(fixture.devnet.contracts[name]);
    const silent = deafTo(({ kind }) => kind === "proof");
    const plain = await guard(fixture.devnet.contracts[name], { ...silent, provesState: () => false });
    const { verdict, reasonCodes, findings } = proven;
    expect(plain).toMatchObject({ verdict, reasonCodes, findings, batches: proven.batches });
    expect(plain.gathered.readings).toEqual(proven.gathered.readings);
    expect(plain.proofs.finish()).toBeNull();
    expect(proven.proofs.finish()).not.toBeNull();
  });

  test("although it used to, costs one further batch for the slots", async () => {
    await warmUp();
    const result = await guard(
      fixture.devnet.contracts.plainToken,
      deafTo(({ kind }) => kind === "proof"),
    );
    expect(result).toMatchObject({ verdict: "allow", batches: 2 });
    // The code too: without its proof it is one node's word, to be compared with another's.
    expect(kindsOf(result.asked[1])).toEqual(["code", "storage"]);
    expect(result.proofs.finish()).toBeNull();
  });
});

describe("a node whose proof is not true", () => {
  /** Another last node: the account it should prove is no longer found under the state root. */
  const tampered = () =>
    fixture.altered((read, honest) =>
      read.kind === "proof" && honest.status === "value"
        ? { status: "value", value: (honest.value as string[]).with(-1, "0xc0") }
        : honest,
    );

  test("is a node without proofs, and its slots are read plainly in one further batch", async () => {
    await warmUp();
    const { plainToken } = fixture.devnet.contracts;
    const honest = await guard(plainToken);
    const result = await guard(plainToken, tampered());
    expect(result).toMatchObject({ verdict: "allow", batches: 2 });
    // The code too: without its proof it is one node's word, to be compared with another's.
    expect(kindsOf(result.asked[1])).toEqual(["code", "storage"]);
    expect(result.gathered.readings).toEqual(honest.gathered.readings);
    expect(result.proofs.finish()).toBeNull();
    expect(honest.proofs.finish()).not.toBeNull();
  });

  test("does not lend its slots to the verdict", async () => {
    await warmUp();
    const { plainToken, transparentProxy } = fixture.devnet.contracts;
    // A true proof, of another account: it holds no word about the one asked for.
    const other = await guard(plainToken);
    const nodes = other.proofs.finish()?.nodes ?? [];
    const result = await guard(
      transparentProxy,
      fixture.altered((read, honest) => (read.kind === "proof" ? { status: "value", value: nodes } : honest)),
    );
    expect(result.reasonCodes).toContain("PROXY_EIP1967");
    expect(result.proofs.finish()).toBeNull();
  });

  test("and a header that is not the block's proves nothing", async () => {
    const result = await guard(
      fixture.devnet.contracts.plainToken,
      fixture.altered((read, honest) => (read.kind === "header" ? { status: "absent" } : honest)),
    );
    expect(result.verdict).toBe("allow");
    expect(result.proofs.finish()).toBeNull();
  });
});
