import { capabilityInputs, capabilityResultSchema, problemSchema } from "@assay/protocol";
import { evaluateLendingCollateral, lendingCollateralReadingsSchema } from "@assay/rules";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountOf, balanceOf, fetchChallenge, pay, priceOf } from "../../testing/payer.js";
import { startTestService, type TestService } from "../../testing/startTestService.js";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ RATE_LIMITS: "off" });
}, 60_000);
afterAll(() => service?.stop());

/** Ten thousand dollars on alice's ten ether. */
const question = (): Record<string, string> => {
  const { id, loanToken, collateralToken } = service.chainOf.lendingMarket;
  const userAddress = accountOf(service, "alice").address;
  return { marketId: id, loanToken, collateralToken, userAddress, borrowAmountWei: "10000000000" };
};
const urlOf = (changes: Record<string, string> = {}) =>
  `${service.url}/api/v1/capabilities/lending.collateral.guard/invoke?${new URLSearchParams({ ...question(), ...changes })}`;

describe("lending.collateral.guard over HTTP", () => {
  test("402, then the answer for 0.75, again and again, and a stranger reaches the same verdict", async () => {
    const payer = accountOf(service, "bob");
    for (const _ of ["first", "second"]) {
      expect(priceOf((await fetchChallenge(urlOf())).accepts[0])).toBe(750_000n);
      const before = await balanceOf(service, payer.address);
      const { response } = await pay(urlOf(), payer);
      expect(response.status).toBe(200);
      const answer = capabilityResultSchema.parse(await response.json());
      expect(answer).toMatchObject({
        capabilityId: "lending.collateral.guard",
        verdict: "allow",
        pricing: { actualCacheStatus: "miss", pricePaidUsd: 0.75 },
        nextCall: {
          validUntilBlock: answer.result.validUntilBlock,
          recheck: { method: "GET", notBeforeBlock: answer.result.validUntilBlock + 1 },
          watch: null,
        },
        evidenceReference: { shareable: false },
      });
      expect(before - (await balanceOf(service, payer.address))).toBe(750_000n);

      const { evidence, reasonCodes, summary, limitations } = answer.result;
      expect(evidence.proofs).not.toBeNull();
      const again = evaluateLendingCollateral(
        capabilityInputs["lending.collateral.guard"].parse(evidence.input),
        lendingCollateralReadingsSchema.parse(evidence.readings),
      );
      expect(again).toMatchObject({ verdict: "allow", reasonCodes, summary, findings: evidence.findings });
      expect(limitations).toEqual([...again.limitations]);
    }
  });

  test("a quote holds the price and is paid where it says", async () => {
    const wallet = accountOf(service, "carol");
    const query = new URLSearchParams({
      ...question(),
      capability: "lending.collateral.guard",
      wallet: wallet.address,
    });
    const quote = (await (await fetch(`${service.url}/api/v1/quotes?${query}`)).json()) as {
      invokeUrl: string;
      invokeMethod: string;
      priceUsd: number;
      cacheStatus: string;
    };
    expect(quote).toMatchObject({ invokeMethod: "GET", priceUsd: 0.75, cacheStatus: "miss" });
    const { response } = await pay(quote.invokeUrl, wallet);
    expect(response.status).toBe(200);
  });

  test.each([
    ["marketId", "0x12"],
    ["marketId", `${"0x"}${"zz".repeat(32)}`],
    ["loanToken", "dollars"],
    ["collateralToken", ""],
    ["userAddress", `0x${"0".repeat(40)}`],
    ["userAddress", "alice"],
    ["borrowAmountWei", "0"],
    ["borrowAmountWei", "000"],
    ["borrowAmountWei", "-1"],
    ["borrowAmountWei", "1.5"],
    ["borrowAmountWei", "0x10"],
    ["borrowAmountWei", (2n ** 256n).toString()],
    ["borrowAmountWei", "9".repeat(5000)],
    ["amount", "5"],
  ])("%s=%s is refused by name before anybody pays", async (field, value) => {
    const response = await fetch(urlOf({ [field]: value }));
    expect(response.status).toBe(400);
    expect(problemSchema.parse(await response.json()).errors?.map((error) => error.field)).toEqual([field]);
  });

  test("spelt in capitals it is the same question", async () => {
    const { marketId, userAddress } = question();
    const shout = (hex = "") => `0x${hex.slice(2).toUpperCase()}`;
    const { response } = await pay(
      urlOf({ marketId: shout(marketId), userAddress: shout(userAddress), borrowAmountWei: "0010000000000" }),
      accountOf(service, "dave"),
    );
    const answer = capabilityResultSchema.parse(await response.json());
    expect(answer.verdict).toBe("allow");
    expect(answer.result.evidence.input).toEqual(
      capabilityInputs["lending.collateral.guard"].parse(question()),
    );
  });
});
