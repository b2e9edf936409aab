import { absent, type Hex, valueReading } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { knownSlots } from "../shared/proxies/knownSlots.js";
import type { SubjectReadings } from "../shared/proxies/subjectReadings.js";
import {
  ADDRESS,
  cloneOf,
  cloneReadings,
  codeReading,
  controller,
  followed,
  OTHER,
  plainReadings,
  refusal,
  silence,
  TARGET,
  word,
  wordReading,
} from "../shared/proxies/testing/sampleReadings.js";
import { evaluateContractGuard } from "./evaluate.js";
import { guardReadings } from "./testing/sampleGuardReadings.js";

const set = wordReading(TARGET);
const judge = (readings: SubjectReadings) =>
  evaluateContractGuard({ address: ADDRESS }, guardReadings(readings));
const beaconNames = (code: Hex) => {
  const fingerprint = codeReading(code);
  if (fingerprint.status !== "value") throw new Error("no code");
  return valueReading({ implementation: OTHER, code: fingerprint.value });
};
const oneFacet: Hex = `0x${[word(32n), word(1n), word(TARGET)].map((part) => part.slice(2)).join("")}`;
const dirtySlot: Hex = `0x01${word(TARGET).slice(4)}`;
const customError = { status: "reverted", data: "0xdeadbeef" } as const;

type Row = [name: string, readings: SubjectReadings, verdict: string, codes: string[]];

describe("ordinary code", () => {
  test.each<Row>([
    ["no pause switch", plainReadings(), "allow", ["CODE_PRESENT", "NO_PROXY_SLOT", "PAUSE_ABSENT"]],
    [
      "an open fallback",
      plainReadings({ paused: absent }),
      "allow",
      ["CODE_PRESENT", "NO_PROXY_SLOT", "PAUSE_ABSENT"],
    ],
    [
      "unpaused",
      plainReadings({ paused: wordReading(0n) }),
      "allow",
      ["CODE_PRESENT", "NO_PROXY_SLOT", "NOT_PAUSED"],
    ],
    [
      "paused",
      plainReadings({ paused: wordReading(1n) }),
      "block",
      ["CODE_PRESENT", "NO_PROXY_SLOT", "CONTRACT_PAUSED"],
    ],
    [
      "paused in storage while paused() says no",
      plainReadings({ paused: wordReading(0n), slots: { openZeppelinPausable: wordReading(1n) } }),
      "block",
      ["CODE_PRESENT", "NO_PROXY_SLOT", "CONTRACT_PAUSED"],
    ],
    [
      "a custom error from paused()",
      plainReadings({ paused: customError }),
      "review",
      ["CODE_PRESENT", "NO_PROXY_SLOT", "PAUSE_UNREADABLE"],
    ],
    [
      "paused() answering two",
      plainReadings({ paused: wordReading(2n) }),
      "review",
      ["CODE_PRESENT", "NO_PROXY_SLOT", "PAUSE_UNREADABLE"],
    ],
    [
      "paused() answering one byte",
      plainReadings({ paused: valueReading("0x01") }),
      "review",
      ["CODE_PRESENT", "NO_PROXY_SLOT", "PAUSE_UNREADABLE"],
    ],
  ])("%s", (_, readings, verdict, codes) => {
    expect(judge(readings)).toMatchObject({ verdict, reasonCodes: codes });
  });
});

describe("code that is not ordinary", () => {
  test.each<Row>([
    ["none", plainReadings({ code: codeReading("0x"), paused: absent }), "review", ["NO_CODE"]],
    ["none, as a reading", plainReadings({ code: absent }), "review", ["NO_CODE"]],
    ["native token", plainReadings({ code: codeReading("0xef") }), "review", ["NATIVE_TOKEN_CODE"]],
    [
      "delegated account",
      plainReadings({ code: codeReading(`0xef0100${TARGET.slice(2)}`), followed: [followed(TARGET)] }),
      "review",
      ["DELEGATED_ACCOUNT", "NO_PROXY_SLOT", "PAUSE_ABSENT"],
    ],
    [
      "account delegated to nothing",
      plainReadings({
        code: codeReading(`0xef0100${TARGET.slice(2)}`),
        followed: [followed(TARGET, { code: codeReading("0x") })],
      }),
      "review",
      ["DELEGATED_ACCOUNT", "NO_PROXY_SLOT", "PAUSE_ABSENT"],
    ],
  ])("%s", (_, readings, verdict, codes) => {
    expect(judge(readings)).toMatchObject({ verdict, reasonCodes: codes });
  });
});

const behind = { followed: [followed(TARGET)] };
const adminAccount = { controllers: [controller(OTHER, { owner: absent })] };
const ownerlessBeacon = {
  controllers: [controller(TARGET, { code: codeReading("0x6080"), owner: refusal })],
};
describe("proxies", () => {
  test.each<Row>([
    [
      "transparent",
      plainReadings({
        ...behind,
        ...adminAccount,
        slots: { eip1967Implementation: set, eip1967Admin: wordReading(OTHER) },
      }),
      "review",
      ["CODE_PRESENT", "PROXY_EIP1967", "PROXY_ADMIN_SET", "PAUSE_ABSENT", "ADMIN_IS_ACCOUNT"],
    ],
    [
      "UUPS",
      plainReadings({
        followed: [followed(TARGET, { proxiableUuid: valueReading(knownSlots.eip1967Implementation) })],
        slots: { eip1967Implementation: set },
      }),
      "review",
      ["CODE_PRESENT", "PROXY_EIP1967", "PROXY_UUPS", "PAUSE_ABSENT"],
    ],
    [
      "beacon",
      plainReadings({
        ...behind,
        ...ownerlessBeacon,
        beaconImplementation: beaconNames("0x6080"),
        slots: { eip1967Beacon: set },
      }),
      "review",
      ["CODE_PRESENT", "PROXY_BEACON", "PAUSE_ABSENT", "ADMIN_IS_CONTRACT"],
    ],
    [
      "beacon that is itself a proxy",
      plainReadings({
        ...ownerlessBeacon,
        followed: [followed(TARGET, { slots: { eip1967Implementation: wordReading(OTHER) } })],
        beaconImplementation: beaconNames("0x6080"),
        slots: { eip1967Beacon: set },
      }),
      "review",
      ["CODE_PRESENT", "PROXY_BEACON", "FOLLOW_BOUND_REACHED", "PAUSE_ABSENT", "ADMIN_IS_CONTRACT"],
    ],
    [
      "beacon that names an address without code",
      plainReadings({
        ...behind,
        ...ownerlessBeacon,
        beaconImplementation: beaconNames("0x"),
        slots: { eip1967Beacon: set },
      }),
      "block",
      ["CODE_PRESENT", "PROXY_BEACON", "IMPLEMENTATION_HAS_NO_CODE", "PAUSE_ABSENT", "ADMIN_IS_CONTRACT"],
    ],
    [
      "beacon that names nothing",
      plainReadings({
        ...behind,
        ...ownerlessBeacon,
        beaconImplementation: absent,
        slots: { eip1967Beacon: set },
      }),
      "review",
      ["CODE_PRESENT", "PROXY_BEACON", "BEACON_UNREADABLE", "PAUSE_ABSENT", "ADMIN_IS_CONTRACT"],
    ],
    [
      "beacon that gave no answer",
      plainReadings({
        ...behind,
        ...ownerlessBeacon,
        beaconImplementation: silence,
        slots: { eip1967Beacon: set },
      }),
      "review",
      ["CODE_PRESENT", "PROXY_BEACON", "IMPLEMENTATION_UNREAD", "PAUSE_ABSENT", "ADMIN_IS_CONTRACT"],
    ],
    [
      "EIP-1822",
      plainReadings({ ...behind, slots: { eip1822Implementation: set } }),
      "review",
      ["CODE_PRESENT", "PROXY_EIP1822", "PAUSE_ABSENT"],
    ],
    [
      "ZeppelinOS",
      plainReadings({
        ...behind,
        ...adminAccount,
        slots: { zeppelinosImplementation: set, zeppelinosAdmin: wordReading(OTHER) },
      }),
      "review",
      ["CODE_PRESENT", "PROXY_ZEPPELINOS", "PROXY_ADMIN_SET", "PAUSE_ABSENT", "ADMIN_IS_ACCOUNT"],
    ],
    [
      "Safe",
      plainReadings({ ...behind, masterCopy: valueReading(word(TARGET)), slots: { safeSingleton: set } }),
      "review",
      ["CODE_PRESENT", "PROXY_SAFE", "PAUSE_ABSENT"],
    ],
    [
      "diamond by its storage",
      plainReadings({ slots: { diamondFacets: wordReading(3n) } }),
      "review",
      ["CODE_PRESENT", "PROXY_DIAMOND", "PAUSE_ABSENT"],
    ],
    [
      "diamond by its loupe",
      plainReadings({
        facetAddresses: valueReading(oneFacet),
      }),
      "review",
      ["CODE_PRESENT", "PROXY_DIAMOND", "PAUSE_ABSENT"],
    ],
    [
      "implementation without code",
      plainReadings({
        followed: [followed(TARGET, { code: codeReading("0x") })],
        slots: { eip1967Implementation: set },
      }),
      "block",
      ["CODE_PRESENT", "PROXY_EIP1967", "IMPLEMENTATION_HAS_NO_CODE", "PAUSE_ABSENT"],
    ],
    [
      "implementation never read",
      plainReadings({ slots: { eip1967Implementation: set } }),
      "review",
      ["CODE_PRESENT", "PROXY_EIP1967", "IMPLEMENTATION_UNREAD", "PAUSE_ABSENT"],
    ],
    [
      "paused behind a proxy",
      plainReadings({ ...behind, paused: wordReading(1n), slots: { eip1967Implementation: set } }),
      "block",
      ["CODE_PRESENT", "PROXY_EIP1967", "CONTRACT_PAUSED"],
    ],
    [
      "slots that differ",
      plainReadings({
        followed: [followed(TARGET), followed(OTHER)],
        slots: { eip1967Implementation: set, zeppelinosImplementation: wordReading(OTHER) },
      }),
      "review",
      ["CODE_PRESENT", "PROXY_EIP1967", "PROXY_ZEPPELINOS", "CONFLICTING_PROXY_SLOTS", "PAUSE_ABSENT"],
    ],
    [
      "slots that agree",
      plainReadings({ ...behind, slots: { eip1967Implementation: set, eip1822Implementation: set } }),
      "review",
      ["CODE_PRESENT", "PROXY_EIP1967", "PROXY_EIP1822", "PAUSE_ABSENT"],
    ],
    [
      "a slot with more than an address",
      plainReadings({
        ...behind,
        slots: { eip1967Implementation: valueReading(dirtySlot) },
      }),
      "review",
      ["CODE_PRESENT", "PROXY_EIP1967", "PROXY_SLOT_MALFORMED", "PAUSE_ABSENT"],
    ],
    [
      "an admin and nothing else",
      plainReadings({ ...adminAccount, slots: { eip1967Admin: wordReading(OTHER) } }),
      "review",
      ["CODE_PRESENT", "PROXY_ADMIN_SET", "PAUSE_ABSENT", "ADMIN_IS_ACCOUNT"],
    ],
  ])("%s", (_, readings, verdict, codes) => {
    expect(judge(readings)).toMatchObject({ verdict, reasonCodes: codes });
  });
});

describe("clones", () => {
  const clone = ["CODE_PRESENT", "MINIMAL_PROXY"];
  test.each<Row>([
    ["of ordinary code", cloneReadings(), "allow", [...clone, "NO_PROXY_SLOT", "PAUSE_ABSENT"]],
    [
      "paused",
      cloneReadings(followed(TARGET), { paused: wordReading(1n) }),
      "block",
      [...clone, "NO_PROXY_SLOT", "CONTRACT_PAUSED"],
    ],
    [
      "of nothing",
      cloneReadings(followed(TARGET, { code: codeReading("0x") })),
      "block",
      [...clone, "IMPLEMENTATION_HAS_NO_CODE", "PAUSE_ABSENT"],
    ],
    [
      "of a proxy",
      cloneReadings(followed(TARGET, { slots: { eip1967Beacon: wordReading(OTHER) } })),
      "review",
      [...clone, "TARGET_IS_PROXY", "FOLLOW_BOUND_REACHED", "PAUSE_ABSENT"],
    ],
    [
      "of a clone",
      cloneReadings(followed(TARGET, { code: codeReading(cloneOf(OTHER)) })),
      "review",
      [...clone, "TARGET_IS_PROXY", "FOLLOW_BOUND_REACHED", "PAUSE_ABSENT"],
    ],
    [
      "running proxy code over a slot of its own",
      cloneReadings(followed(TARGET), {
        followed: [followed(TARGET), followed(OTHER)],
        slots: { eip1967Implementation: wordReading(OTHER) },
      }),
      "review",
      [...clone, "PROXY_EIP1967", "PAUSE_ABSENT"],
    ],
    [
      "whose target was not read",
      cloneReadings(followed(TARGET), { followed: [] }),
      "review",
      [...clone, "IMPLEMENTATION_UNREAD", "PAUSE_ABSENT"],
    ],
  ])("%s", (_, readings, verdict, codes) => {
    expect(judge(readings)).toMatchObject({ verdict, reasonCodes: codes });
  });
});

describe("what could not be read", () => {
  test.each<[string, SubjectReadings, string, RegExp]>([
    ["code", plainReadings({ code: silence }), "CODE_UNREAD", /code was not read/],
    ["a slot", plainReadings({ slots: { zeppelinosAdmin: silence } }), "SLOT_UNREAD", /zeppelinosAdmin/],
    ["paused()", plainReadings({ paused: silence }), "PAUSE_UNREAD", /paused\(\) was not read/],
    ["masterCopy()", plainReadings({ masterCopy: silence }), "PROXY_PROBE_UNREAD", /masterCopy\(\)/],
    [
      "the target",
      cloneReadings(followed(TARGET, { code: silence })),
      "IMPLEMENTATION_UNREAD",
      new RegExp(TARGET),
    ],
  ])("%s is named in a reason and a limitation", (_, readings, code, limitation) => {
    const evaluation = judge(readings);
    expect(evaluation.verdict).toBe("review");
    expect(evaluation.reasonCodes).toContain(code);
    expect(evaluation.limitations.join(" ")).toMatch(limitation);
  });

  test("nothing at all is a review", () => {
    const all = plainReadings();
    const slots = Object.fromEntries(
      Object.keys(all.slots).map((name) => [name, silence]),
    ) as typeof all.slots;
    const readings = {
      ...all,
      code: silence,
      paused: silence,
      masterCopy: silence,
      facetAddresses: silence,
      owner: silence,
      slots,
    };
    expect(judge(readings)).toMatchObject({
      verdict: "review",
      reasonCodes: ["CODE_UNREAD", "SLOT_UNREAD", "PROXY_PROBE_UNREAD", "PAUSE_UNREAD", "OWNER_UNREAD"],
      findings: {
        isContract: null,
        form: null,
        codeHash: null,
        bytecodeBytes: null,
        proxy: null,
        paused: null,
      },
    });
  });

  test("a pause in force still blocks", () => {
    expect(judge(plainReadings({ code: silence, paused: wordReading(1n) })).verdict).toBe("block");
  });
});

describe("findings", () => {
  test("name the proxy, its admin and the code behind it", () => {
    const slots = { eip1967Implementation: set, eip1967Admin: wordReading(OTHER) };
    const target = followed(TARGET);
    expect(judge(plainReadings({ followed: [target], slots })).findings).toMatchObject({
      isContract: true,
      form: "contract",
      bytecodeBytes: 5,
      proxy: { kind: "eip1967", implementation: TARGET, admin: OTHER, beacon: null, facets: [] },
      implementationCode: target.code.status === "value" && target.code.value,
      paused: null,
      pauseSource: null,
    });
  });

  test("take the admin from the slots of the standard that names the code", () => {
    const slots = {
      zeppelinosImplementation: set,
      zeppelinosAdmin: wordReading(1n),
      eip1967Admin: wordReading(2n),
    };
    expect(judge(plainReadings({ ...behind, slots })).findings.proxy).toMatchObject({
      admin: `0x${"0".repeat(39)}1`,
    });
  });

  test("distinguish absent from false", () => {
    expect(judge(plainReadings({ paused: wordReading(0n) })).findings).toMatchObject({
      paused: false,
      pauseSource: "call",
    });
    expect(judge(plainReadings({ paused: refusal })).findings).toMatchObject({
      paused: null,
      pauseSource: null,
    });
  });

  test("say where a pause was seen", () => {
    const slots = { openZeppelinPausable: wordReading(1n) };
    expect(judge(plainReadings({ slots })).findings).toMatchObject({ pauseSource: "storage" });
    expect(judge(plainReadings({ slots, paused: wordReading(1n) })).findings).toMatchObject({
      pauseSource: "call_and_storage",
    });
  });
});
