import { canonicalJson, verdictSchema } from "@assay/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { codeForms } from "../shared/code/fingerprintBytecode.js";
import { delegationOrigins, programSigns } from "../shared/machine/programReading.js";
import { knownSlots } from "../shared/proxies/knownSlots.js";
import {
  ADDRESS,
  cloneReadings,
  controller,
  OTHER,
  plainReadings,
  program,
  TARGET,
  word,
  wordReading,
} from "../shared/proxies/testing/sampleReadings.js";
import { evaluateContractGuard } from "./evaluate.js";
import { type ContractGuardReadings, contractGuardReadingsSchema } from "./readings.js";
import { guardReadings, party } from "./testing/sampleGuardReadings.js";

const judge = (readings: ContractGuardReadings) => evaluateContractGuard({ address: ADDRESS }, readings);
const RECORDED = { status: "unanswered", reason: "timeout" };

/** Copies of the value in which one reading after another has gone unanswered. */
function listSilenced(value: unknown, path = ""): { path: string; copy: unknown }[] {
  if (typeof value !== "object" || value === null) return [];
  if ("status" in value) return [{ path, copy: RECORDED }];
  return Object.entries(value).flatMap(([key, child]) =>
    listSilenced(child, `${path}/${key}`).map(({ path, copy }) => ({
      path,
      copy: Array.isArray(value) ? value.with(Number(key), copy) : { ...value, [key]: copy },
    })),
  );
}

const allowed = {
  plain: guardReadings(plainReadings()),
  unpaused: guardReadings(plainReadings({ paused: wordReading(0n) })),
  clone: guardReadings(cloneReadings()),
  owned: guardReadings(plainReadings({ owner: wordReading(OTHER), controllers: [controller(OTHER)] })),
};
const silenced = Object.entries(allowed).flatMap(([name, readings]) =>
  listSilenced(readings).map(({ path, copy }) => ({ name: `${name}${path}`, copy })),
);

test("the samples cover every reading of an address, of its target and of its owner", () => {
  expect(Object.values(allowed).map((readings) => judge(readings).verdict)).toEqual([
    "allow",
    "allow",
    "allow",
    "allow",
  ]);
  expect(silenced).toHaveLength(15 + 15 + 15 + 7 + 15 + 1);
});

test.each(silenced)("$name unanswered is never allow", ({ copy }) => {
  expect(judge(contractGuardReadingsSchema.parse(copy)).verdict).not.toBe("allow");
});

const address = fc.constantFrom(TARGET, OTHER, ADDRESS);
const words = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, 2n ** 256n - 1n).map((value) => word(value)),
  address.map((value) => word(value)),
  fc.constantFrom(...Object.values(knownSlots)),
);
const bytes = fc.oneof(
  words,
  fc.uint8Array({ maxLength: 130 }).map((value): `0x${string}` => `0x${Buffer.from(value).toString("hex")}`),
  fc
    .tuple(words, words, words)
    .map(([a, b, c]): `0x${string}` => `0x${a.slice(2)}${b.slice(2)}${c.slice(2)}`),
);
const reading = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 6, arbitrary: value.map((read) => ({ status: "value" as const, value: read })) },
    { weight: 1, arbitrary: fc.constant({ status: "absent" as const }) },
    {
      weight: 1,
      arbitrary: fc.record({
        status: fc.constant("reverted" as const),
        data: fc.constantFrom(null, "0x", "0xdeadbeef", "?"),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ status: "unanswered" as const, reason: "timeout" }) },
  );
const fingerprint = fc.record({
  codeHash: words,
  bytecodeBytes: fc.nat(),
  strippedCodeHash: fc.option(words),
  form: fc.constantFrom(...codeForms),
  target: fc.option(address),
});
const slot = reading(words);
const followedSlots = {
  eip1967Implementation: slot,
  eip1967Beacon: slot,
  eip1822Implementation: slot,
  zeppelinosImplementation: slot,
  diamondFacets: slot,
};
const anyProgram = fc
  .record({
    hasUnseenDelegation: fc.boolean(),
    isOnlyProxy: fc.boolean(),
    delegations: fc.array(
      fc.record({
        origin: fc.constantFrom(...delegationOrigins),
        isFallback: fc.boolean(),
        slot: fc.option(words),
      }),
      { maxLength: 3 },
    ),
    signs: fc.subarray([...programSigns]),
  })
  .map(program);
const anyDelegation = fc.record({
  outcome: fc.constantFrom("none", "delegates", "unresolved", "unread"),
  origin: fc.option(fc.constantFrom(...delegationOrigins)),
  target: fc.option(address),
  slot: fc.option(words),
  asked: fc.option(fc.record({ to: address, data: bytes })),
  slots: fc.array(fc.record({ slot: words, value: slot }), { maxLength: 2 }),
});
const account = fc.option(
  fc.constant({ name: "Safe", version: "1.4.1", kind: "safe_singleton" as const, source: "a package" }),
);
const anyReadings = fc.record({
  code: reading(fingerprint),
  slots: fc.record({
    ...followedSlots,
    eip1967Admin: slot,
    zeppelinosAdmin: slot,
    diamondOwner: slot,
    safeSingleton: slot,
    openZeppelinPausable: slot,
  }),
  paused: reading(bytes),
  masterCopy: reading(bytes),
  facetAddresses: reading(bytes),
  owner: reading(bytes),
  followed: fc.array(
    fc.record({
      address,
      code: reading(fingerprint),
      slots: fc.record(followedSlots),
      proxiableUuid: reading(bytes),
    }),
    { maxLength: 4 },
  ),
  beaconImplementation: fc.option(reading(fc.record({ implementation: address, code: fingerprint }))),
  controllers: fc.array(
    fc.record({ address, code: reading(fingerprint), owner: fc.option(reading(bytes)) }),
    { maxLength: 3 },
  ),
  program: fc.option(anyProgram),
  delegation: anyDelegation,
  behind: fc.option(
    fc.record({ address, program: fc.option(anyProgram), delegation: fc.option(anyDelegation) }),
  ),
  known: fc.record({
    registryVersion: fc.constant("2026-11-17"),
    party: fc.option(fc.constant(party())),
    standing: fc.option(fc.constantFrom("matches", "listed", "changed", "unread")),
    accounts: fc.record({ own: account, target: account, behind: account }),
  }),
});

test("any readings the schema accepts get one verdict, always the same", () => {
  fc.assert(
    fc.property(anyReadings, (generated) => {
      const readings = contractGuardReadingsSchema.parse(generated);
      const evaluation = judge(readings);
      expect(verdictSchema.parse(evaluation.verdict)).toBe(evaluation.verdict);
      expect(evaluation.reasonCodes.length).toBeGreaterThan(0);
      const again = judge(contractGuardReadingsSchema.parse(JSON.parse(canonicalJson(readings))));
      expect(canonicalJson(again)).toBe(canonicalJson(evaluation));
    }),
  );
});

test("silencing any one reading of any readings never turns another verdict into allow", () => {
  fc.assert(
    fc.property(anyReadings, fc.nat(), (generated, pick) => {
      const readings = contractGuardReadingsSchema.parse(generated);
      const before = judge(readings).verdict;
      const choices = listSilenced(readings);
      const chosen = choices[pick % choices.length];
      const after = judge(contractGuardReadingsSchema.parse(chosen?.copy)).verdict;
      if (before !== "allow") expect(after).not.toBe("allow");
    }),
  );
});
