import fc from "fast-check";
import { type Abi, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from "viem";
import { describe, expect, test } from "vitest";
import { decodeSwap } from "./decodeSwap.js";
import { encodeSmallSwap } from "./encodeSmallSwap.js";
import {
  ALICE,
  anySwap,
  decode,
  encode,
  FACTORY,
  fit,
  forms,
  hopsOf,
  routerOf,
  routers,
} from "./testing/swapForms.js";

/** Of each function, of which there are many. */
const runs = Number(process.env.ASSAY_PROPERTY_RUNS ?? 12);

describe("every supported function", () => {
  test("is one of the selectors the guard promises", () => {
    for (const { selector, signature } of forms) expect(toFunctionSelector(signature)).toBe(selector);
    expect(new Set(forms.map(({ selector, router }) => selector + router)).size).toBe(19);
  });

  test.each(forms.map((form) => [form.selector, form.router, form] as const))(
    "%s of %s decodes to what was encoded",
    (_selector, router, form) => {
      fc.assert(
        fc.property(anySwap, (any) => {
          const swap = fit(form, any);
          const value = form.valueIs ? swap[form.valueIs] : 0n;
          const decoded = decode(routerOf(router), encode(form, swap), value);
          expect(decoded).toMatchObject({
            routerKind: router,
            kind: form.kind,
            tokenIn: swap.path[0],
            tokenOut: swap.path.at(-1),
            isNativeIn: form.native === "in",
            isNativeOut: form.native === "out",
            amountIn: form.kind === "exactIn" ? swap.exact : swap.limit,
            amountOut: form.kind === "exactIn" ? swap.limit : swap.exact,
            recipient: swap.recipient,
            otherRecipients: [],
            deadline: form.hasDeadline ? swap.deadline : null,
            toleratesTransferFees: form.signature.includes("FeeOnTransfer"),
            multicall: null,
          });
          expect(decoded.hops).toMatchObject(hopsOf(swap.path));
          if (router === "swap_router_02" || router === "swap_router")
            expect(decoded.hops.map(({ fee }) => fee)).toEqual(swap.fees.slice(0, swap.path.length - 1));
        }),
        { numRuns: runs },
      );
    },
  );

  test.each(forms.map((form) => [form.selector, form.router, form] as const))(
    "%s of %s has a hundredth that decodes to the same swap without its limit",
    (_selector, router, form) => {
      fc.assert(
        fc.property(anySwap, (any) => {
          const swap = fit(form, any);
          const value = (form.valueIs ? swap[form.valueIs] : 0n).toString();
          const whole = decode(routerOf(router), encode(form, swap), BigInt(value));
          const given = { from: ALICE, to: routerOf(router), data: encode(form, swap), value };
          const small = encodeSmallSwap(whole, given);
          if (swap.exact < 100n) {
            expect(small).toBeNull();
            return;
          }
          const { data, value: sent } = small as NonNullable<typeof small>;
          const decoded = decode(routerOf(router), data, BigInt(sent));
          const isExactIn = form.kind === "exactIn";
          expect(decoded).toMatchObject({
            hops: whole.hops,
            functionName: whole.functionName,
            isNativeIn: whole.isNativeIn,
            isNativeOut: whole.isNativeOut,
            recipient: ALICE,
            amountIn: isExactIn ? swap.exact / 100n : swap.limit,
            amountOut: isExactIn ? 0n : swap.exact / 100n,
          });
        }),
        { numRuns: runs },
      );
    },
  );
});

test.each<[string, string, bigint, boolean, boolean, boolean]>([
  ["0x903638a4", "swapExactETHForTokens(uint256,R,address,uint256)", 7n, true, false, false],
  [
    "0x3da5acba",
    "swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,R,address,uint256)",
    7n,
    true,
    false,
    true,
  ],
  ["0xc6b7f1b6", "swapExactTokensForETH(uint256,uint256,R,address,uint256)", 0n, false, true, false],
  [
    "0x12bc3aca",
    "swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,R,address,uint256)",
    0n,
    false,
    true,
    true,
  ],
  [
    "0x88cd821e",
    "swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,R,address,uint256)",
    0n,
    false,
    false,
    true,
  ],
])(
  "Aerodrome's %s is decoded with its native side and its tolerance",
  (selector, signature, value, nativeIn, nativeOut, tolerates) => {
    const abi = parseAbi([
      `function ${signature.replace("R", "(address,address,bool,address)[]")}`,
    ] as readonly string[]) as Abi;
    const weth = "0x4200000000000000000000000000000000000006";
    const other = `0x${"77".repeat(20)}`;
    const [give, take] = nativeIn ? [weth, other] : [other, weth];
    const routes = [[give, take, true, FACTORY]];
    const amounts = value === 0n ? [7n, 5n] : [5n];
    const sender: Hex = `0x${"11".repeat(20)}`;
    const data = encodeFunctionData({ abi, args: [...amounts, routes, sender, 9n] });
    expect(data.startsWith(selector)).toBe(true);
    const to = routerOf("aerodrome");
    const decoded = decodeSwap({ from: sender, to, data, value: value.toString() }, routers);
    expect(decoded).toMatchObject({
      swap: {
        amountIn: 7n,
        amountOut: 5n,
        tokenIn: give,
        tokenOut: take,
        isNativeIn: nativeIn,
        isNativeOut: nativeOut,
        toleratesTransferFees: tolerates,
        hops: [{ stable: true }],
      },
    });
  },
);
