import type { Hex } from "@assay/protocol";
import { maxUint256 } from "viem";
import { type AccuracyWorld, encode } from "./accuracyWorld.js";
import { type AccuracyCase, approve, type Make, soon, usd, ZERO } from "./caseTools.js";
import { PERMIT2, type Setup, UNIVERSAL_ROUTER, USDC, WETH } from "./setUp.js";

export function listApprovals(
  { devnet, thief, bob }: AccuracyWorld,
  setup: Setup,
  honest: Make,
  hostile: Make,
): AccuracyCase[] {
  const { uniswapV2Router, swapRouter02, positionManager, morpho, multicall3 } = devnet.contracts;
  const spenders: [string, string][] = [
    ["V2 router", uniswapV2Router],
    ["SwapRouter02", swapRouter02],
    ["position manager", positionManager],
    ["Morpho", morpho],
    ["Aerodrome router", "0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43"],
    ["L2StandardBridge", "0x4200000000000000000000000000000000000010"],
    ["Seaport conduit", "0x1e0049783f008a0085193e00003d00cd54003c71"],
    ...(setup.aave ? ([["Aave pool", setup.aave.pool]] as [string, string][]) : []),
  ];
  const cases: AccuracyCase[] = [];
  for (const [name, spender] of spenders)
    for (const [amountName, amount] of [
      ["100 USDC", usd(100)],
      ["unlimited USDC", maxUint256],
      ["0 USDC", 0n],
    ] as const)
      cases.push(
        honest(`approve ${amountName} to ${name}`, "approve", { to: USDC, data: approve(spender, amount) }),
      );
  cases.push(
    honest("approve 100 USDC to an unlisted vault", "approve", {
      to: USDC,
      data: approve(setup.vault, usd(100)),
    }),
  );
  cases.push(
    honest("approve 7 USDC to an unlisted vault", "approve", {
      to: USDC,
      data: approve(setup.vault, usd(7)),
    }),
  );
  // The code at Permit2's address is the repository's own stand-in, not the published one.
  for (const [amountName, amount] of [
    ["100 USDC", usd(100)],
    ["unlimited USDC", maxUint256],
  ] as const)
    cases.push(
      hostile(`approve ${amountName} to a stand-in for Permit2`, "changed", {
        to: USDC,
        data: approve(PERMIT2, amount),
      }),
    );
  for (const amount of [1, 30])
    cases.push(
      hostile(`a stand-in for Permit2: approval of ${amount} USDC to the Universal Router`, "approve", {
        to: PERMIT2,
        data: encode("approve(address t, address s, uint160 a, uint48 e)", [
          USDC,
          UNIVERSAL_ROUTER,
          usd(amount),
          Number(soon()),
        ]),
      }),
    );
  cases.push(
    honest("approve one item to the conduit", "nft", {
      to: setup.collection,
      data: approve("0x1e0049783f008a0085193e00003d00cd54003c71", 1n),
    }),
  );
  cases.push(honest("approve(0) of one item", "nft", { to: setup.collection, data: approve(ZERO, 1n) }));
  cases.push(
    honest("operator: the conduit", "nft", {
      to: setup.collection,
      data: encode("setApprovalForAll(address o, bool a)", [
        "0x1e0049783f008a0085193e00003d00cd54003c71",
        true,
      ]),
    }),
  );
  cases.push(
    honest("operator dismissed", "nft", {
      to: setup.collection,
      data: encode("setApprovalForAll(address o, bool a)", [bob, false]),
    }),
  );
  for (const [whoName, who] of [
    ["the thief", thief],
    ["a drainer", setup.bait],
    ["an imitation vault", setup.baitVault],
  ] as const) {
    for (const [amountName, amount] of [
      ["everything", maxUint256],
      ["half of all numbers", maxUint256 / 2n + 1n],
      ["100", usd(100)],
    ] as const) {
      cases.push(
        hostile(`approve ${amountName} USDC to ${whoName}`, "approval", {
          to: USDC,
          data: approve(who, amount),
        }),
      );
      cases.push(
        hostile(`approve ${amountName} WETH to ${whoName}`, "approval", {
          to: WETH,
          data: approve(who, amount),
        }),
      );
      cases.push(
        hostile(`increaseAllowance ${amountName} to ${whoName}`, "approval", {
          to: USDC,
          data: encode("increaseAllowance(address s, uint256 a)", [who, amount]),
        }),
      );
    }
    cases.push(
      hostile(`all items to ${whoName}`, "approval", {
        to: setup.collection,
        data: encode("setApprovalForAll(address o, bool a)", [who, true]),
      }),
    );
    cases.push(
      hostile(`one item to ${whoName}`, "approval", { to: setup.collection, data: approve(who, 1n) }),
    );
    cases.push(
      hostile(`Permit2 everything to ${whoName}`, "approval", {
        to: PERMIT2,
        data: encode("approve(address t, address s, uint160 a, uint48 e)", [
          USDC,
          who,
          2n ** 160n - 1n,
          4_000_000_000,
        ]),
      }),
    );
    cases.push(
      hostile(`Permit2 100 to ${whoName}`, "approval", {
        to: PERMIT2,
        data: encode("approve(address t, address s, uint160 a, uint48 e)", [
          USDC,
          who,
          usd(100),
          4_000_000_000,
        ]),
      }),
    );
    cases.push(
      hostile(`Morpho authorization to ${whoName}`, "approval", {
        to: morpho as Hex,
        data: encode("setAuthorization(address a, bool b)", [who, true]),
      }),
    );
    if (setup.aave)
      cases.push(
        hostile(`credit delegation to ${whoName}`, "approval", {
          to: setup.aave.debtWeth,
          data: encode("approveDelegation(address d, uint256 a)", [who, maxUint256]),
        }),
      );
  }
  cases.push(
    hostile("approve everything to Multicall3", "approval", {
      to: USDC,
      data: approve(multicall3, maxUint256),
    }),
  );
  cases.push(
    hostile("approve 100 to Multicall3", "approval", { to: USDC, data: approve(multicall3, usd(100)) }),
  );
  return cases;
}
