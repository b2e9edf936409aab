import type { Hex } from "@assay/protocol";
import { parseEther } from "viem";
import { type AccuracyWorld, encode } from "./accuracyWorld.js";
import { type AccuracyCase, type Make, soon, usd, wethFor } from "./caseTools.js";
import { type Setup, USDC, WETH } from "./setUp.js";

export function listPositions(
  { devnet, alice, thief }: AccuracyWorld,
  setup: Setup,
  honest: Make,
  hostile: Make,
): AccuracyCase[] {
  const { uniswapV2Router, positionManager, weth } = devnet.contracts;
  const v2 = uniswapV2Router as Hex;
  const manager = positionManager as Hex;
  const cases: AccuracyCase[] = [];
  const addLiquidity = (to: Hex, ether: bigint) =>
    encode("addLiquidityETH(address t, uint256 a, uint256 m, uint256 e, address to, uint256 d)", [
      USDC,
      (ether * 3000n) / 10n ** 12n,
      0n,
      0n,
      to,
      soon(),
    ]);
  for (const ether of ["0.01", "0.2"]) {
    const value = parseEther(ether);
    cases.push(
      honest(`V2: liquidity of ${ether} ETH`, "liquidity", {
        to: v2,
        data: addLiquidity(alice, value),
        value,
      }),
    );
    cases.push(
      hostile(`V2: liquidity of ${ether} ETH for the thief`, "position", {
        to: v2,
        data: addLiquidity(thief, value),
        value,
      }),
    );
  }
  const mintParams = (recipient: Hex, dollars: number) =>
    encode(
      "mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) params)",
      [
        {
          token0: weth,
          token1: USDC,
          fee: 500,
          tickLower: -887270,
          tickUpper: 887270,
          amount0Desired: wethFor(dollars),
          amount1Desired: usd(dollars),
          amount0Min: 0n,
          amount1Min: 0n,
          recipient,
          deadline: soon(),
        },
      ],
    );
  for (const dollars of [30, 90]) {
    cases.push(
      honest(`V3: a position of ${dollars} USDC`, "liquidity", {
        to: manager,
        data: mintParams(alice, dollars),
      }),
    );
    cases.push(
      hostile(`V3: a position of ${dollars} USDC for the thief`, "position", {
        to: manager,
        data: mintParams(thief, dollars),
      }),
    );
  }
  for (const dollars of [10, 45, 100]) {
    const amount = usd(dollars);
    const vaultDeposit = (vault: Hex, to: Hex) => ({
      to: vault,
      data: encode("deposit(uint256 a, address r)", [amount, to]),
    });
    cases.push(honest(`vault: ${dollars} USDC in`, "vault", vaultDeposit(setup.vault, alice)));
    cases.push(
      honest(`vault: ${dollars} shares minted`, "vault", {
        to: setup.vault,
        data: encode("mint(uint256 s, address r)", [amount, alice]),
      }),
    );
    cases.push(
      honest(`vault: ${dollars} USDC out`, "vault", {
        to: setup.vault,
        data: encode("withdraw(uint256 a, address r, address o)", [amount, alice, alice]),
      }),
    );
    cases.push(
      honest(`vault: ${dollars} shares redeemed`, "vault", {
        to: setup.vault,
        data: encode("redeem(uint256 a, address r, address o)", [amount, alice, alice]),
      }),
    );
    cases.push(
      honest(`staking: ${dollars} USDC in`, "vault", {
        to: setup.staking,
        data: encode("stake(uint256 a)", [amount]),
      }),
    );
    cases.push(
      honest(`staking: ${dollars} USDC out`, "vault", {
        to: setup.staking,
        data: encode("withdraw(uint256 a)", [amount]),
      }),
    );
    cases.push(hostile(`vault: ${dollars} USDC for the thief`, "position", vaultDeposit(setup.vault, thief)));
    cases.push(
      hostile(`vault: ${dollars} USDC out to the thief`, "position", {
        to: setup.vault,
        data: encode("withdraw(uint256 a, address r, address o)", [amount, thief, alice]),
      }),
    );
    cases.push(
      hostile(`vault: ${dollars} shares redeemed to the thief`, "position", {
        to: setup.vault,
        data: encode("redeem(uint256 a, address r, address o)", [amount, thief, alice]),
      }),
    );
    cases.push(hostile(`imitation vault: ${dollars} USDC`, "bait", vaultDeposit(setup.baitVault, alice)));
  }
  const collect = (recipient: Hex) =>
    encode("collect((uint256 tokenId, address recipient, uint128 amount0Max, uint128 amount1Max) params)", [
      { tokenId: setup.position, recipient, amount0Max: 2n ** 127n, amount1Max: 2n ** 127n },
    ]);
  cases.push(honest("V3: what is owed is collected", "liquidity", { to: manager, data: collect(alice) }));
  cases.push(
    hostile("V3: what is owed is collected for the thief", "position", { to: manager, data: collect(thief) }),
  );
  for (const liquidity of [1_000_000n, 500_000_000n])
    cases.push(
      honest(`V3: ${liquidity} of liquidity taken back`, "liquidity", {
        to: manager,
        data: encode(
          "decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params)",
          [{ tokenId: setup.position, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: soon() }],
        ),
      }),
    );
  cases.push(
    hostile("V3: the position itself to the thief", "position", {
      to: manager,
      data: encode("safeTransferFrom(address f, address t, uint256 i)", [alice, thief, setup.position]),
    }),
  );
  for (const ether of ["0.5", "1", "3"]) {
    cases.push(
      honest(`wrap ${ether} ETH`, "wrap", { to: WETH, data: encode("deposit()"), value: parseEther(ether) }),
    );
    cases.push(honest(`wrap ${ether} ETH by sending it`, "wrap", { to: WETH, value: parseEther(ether) }));
    cases.push(
      honest(`unwrap ${ether} WETH`, "wrap", {
        to: WETH,
        data: encode("withdraw(uint256 a)", [parseEther(ether)]),
      }),
    );
  }
  return cases;
}
