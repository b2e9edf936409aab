import { readdirSync, readFileSync } from "node:fs";
import {
  type CapabilityId,
  type CapabilitySpec,
  capabilityCatalog,
  capabilityInputs,
  type ReasonCode,
  usdFromMicro,
  type Verdict,
} from "@assay/protocol";
import { describe, expect, it } from "vitest";
import { chainSnapshotVerdicts } from "./evaluateChainSnapshot.js";
import { contractChangeVerdicts } from "./evaluateContractChange.js";
import { contractGuardVerdicts } from "./evaluateContractGuard.js";
import { contractInterfaceVerdicts } from "./evaluateContractInterface.js";
import { hookGuardVerdicts } from "./evaluateHookGuard.js";
import { lendingCollateralVerdicts } from "./evaluateLendingCollateral.js";
import { obligationVerdicts } from "./evaluateObligationVerdict.js";
import { rwaMarketVerdicts } from "./evaluateRwaMarket.js";
import { swapGuardVerdicts } from "./evaluateSwapGuard.js";
import { tokenLaunchVerdicts } from "./evaluateTokenLaunch.js";
import { tokenMetadataVerdicts } from "./evaluateTokenMetadata.js";
import { tradeExecutionVerdicts } from "./evaluateTradeExecution.js";
import { transactionIntentVerdicts } from "./evaluateTransactionIntent.js";
import { webCompileVerdicts } from "./evaluateWebCompile.js";
import { predictionVerdicts } from "./prediction/predictionVerdicts.js";

type Verdicts = Readonly<Partial<Record<ReasonCode, Verdict>>>;

/** What each rule makes of its reasons. */
const verdictsOf: Readonly<Record<CapabilityId, Verdicts>> = {
  "contract.guard": contractGuardVerdicts,
  "transaction.intent.guard": transactionIntentVerdicts,
  "amm.swap.guard": swapGuardVerdicts,
  "contract.change": contractChangeVerdicts,
  "token.metadata": tokenMetadataVerdicts,
  "contract.interface": contractInterfaceVerdicts,
  "chain.snapshot": chainSnapshotVerdicts,
  "token.launch.guard": tokenLaunchVerdicts,
  // A renewed answer has the verdict of what was computed anew, so this rule has no map.
  "evidence.artifact": { ARTIFACT_LIVE: "allow", ARTIFACT_EXPIRED: "review" },
  "web.compile": webCompileVerdicts,
  "obligation.verdict": obligationVerdicts,
  "amm.v4.hook.guard": hookGuardVerdicts,
  "rwa.market.guard": rwaMarketVerdicts,
  "lending.collateral.guard": lendingCollateralVerdicts,
  "trade.execution.notarize": tradeExecutionVerdicts,
  "prediction.evidence": predictionVerdicts,
};
const folder = new URL("../../../docs/capabilities/", import.meta.url);
const pageOf = (id: string) => readFileSync(new URL(`${id}.md`, folder), "utf8");

describe("docs/capabilities", () => {
  it("has a page for each capability, and no other", () => {
    const names = capabilityCatalog.map(({ id }) => `${id}.md`);
    expect(readdirSync(folder).sort()).toEqual(names.sort());
  });

  it.each(capabilityCatalog)("$id: how to call it, what it costs and what it cannot tell", (capability) => {
    expect(listMissing(pageOf(capability.id), capability)).toEqual([]);
  });

  it.each(Object.entries(verdictsOf))(
    "%s: every reason its rule can give, with its verdict",
    (id, verdicts) => {
      expect(compareReasons(pageOf(id), verdicts)).toEqual([]);
    },
  );

  it("is not satisfied by a page that leaves a reason out, calls it harmless or says both", () => {
    const page = pageOf("contract.guard");
    const without = page.replace("`CONTRACT_PAUSED`", "paused");
    expect(compareReasons(without, contractGuardVerdicts)).toEqual(["CONTRACT_PAUSED is missing"]);
    const harmless = page.replace("`CONTRACT_PAUSED` | block", "`CONTRACT_PAUSED` | allow");
    expect(compareReasons(harmless, contractGuardVerdicts)).toEqual(["CONTRACT_PAUSED is block"]);
    const contradictory = `${page}\n| \`CONTRACT_PAUSED\` | allow | calls go through |\n`;
    expect(compareReasons(contradictory, contractGuardVerdicts)).toEqual(["CONTRACT_PAUSED has 2 rows"]);
  });
});

/** What a reader of a page would have to look up elsewhere. */
function listMissing(page: string, { id, method, prices }: CapabilitySpec): string[] {
  const [opening = ""] = page.split(/^## /m);
  const usd = new Set([prices.hitMicroUsd, prices.partialMicroUsd, prices.missMicroUsd].map(usdFromMicro));
  const expected: [what: string, isThere: boolean][] = [
    ["route", opening.includes(`${method} /api/v1/capabilities/${id}/invoke`)],
    ...[...usd].map((price): [string, boolean] => [
      `price ${price}`,
      new RegExp(`(?<![\\d.])${String(price).replace(".", "\\.")}0*(?!\\d)`).test(opening),
    ]),
    ...Object.keys(capabilityInputs[id].shape).map((field): [string, boolean] => [
      `input ${field}`,
      new RegExp(`[?&\`"]${field}[\`"=]`).test(page),
    ]),
    ["limitations", /^## What it cannot (tell|know)\n\n\S/m.test(page)],
  ];
  return expected.filter(([, isThere]) => !isThere).map(([what]) => what);
}

/** Reasons that a page does not name, has two rows for, or whose row in a table says another verdict. */
function compareReasons(page: string, verdicts: Verdicts): string[] {
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  return Object.entries(verdicts).flatMap(([code, verdict]) => {
    if (!page.includes(`\`${code}\``)) return [`${code} is missing`];
    const stated = rows.filter((row) => row.split(" | ")[0]?.includes(`\`${code}\``));
    if (stated.length > 1) return [`${code} has ${stated.length} rows`];
    const isSaid = stated.every((row) => row.split(" | ")[1]?.includes(verdict));
    return isSaid ? [] : [`${code} is ${verdict}`];
  });
}
