import { readFileSync } from "node:fs";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { useTestService } from "../../test/useTestService.js";
import { insertClaim } from "./testing/insertClaim.js";
import { sendChallenge } from "./testing/sendChallenge.js";
import {
  type Implementation,
  type Moment,
  type ProxyKind,
  proxyKinds,
  recordUpgradeHistories,
  type UpgradeHistory,
} from "./testing/upgradeHistory.js";

const service = useTestService({ RATE_LIMITS: "off" });
let histories: Record<ProxyKind, UpgradeHistory>;
beforeAll(async () => {
  histories = await recordUpgradeHistories(service.chainOf);
}, 60_000);

interface Row {
  readonly window: readonly [Moment, Moment];
  readonly claimed: Implementation;
  readonly block: Moment;
  readonly stated: Implementation;
  readonly answer: string;
}
const row = (
  from: Moment,
  to: Moment,
  claimed: Implementation,
  block: Moment,
  stated: Implementation,
  answer: string,
): Row => ({ window: [from, to], claimed, block, stated, answer });

const CORRECT = "200 claim_correct";
const INVALID = "200 invalid_evidence";
const VALID = "201 counterexample_valid";

/** Written by hand from the contract; what the service answers is compared with it. */
const rows: readonly Row[] = [
  // Inside one implementation's time.
  row("A1 first", "A1 last", "A", "A1 middle", "A", CORRECT),
  row("A1 first", "A1 last", "A", "A1 middle", "B", INVALID),
  row("A1 first", "A1 last", "A", "A1 middle", "none", INVALID),
  row("A1 first", "A1 last", "A", "B1 first", "B", INVALID),
  row("A1 first", "A1 last", "A", "before last", "none", INVALID),
  row("B1 first", "B1 last", "B", "B1 first", "B", CORRECT),
  row("B1 first", "B1 last", "B", "A1 last", "A", INVALID),
  row("B1 first", "B1 last", "A", "B1 last", "B", VALID),
  // Across the first upgrade: true at one end only.
  row("A1 first", "B1 last", "B", "A1 last", "A", VALID),
  row("A1 first", "B1 last", "B", "B1 first", "B", CORRECT),
  row("A1 first", "B1 last", "A", "B1 first", "B", VALID),
  row("A1 first", "B1 last", "A", "B1 first", "A", INVALID),
  // Across two and more: true at both ends, false between them.
  row("A1 middle", "A2 middle", "A", "B1 middle", "B", VALID),
  row("A1 middle", "A2 middle", "A", "A2 first", "A", CORRECT),
  row("B1 middle", "B2 first", "B", "A2 last", "A", VALID),
  row("B1 last", "A3 first", "A", "B2 last", "B", VALID),
  row("A1 first", "A3 last", "A", "B2 first", "B", VALID),
  row("A1 first", "A3 last", "A", "A2 middle", "A", CORRECT),
  // After the way back.
  row("A3 first", "A3 last", "A", "A3 middle", "A", CORRECT),
  row("A3 first", "A3 last", "A", "B2 last", "B", INVALID),
  row("A3 first", "A3 last", "B", "A3 first", "A", VALID),
  // Across the creation.
  row("before first", "before last", "none", "before middle", "none", CORRECT),
  row("before first", "before last", "A", "before first", "none", VALID),
  row("before middle", "A1 last", "A", "before last", "none", VALID),
  row("before middle", "A1 first", "none", "A1 first", "A", VALID),
];

async function answerFor(kind: ProxyKind, { window, claimed, block, stated }: Row): Promise<string> {
  const { proxy, blockAt, implementationOf } = histories[kind];
  const claimId = await insertClaim(service.db, {
    type: "upgrade_window",
    address: proxy,
    implementation: implementationOf(claimed),
    fromBlock: blockAt(window[0]),
    toBlock: blockAt(window[1]),
  });
  const evidence = { block: blockAt(block), implementation: implementationOf(stated) };
  const { status, body } = await sendChallenge(
    service.url,
    privateKeyToAccount(generatePrivateKey()),
    claimId,
    evidence,
  );
  return `${status} ${body.resolution}`;
}

describe("a proxy upgraded three times and back", () => {
  const answered = new Map<ProxyKind, string[]>();

  test.each(proxyKinds)("%s: every challenge is answered as the contract says", async (kind) => {
    const answers: string[] = [];
    for (const one of rows) answers.push(await answerFor(kind, one));
    answered.set(kind, answers);
    expect(answers).toEqual(rows.map(({ answer }) => answer));
  });

  test("the table in docs/challenges.md is what was answered", ({ annotate }) => {
    const table = rows.map(({ window: [from, to], claimed, block, stated }, i) => {
      const answers = new Set(proxyKinds.map((kind) => answered.get(kind)?.[i]));
      return `| ${from} to ${to} | ${claimed} | ${block}: ${stated} | ${[...answers].join(", ")} |`;
    });
    void annotate(table.join("\n"));
    const written = readFileSync(new URL("../../../../docs/challenges.md", import.meta.url), "utf8");
    const lines = written.split("\n").filter((line) => / \| 20[01] \w+ \|$/.test(line));
    expect(lines).toEqual(table);
  });
});
