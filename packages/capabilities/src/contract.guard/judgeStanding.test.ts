import { describe, expect, test } from "vitest";
import {
  ADDRESS,
  cloneReadings,
  codeReading,
  controller,
  delegates,
  followed,
  OTHER,
  plainReadings,
  program,
  silence,
  TARGET,
  wordReading,
} from "../shared/proxies/testing/sampleReadings.js";
import { evaluateContractGuard } from "./evaluate.js";
import { guardReadings, party, unknown } from "./testing/sampleGuardReadings.js";

const judge = (readings: Parameters<typeof evaluateContractGuard>[1]) =>
  evaluateContractGuard({ address: ADDRESS }, readings);
/** A proxy in the standard's slots, with an admin who is a plain account. */
const proxied = plainReadings({
  slots: { eip1967Implementation: wordReading(TARGET), eip1967Admin: wordReading(OTHER) },
  followed: [followed(TARGET)],
  controllers: [controller(OTHER, { owner: { status: "absent" } })],
});
const running = { delegation: delegates(TARGET), program: program({ isOnlyProxy: true }) };
const published = (standing: "matches" | "listed" | "changed" | "unread", changes = {}) => ({
  known: { ...unknown, party: party(changes), standing },
});
const account = { name: "Safe", version: "1.4.1", kind: "safe_singleton", source: "a package" } as const;

describe("a published address", () => {
  test("whose code matches is allowed although its protocol can replace it", () => {
    expect(judge(guardReadings(proxied, running))).toMatchObject({ verdict: "review" });
    const evaluation = judge(guardReadings(proxied, { ...running, ...published("matches") }));
    expect(evaluation).toMatchObject({
      verdict: "allow",
      reasonCodes: ["CODE_PRESENT", "PARTY_MATCHES", "PAUSE_ABSENT", "UPGRADEABLE_BY_KNOWN"],
      findings: {
        proxy: { kind: "eip1967", implementation: TARGET, admin: OTHER },
        known: { standing: "matches" },
      },
    });
    expect(evaluation.summary).toMatch(
      /^Upgradeable proxy of Sample token; its code matches the published one\./,
    );
  });

  test("whose code is another blocks", () => {
    for (const readings of [plainReadings(), proxied])
      expect(judge(guardReadings(readings, published("changed")))).toMatchObject({
        verdict: "block",
        reasonCodes: expect.arrayContaining(["PARTY_CODE_CHANGED"]),
        summary: expect.stringMatching(/^Not what Sample token published/),
      });
  });

  test("is no reason to allow what can be replaced and was not compared", () => {
    expect(judge(guardReadings(proxied, { ...running, ...published("listed") })).verdict).toBe("review");
    expect(judge(guardReadings(plainReadings(), published("unread"))).verdict).toBe("review");
    expect(judge(guardReadings(plainReadings(), published("listed"))).verdict).toBe("allow");
  });

  test("of a proxy, with code that is none, is a review", () => {
    const { verdict, reasonCodes } = judge(
      guardReadings(plainReadings(), published("listed", { implementations: [TARGET] })),
    );
    expect([verdict, reasonCodes]).toEqual(["review", expect.arrayContaining(["PARTY_IS_NO_PROXY"])]);
  });

  test("vouches for nothing that was not read, nor for a pause", () => {
    const matched = published("matches");
    expect(judge(guardReadings({ ...proxied, owner: silence }, { ...running, ...matched })).verdict).toBe(
      "review",
    );
    expect(judge(guardReadings({ ...proxied, code: silence }, { ...running, ...matched })).verdict).toBe(
      "review",
    );
    expect(
      judge(guardReadings({ ...proxied, paused: wordReading(1n) }, { ...running, ...matched })).verdict,
    ).toBe("block");
  });

  test("may have functions that would be suspicious elsewhere", () => {
    const telling = { program: program({ signs: ["takes_from_anyone"] }) };
    expect(judge(guardReadings(plainReadings(), telling)).verdict).toBe("review");
    expect(judge(guardReadings(plainReadings(), { ...telling, ...published("listed") })).verdict).toBe(
      "allow",
    );
  });
});

describe("published account code", () => {
  const behind = { address: TARGET, program: program(), delegation: null };
  const accounts = (changes: Partial<typeof unknown.accounts>) => ({
    known: { ...unknown, accounts: { ...unknown.accounts, ...changes } },
  });

  test("behind a proxy that only passes calls on is a genuine account", () => {
    const known = accounts({ behind: account });
    const genuine = judge(guardReadings(proxied, { ...running, behind, ...known }));
    expect(genuine).toMatchObject({
      verdict: "allow",
      reasonCodes: expect.arrayContaining(["KNOWN_ACCOUNT", "UPGRADEABLE_BY_KNOWN"]),
    });
    expect(genuine.summary).toMatch(/^Genuine Safe 1\.4\.1; only its owners can replace its code\./);
    // A proxy with functions of its own may do anything beside.
    expect(judge(guardReadings(proxied, { ...running, program: program(), behind, ...known })).verdict).toBe(
      "review",
    );
  });

  test("run by a delegated account is named; unknown code there is a review", () => {
    const delegated = plainReadings({
      code: codeReading(`0xef0100${TARGET.slice(2)}`),
      followed: [followed(TARGET)],
    });
    expect(judge(guardReadings(delegated, { program: null, behind })).verdict).toBe("review");
    expect(
      judge(guardReadings(delegated, { program: null, behind, ...accounts({ target: account }) })),
    ).toMatchObject({
      verdict: "allow",
      summary: expect.stringMatching(/^Account delegated to Safe 1\.4\.1/),
    });
    // Code behind the known delegate that is not known.
    const elsewhere = { ...behind, address: OTHER };
    const known = accounts({ target: account });
    expect(judge(guardReadings(delegated, { program: null, behind: elsewhere, ...known })).verdict).toBe(
      "review",
    );
  });

  test("that is copied by a clone is no account by itself", () => {
    expect(judge(guardReadings(cloneReadings(), accounts({ own: account }))).reasonCodes).not.toContain(
      "KNOWN_ACCOUNT",
    );
  });
});
