import type { Hex } from "@assay/protocol";
import { encodePacked, parseEther } from "viem";
import { type AccuracyWorld, encode } from "./accuracyWorld.js";
import {
  type AccuracyCase,
  command,
  type Make,
  MSG_SENDER,
  ROUTER_SELF,
  run,
  soon,
  usd,
  usdcFor,
  v3Single,
  wethFor,
} from "./caseTools.js";
import { type Setup, UNIVERSAL_ROUTER, USDC, WETH } from "./setUp.js";

export function listSwaps(
  { devnet, alice, thief }: AccuracyWorld,
  setup: Setup,
  honest: Make,
  hostile: Make,
): AccuracyCase[] {
  const { uniswapV2Router, swapRouter02 } = devnet.contracts;
  const [v2, v3] = [uniswapV2Router as Hex, swapRouter02 as Hex];
  const cases: AccuracyCase[] = [];
  const classic = (min: bigint, to: Hex) =>
    encode("swapExactETHForTokens(uint256 m, address[] p, address t, uint256 d)", [
      min,
      [WETH, USDC],
      to,
      soon(),
    ]);
  for (const ether of [0.01, 0.05, 0.1, 0.3]) {
    const value = parseEther(String(ether));
    cases.push(
      honest(`V2: ${ether} ETH for USDC`, "swap", { to: v2, data: classic(usdcFor(ether), alice), value }),
    );
    cases.push(
      hostile(`V2: ${ether} ETH for the thief's USDC`, "swap", {
        to: v2,
        data: classic(usdcFor(ether), thief),
        value,
      }),
    );
    cases.push(hostile(`V2: ${ether} ETH for any USDC`, "swap", { to: v2, data: classic(0n, alice), value }));
    cases.push(
      hostile(`a bait with the router's function, ${ether} ETH`, "swap", {
        to: setup.bait,
        data: classic(usdcFor(ether), alice),
        value,
      }),
    );
  }
  for (const dollars of [10, 40, 100, 300]) {
    cases.push(
      honest(`V3: ${dollars} USDC for WETH`, "swap", {
        to: v3,
        data: v3Single(USDC, WETH, alice, usd(dollars), wethFor(dollars)),
      }),
    );
    cases.push(
      hostile(`V3: ${dollars} USDC for the thief's WETH`, "swap", {
        to: v3,
        data: v3Single(USDC, WETH, thief, usd(dollars), wethFor(dollars)),
      }),
    );
    cases.push(
      hostile(`V3: ${dollars} USDC for any WETH`, "swap", {
        to: v3,
        data: v3Single(USDC, WETH, alice, usd(dollars), 0n),
      }),
    );
    cases.push(
      honest(`V3: ${dollars} USDC for ETH, unwrapped`, "swap", {
        to: v3,
        data: encode("multicall(bytes[] c)", [
          [
            v3Single(USDC, WETH, ROUTER_SELF, usd(dollars), wethFor(dollars)),
            encode("unwrapWETH9(uint256 m, address r)", [wethFor(dollars), alice]),
          ],
        ]),
      }),
    );
    cases.push(
      hostile(`V3: ${dollars} USDC for ETH, unwrapped for the thief`, "swap", {
        to: v3,
        data: encode("multicall(bytes[] c)", [
          [
            v3Single(USDC, WETH, ROUTER_SELF, usd(dollars), wethFor(dollars)),
            encode("unwrapWETH9(uint256 m, address r)", [wethFor(dollars), thief]),
          ],
        ]),
      }),
    );
  }
  if (!setup.universalRouter) return cases;
  const path = (from: Hex, to: Hex) => encodePacked(["address", "uint24", "address"], [from, 500, to]);
  const swapIn = (recipient: Hex, amount: bigint, min: bigint, from: Hex, to: Hex, isUser: boolean) =>
    command("address, uint256, uint256, bytes, bool", [recipient, amount, min, path(from, to), isUser]);
  for (const dollars of [20, 60, 150]) {
    const [amount, min] = [usd(dollars), wethFor(dollars)];
    const to = UNIVERSAL_ROUTER;
    cases.push(
      honest(`UR: ${dollars} USDC for WETH`, "swap", {
        to,
        data: run("0x00", [swapIn(MSG_SENDER, amount, min, USDC, WETH, true)]),
      }),
    );
    cases.push(
      honest(`UR: ${dollars} USDC for ETH`, "swap", {
        to,
        data: run("0x000c", [
          swapIn(ROUTER_SELF, amount, min, USDC, WETH, true),
          command("address, uint256", [MSG_SENDER, min]),
        ]),
      }),
    );
    cases.push(
      honest(`UR: ${dollars} USDC for WETH with a fee of 0.25 %`, "swap", {
        to,
        data: run("0x000604", [
          swapIn(ROUTER_SELF, amount, min, USDC, WETH, true),
          command("address, address, uint256", [WETH, "0x1111111111111111111111111111111111112222", 25n]),
          command("address, address, uint256", [WETH, MSG_SENDER, (min * 99n) / 100n]),
        ]),
      }),
    );
    cases.push(
      hostile(`UR: ${dollars} USDC for WETH with a fee of 60 %`, "swap", {
        to,
        data: run("0x000604", [
          swapIn(ROUTER_SELF, amount, min, USDC, WETH, true),
          command("address, address, uint256", [WETH, thief, 6000n]),
          command("address, address, uint256", [WETH, MSG_SENDER, (min * 39n) / 100n]),
        ]),
      }),
    );
    cases.push(
      hostile(`UR: ${dollars} USDC for the thief`, "swap", {
        to,
        data: run("0x00", [swapIn(thief, amount, min, USDC, WETH, true)]),
      }),
    );
    cases.push(
      hostile(`UR: ${dollars} USDC for any WETH`, "swap", {
        to,
        data: run("0x00", [swapIn(MSG_SENDER, amount, 0n, USDC, WETH, true)]),
      }),
    );
    const value = parseEther(String(dollars / 1000));
    cases.push(
      honest(`UR: ${dollars / 1000} ETH for USDC`, "swap", {
        to,
        value,
        data: run("0x0b00", [
          command("address, uint256", [ROUTER_SELF, value]),
          swapIn(MSG_SENDER, value, usdcFor(dollars / 1000), WETH, USDC, false),
        ]),
      }),
    );
    cases.push(
      hostile(`UR: ${dollars / 1000} ETH wrapped and swept to the thief`, "swap", {
        to,
        value,
        data: run("0x0b04", [
          command("address, uint256", [ROUTER_SELF, value]),
          command("address, address, uint256", [WETH, thief, 0n]),
        ]),
      }),
    );
    cases.push(
      hostile(`UR: ${dollars} USDC taken by Permit2 for the thief`, "swap", {
        to,
        data: run("0x02", [command("address, address, uint160", [USDC, thief, amount])]),
      }),
    );
  }
  return cases;
}
