import { expect, test } from "vitest";
import { gatherer } from "./amm.swap.guard/gather/gather.js";
import { rule } from "./amm.swap.guard/rule.js";
import { decodeSwap } from "./shared/swaps/decodeSwap.js";
import { baseSwapRouters } from "./shared/swaps/swapRouters.js";
import { createGatherContext } from "./testing/createGatherContext.js";
import {
  encode,
  parseTransaction,
  useIntentWorld,
} from "./transaction.intent.guard/testing/intentFixture.js";
import { listIntentRows } from "./transaction.intent.guard/testing/listIntentRows.js";
import { prepareHoldings } from "./transaction.intent.guard/testing/prepareHoldings.js";

const swapGuard = { ...rule, ...gatherer };

const world = useIntentWorld(prepareHoldings);
const RANK = { allow: 0, review: 1, block: 2 };

test("transaction.intent.guard judges a swap on a supported router no more mildly than amm.swap.guard", async () => {
  const { guard, chain, records, alice, devnet } = world();
  const { stablecoin, weth } = devnet.contracts;
  const factory = "0x420dd381b31aef6683db6b902084cb0ffece40da";
  const noCode = {
    name: "a router without code",
    transaction: {
      to: "0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43",
      data: encode(
        "swapExactTokensForTokens(uint256 a, uint256 m, (address from, address to, bool stable, address factory)[] routes, address to, uint256 d)",
        [5n, 5n, [{ from: stablecoin, to: weth, stable: false, factory }], alice, 9n],
      ),
    },
  };
  const verdicts = new Set<string>();
  for (const { name, transaction } of [...listIntentRows(world()), noCode]) {
    const asked = parseTransaction({ from: alice, ...transaction });
    if ("unsupported" in decodeSwap(asked, baseSwapRouters)) continue;
    const { input, block, ...ours } = await guard(transaction);
    // The swap itself is compared; the token that it buys is judged by amm.swap.guard alone.
    const context = { ...createGatherContext(chain, block, records), skipsBoughtTokens: true };
    const gathered = await swapGuard.gather(context, input);
    const theirs = swapGuard.evaluate(input, gathered.readings);
    expect.soft(RANK[ours.verdict], name).toBeGreaterThanOrEqual(RANK[theirs.verdict]);
    verdicts.add(theirs.verdict);
  }
  expect([...verdicts].sort()).toEqual(["allow", "block", "review"]);
}, 60_000);
