import type { Hex } from "@assay/protocol";
import { parseEther } from "viem";
import { type AccuracyWorld, encode } from "./accuracyWorld.js";
import { type AccuracyCase, DEAD, type Make, transfer, usd } from "./caseTools.js";
import { ENTRY_POINTS, PERMIT2, type Setup, UNIVERSAL_ROUTER, USDC, WETH } from "./setUp.js";

export function listTransfers(
  { devnet, alice, bob, thief }: AccuracyWorld,
  setup: Setup,
  honest: Make,
  hostile: Make,
  losing: Make,
): AccuracyCase[] {
  const {
    plainToken,
    uniswapV2Router,
    swapRouter02,
    multicall3,
    morpho,
    positionManager,
    poolManager,
    quoterV2,
  } = devnet.contracts;
  const cases: AccuracyCase[] = [];
  const fresh = (index: number): Hex =>
    `0x${(0xc0ffee000000n + BigInt(index)).toString(16).padStart(40, "1")}`;
  for (const dollars of [1, 12, 25, 75, 250, 999, 40_000]) {
    cases.push(honest(`${dollars} USDC to bob`, "erc20", { to: USDC, data: transfer(bob, usd(dollars)) }));
    cases.push(
      honest(`${dollars} USDC to somebody new`, "erc20", {
        to: USDC,
        data: transfer(fresh(dollars), usd(dollars)),
      }),
    );
  }
  for (const amount of ["0.001", "0.05", "0.5", "20"]) {
    cases.push(
      honest(`${amount} WETH to bob`, "erc20", { to: WETH, data: transfer(bob, parseEther(amount)) }),
    );
    cases.push(honest(`${amount} ETH to bob`, "native", { to: bob, value: parseEther(amount) }));
    cases.push(
      honest(`${amount} ETH to somebody new`, "native", { to: fresh(7), value: parseEther(amount) }),
    );
    cases.push(
      honest(`${amount} of an unlisted token to bob`, "erc20", {
        to: plainToken as Hex,
        data: transfer(bob, parseEther(amount)),
      }),
    );
  }
  for (const amount of [1, 5, 20])
    cases.push(
      honest(`${amount} USDC of bob's by his allowance`, "erc20", {
        to: USDC,
        data: encode("transferFrom(address f, address t, uint256 a)", [bob, alice, usd(amount)]),
      }),
    );
  for (const [name, safe] of [...Object.entries(setup.safes), ...Object.entries(setup.accounts)]) {
    cases.push(
      honest(`50 USDC to the account ${name}`, "erc20", { to: USDC, data: transfer(safe, usd(50)) }),
    );
    cases.push(honest(`0.1 ETH to the account ${name}`, "native", { to: safe, value: parseEther("0.1") }));
  }
  cases.push(
    honest("an item to bob", "nft", {
      to: setup.collection,
      data: encode("safeTransferFrom(address f, address t, uint256 i)", [alice, bob, 1n]),
    }),
  );
  cases.push(
    honest("an item to bob by transferFrom", "nft", {
      to: setup.collection,
      data: encode("transferFrom(address f, address t, uint256 i)", [alice, bob, 1n]),
    }),
  );
  const lookAlike = (of: Hex, middle: string): Hex =>
    `0x${of.slice(2, 6)}${middle.repeat(32).slice(0, 32)}${of.slice(-4)}`;
  for (const [index, middle] of ["0", "7", "ab", "3f1"].entries()) {
    const dollars = [5000, 20, 1, 900][index] ?? 1;
    cases.push(
      hostile(`${dollars} USDC to a look-alike of bob (${middle})`, "poison", {
        to: USDC,
        data: transfer(lookAlike(bob, middle), usd(dollars)),
      }),
    );
    cases.push(
      hostile(`ETH to a look-alike of bob (${middle})`, "poison", {
        to: lookAlike(bob, middle),
        value: parseEther("0.2"),
      }),
    );
  }
  cases.push(
    hostile("USDC to a look-alike of oneself", "poison", {
      to: USDC,
      data: transfer(lookAlike(alice, "9"), usd(70)),
    }),
  );
  for (const amount of ["0.01", "1", "30"])
    cases.push(
      hostile(`${amount} ETH to an account delegated to a sweeper`, "delegation", {
        to: setup.sweptAccount,
        value: parseEther(amount),
      }),
    );
  cases.push(
    hostile("USDC to an account delegated to a sweeper", "delegation", {
      to: USDC,
      data: transfer(setup.sweptAccount, usd(100)),
    }),
  );
  cases.push(
    hostile("sweep of a delegated victim", "delegation", {
      from: thief,
      to: setup.victim,
      data: encode("sweep(address t)", [USDC]),
    }),
  );
  if (setup.aave)
    for (const share of [2n, 3n, 1n])
      cases.push(
        hostile(`aUSDC, 1/${share} of the deposit, to the thief`, "position", {
          to: setup.aave.aUsdc,
          data: transfer(thief, usd(4900) / share),
        }),
      );
  for (const share of [1n, 2n])
    cases.push(
      hostile(`vault shares, 1/${share}, to the thief`, "position", {
        to: setup.vault,
        data: transfer(thief, usd(490) / share),
      }),
    );
  const keepers: [string, string][] = [
    ["WETH", WETH],
    ["USDC itself", USDC],
    ["V2 router", uniswapV2Router],
    ["SwapRouter02", swapRouter02],
    ["Multicall3", multicall3],
    ["Morpho", morpho],
    ["position manager", positionManager],
    ["pool manager", poolManager],
    ["quoter", quoterV2],
    ["Permit2", PERMIT2],
    ["Universal Router", UNIVERSAL_ROUTER],
    ["dead", DEAD],
    ["EntryPoint 0.7", ENTRY_POINTS["0.7"]],
    ["the vault", setup.vault],
    ["an unlisted token", plainToken],
    ["precompile 4", "0x0000000000000000000000000000000000000004"],
    ...(setup.aave
      ? ([
          ["Aave pool", setup.aave.pool],
          ["aUSDC", setup.aave.aUsdc],
        ] as [string, string][])
      : []),
  ];
  for (const [name, to] of keepers) {
    cases.push(losing(`25 USDC to ${name}`, "losing send", { to: USDC, data: transfer(to, usd(25)) }));
    if (to !== WETH)
      cases.push(
        losing(`0.5 WETH to ${name}`, "losing send", { to: WETH, data: transfer(to, parseEther("0.5")) }),
      );
  }
  cases.push(losing("WETH to itself", "losing send", { to: WETH, data: transfer(WETH, parseEther("1")) }));
  cases.push(losing("ETH to 0x…dEaD", "losing send", { to: DEAD, value: parseEther("1") }));
  return cases;
}
