import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type ClaimOpened, claimOpenedSchema } from "@assay/protocol";
import { beforeAll, expect, test } from "vitest";
import { accountOf } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { describeTrueClaim, payForClaim } from "./testing/paidClaims.js";

const root = new URL("../../../../", import.meta.url);

const service = useTestService({ RATE_LIMITS: "off" });
let claim: ClaimOpened;
let script: string;
beforeAll(async () => {
  await service.chainOf.mine(4);
  const opener = accountOf(service, "alice");
  const { response } = await payForClaim(service.url, opener, await describeTrueClaim(service, opener));
  claim = claimOpenedSchema.parse(await response.json());
  const text = await readFile(new URL("docs/claims.md", root), "utf8");
  script = /```sh\n([\s\S]+?)```/.exec(text)?.[1] ?? "";
});

/** What the document's commands print for the claim, run as they stand there. */
async function recompute(): Promise<string[]> {
  const env = {
    PATH: process.env.PATH,
    BASE: service.url,
    CLAIM: claim.claimId,
    RPC_URL: service.chainOf.rpcUrl,
  };
  const { stdout } = await promisify(execFile)("sh", ["-c", script], { cwd: fileURLToPath(root), env });
  return stdout.trim().split("\n");
}

test("the commands of docs/claims.md recompute a claim, its receipt and its survival hash", async () => {
  expect(await recompute()).toEqual([
    "ok    survivalHash",
    "ok    claimId",
    "ok    fromBlockHash",
    "ok    toBlockHash",
    "ok    implementation",
  ]);
});

test("control: they find a receipt that was changed", async () => {
  await service.db.query({
    text: `UPDATE claims SET receipt = convert_to(replace(convert_from(receipt, 'UTF8'), '"rewardMicroUsd":"12340000"',
             '"rewardMicroUsd":"12340001"'), 'UTF8') WHERE claim_id = $1`,
    values: [claim.claimId],
  });
  expect((await recompute()).filter((line) => line.startsWith("WRONG"))).toEqual([
    "WRONG survivalHash",
    "WRONG claimId",
  ]);
});
