import { getCapability } from "@assay/capabilities";
import { problemSchema, quoteSchema } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { expectSameVerdict } from "../expectSameVerdict.js";
import { balanceOf } from "../payer.js";
import { useTestService } from "../useTestService.js";

const service = useTestService({ RATE_LIMITS: "off" });

/** Ten thousand dollars on alice's ten ether. */
const question = (): Record<string, string> => {
  const { id, loanToken, collateralToken } = service.chainOf.lendingMarket;
  const userAddress = service.account("alice").address;
  return { marketId: id, loanToken, collateralToken, userAddress, borrowAmountWei: "10000000000" };
};
const urlOf = (changes: Record<string, string> = {}) =>
  service.invokeUrl("lending.collateral.guard", { ...question(), ...changes });

describe("lending.collateral.guard over HTTP", () => {
  test("402, then the answer for 0.75, again and again, and a stranger reaches the same verdict", async () => {
    const { address } = service.account("bob");
    for (const _ of ["first", "second"]) {
      expect(await service.priceNow(urlOf())).toBe(750_000n);
      const before = await balanceOf(service, address);
      const answer = await service.buy(urlOf(), "bob");
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
      expect(before - (await balanceOf(service, address))).toBe(750_000n);

      const { evidence, limitations } = answer.result;
      expect(evidence.proofs).not.toBeNull();
      const again = await expectSameVerdict(answer);
      expect(limitations).toEqual([...again.limitations]);
    }
  });

  test("a quote holds the price and is paid where it says", async () => {
    const { address } = service.account("carol");
    const url = service.quoteUrl("lending.collateral.guard", address, question());
    const quote = quoteSchema.parse(await (await fetch(url)).json());
    expect(quote).toMatchObject({ invokeMethod: "GET", priceUsd: 0.75, cacheStatus: "miss" });
    await service.buy(quote.invokeUrl, "carol");
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
    const answer = await service.buy(
      urlOf({ marketId: shout(marketId), userAddress: shout(userAddress), borrowAmountWei: "0010000000000" }),
      "dave",
    );
    expect(answer.verdict).toBe("allow");
    expect(answer.result.evidence.input).toEqual(
      getCapability("lending.collateral.guard").input.parse(question()),
    );
  });
});
