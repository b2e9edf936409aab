import type { Hex } from "@assay/protocol";
import {
  concat,
  encodeAbiParameters,
  encodePacked,
  maxUint256,
  pad,
  parseAbiParameters,
  parseEther,
  size,
  toHex,
} from "viem";
import {
  EAS,
  ENTRY_POINTS,
  MULTI_SEND,
  PERMIT2,
  type Setup,
  UNIVERSAL_ROUTER,
  USDC,
  WETH,
} from "./accuracySetup.js";
import { type AccuracyWorld, encode, type Transaction } from "./accuracyWorld.js";

export interface AccuracyCase {
  readonly name: string;
  readonly group: "honest" | "hostile" | "losing";
  readonly kind: string;
  readonly transaction: Transaction;
}

type Make = (
  name: string,
  kind: string,
  transaction: Partial<Transaction> & { readonly to: Hex },
) => AccuracyCase;

const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));
const soon = () => BigInt(Math.floor(Date.now() / 1000) + 1800);
const MSG_SENDER: Hex = "0x0000000000000000000000000000000000000001";
const ROUTER_SELF: Hex = "0x0000000000000000000000000000000000000002";
const ZERO: Hex = "0x0000000000000000000000000000000000000000";
const DEAD: Hex = "0x000000000000000000000000000000000000dead";

const transfer = (to: string, amount: bigint) => encode("transfer(address t, uint256 a)", [to, amount]);
const approve = (spender: string, amount: bigint) =>
  encode("approve(address s, uint256 a)", [spender, amount]);

/** Every case, honest, hostile and losing, on what stands on this chain. */
export function listCases(world: AccuracyWorld, setup: Setup): AccuracyCase[] {
  const { alice } = world;
  const make =
    (group: AccuracyCase["group"]): Make =>
    (name, kind, { from = alice, to, data = "0x", value = 0n }) => ({
      name,
      group,
      kind,
      transaction: { from, to, data, value },
    });
  return [
    ...listTransfers(world, setup, make("honest"), make("hostile"), make("losing")),
    ...listApprovals(world, setup, make("honest"), make("hostile")),
    ...listSwaps(world, setup, make("honest"), make("hostile")),
    ...listPositions(world, setup, make("honest"), make("hostile")),
    ...listLending(world, setup, make("honest"), make("hostile")),
    ...listAccounts(world, setup, make("honest"), make("hostile")),
    ...listBaits(world, setup, make("hostile")),
    ...listOthers(world, setup, make("honest")),
  ];
}

function listTransfers(
  { devnet, alice, bob, thief }: AccuracyWorld,
  setup: Setup,
  honest: Make,
  hostile: Make,
  losing: Make,
): AccuracyCase[] {
  const {
    plainToken,
    erc721,
    erc1155,
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
  for (const dollars of [1, 25, 999, 40_000]) {
    cases.push(honest(`${dollars} USDC to bob`, "erc20", { to: USDC, data: transfer(bob, usd(dollars)) }));
    cases.push(
      honest(`${dollars} USDC to somebody new`, "erc20", {
        to: USDC,
        data: transfer(fresh(dollars), usd(dollars)),
      }),
    );
  }
  for (const amount of ["0.001", "0.5", "20"]) {
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
  void [erc721, erc1155];
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

function listApprovals(
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
    ["Permit2", PERMIT2],
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
  for (const amount of [1, 30])
    cases.push(
      honest(`Permit2 approval of ${amount} USDC to the Universal Router`, "approve", {
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

const v3Single = (tokenIn: Hex, tokenOut: Hex, recipient: Hex, amountIn: bigint, min: bigint) =>
  encode(
    "exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
    [{ tokenIn, tokenOut, fee: 500, recipient, amountIn, amountOutMinimum: min, sqrtPriceLimitX96: 0n }],
  );
const command = (types: string, values: readonly unknown[]) =>
  encodeAbiParameters(parseAbiParameters(types), values as never);
const run = (commands: Hex, inputs: readonly Hex[]) =>
  encode("execute(bytes c, bytes[] i, uint256 d)", [commands, inputs, soon()]);

/** The local pools hold 3,000 dollars an ether, less a little for fees. */
const wethFor = (dollars: number) => (parseEther("1") * BigInt(Math.round(dollars * 990))) / 3_000_000n;
const usdcFor = (ether: number) => usd(ether * 3000 * 0.985);

function listSwaps(
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
  for (const ether of [0.01, 0.1, 0.3]) {
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
  for (const dollars of [10, 100, 300]) {
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
  for (const dollars of [20, 150]) {
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

function listPositions(
  { devnet, alice, thief, bob }: AccuracyWorld,
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
  for (const dollars of [10, 100]) {
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
  for (const ether of ["0.5", "3"]) {
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
  void bob;
  return cases;
}

function listLending(
  { alice, thief, devnet }: AccuracyWorld,
  setup: Setup,
  honest: Make,
  hostile: Make,
): AccuracyCase[] {
  const cases: AccuracyCase[] = [];
  const { morpho } = devnet.contracts;
  const { marketParams } = devnet.lendingMarket as unknown as { marketParams?: object };
  const params = marketParams ?? devnet.lendingMarket;
  const market = "(address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) m";
  for (const amount of ["0.1", "1"]) {
    const collateral = parseEther(amount);
    const supply = (to: Hex) =>
      encode(`supplyCollateral(${market}, uint256 a, address o, bytes d)`, [params, collateral, to, "0x"]);
    const withdraw = (to: Hex) =>
      encode(`withdrawCollateral(${market}, uint256 a, address o, address r)`, [
        params,
        collateral / 100n,
        alice,
        to,
      ]);
    cases.push(
      honest(`Morpho: collateral of ${amount}`, "lending", { to: morpho as Hex, data: supply(alice) }),
    );
    cases.push(
      hostile(`Morpho: collateral of ${amount} for the thief`, "position", {
        to: morpho as Hex,
        data: supply(thief),
      }),
    );
    cases.push(
      honest(`Morpho: ${amount} hundredths of collateral back`, "lending", {
        to: morpho as Hex,
        data: withdraw(alice),
      }),
    );
    cases.push(
      hostile(`Morpho: ${amount} hundredths of collateral to the thief`, "position", {
        to: morpho as Hex,
        data: withdraw(thief),
      }),
    );
  }
  const { aave } = setup;
  if (!aave) return cases;
  for (const dollars of [10, 100, 900]) {
    const supply = (to: Hex) =>
      encode("supply(address a, uint256 m, address o, uint16 r)", [USDC, usd(dollars), to, 0]);
    const withdraw = (to: Hex) =>
      encode("withdraw(address a, uint256 m, address t)", [USDC, usd(dollars), to]);
    cases.push(honest(`Aave: ${dollars} USDC in`, "lending", { to: aave.pool, data: supply(alice) }));
    cases.push(
      hostile(`Aave: ${dollars} USDC in for the thief`, "position", { to: aave.pool, data: supply(thief) }),
    );
    cases.push(honest(`Aave: ${dollars} USDC out`, "lending", { to: aave.pool, data: withdraw(alice) }));
    cases.push(
      hostile(`Aave: ${dollars} USDC out to the thief`, "position", { to: aave.pool, data: withdraw(thief) }),
    );
  }
  for (const amount of ["0.01", "0.1"]) {
    cases.push(
      honest(`Aave: ${amount} WETH borrowed`, "lending", {
        to: aave.pool,
        data: encode("borrow(address a, uint256 m, uint256 r, uint16 c, address o)", [
          WETH,
          parseEther(amount),
          2n,
          0,
          alice,
        ]),
      }),
    );
    cases.push(
      honest(`Aave: ${amount} WETH repaid`, "lending", {
        to: aave.pool,
        data: encode("repay(address a, uint256 m, uint256 r, address o)", [
          WETH,
          parseEther(amount),
          2n,
          alice,
        ]),
      }),
    );
    cases.push(
      honest(`Aave gateway: ${amount} ETH in`, "lending", {
        to: aave.gateway,
        data: encode("depositETH(address p, address o, uint16 r)", [aave.pool, alice, 0]),
        value: parseEther(amount),
      }),
    );
    cases.push(
      hostile(`Aave gateway: ${amount} ETH in for the thief`, "position", {
        to: aave.gateway,
        data: encode("depositETH(address p, address o, uint16 r)", [aave.pool, thief, 0]),
        value: parseEther(amount),
      }),
    );
    cases.push(
      honest(`Aave: USDC as collateral, ${amount}`, "lending", {
        to: aave.pool,
        data: encode("setUserUseReserveAsCollateral(address a, bool u)", [USDC, true]),
      }),
    );
  }
  return cases;
}

const execTransaction = (owner: Hex, to: string, data: Hex, operation = 0, value = 0n) =>
  encode(
    "execTransaction(address t, uint256 v, bytes d, uint8 o, uint256 a, uint256 b, uint256 c, address g, address r, bytes s)",
    [to, value, data, operation, 0n, 0n, 0n, ZERO, ZERO, concat([pad(owner), pad("0x"), "0x01"])],
  );
const pack = (calls: readonly (readonly [string, bigint, Hex])[]) =>
  encode("multiSend(bytes t)", [
    concat(
      calls.map(([to, value, data]) =>
        encodePacked(
          ["uint8", "address", "uint256", "uint256", "bytes"],
          [0, to as Hex, value, BigInt(size(data)), data],
        ),
      ),
    ),
  ]);

function listAccounts(
  { devnet, alice, bob, thief }: AccuracyWorld,
  setup: Setup,
  honest: Make,
  hostile: Make,
): AccuracyCase[] {
  const { swapRouter02 } = devnet.contracts;
  const cases: AccuracyCase[] = [];
  for (const [version, safe] of Object.entries(setup.safes)) {
    const run = (to: string, data: Hex, operation = 0, value = 0n) => ({
      to: safe,
      data: execTransaction(alice, to, data, operation, value),
    });
    const swap = (to: Hex) => v3Single(USDC, WETH, to, usd(30), wethFor(30));
    cases.push(honest(`Safe ${version}: 20 USDC to bob`, "safe", run(USDC, transfer(bob, usd(20)))));
    cases.push(honest(`Safe ${version}: 0.1 ETH to bob`, "safe", run(bob, "0x", 0, parseEther("0.1"))));
    cases.push(
      honest(
        `Safe ${version}: approve and swap`,
        "safe",
        run(
          MULTI_SEND,
          pack([
            [USDC, 0n, approve(swapRouter02, usd(30))],
            [swapRouter02, 0n, swap(safe)],
          ]),
          1,
        ),
      ),
    );
    cases.push(
      honest(
        `Safe ${version}: approve 5 USDC to the router`,
        "safe",
        run(USDC, approve(swapRouter02, usd(5))),
      ),
    );
    cases.push(
      honest(
        `Safe ${version}: bob as second owner`,
        "safe",
        run(safe, encode("addOwnerWithThreshold(address o, uint256 t)", [bob, 1n])),
      ),
    );
    cases.push(
      honest(`Safe ${version}: wrap ether`, "safe", run(WETH, encode("deposit()"), 0, parseEther("1"))),
    );
    cases.push(
      hostile(
        `Safe ${version}: the thief as second owner`,
        "control",
        run(safe, encode("addOwnerWithThreshold(address o, uint256 t)", [thief, 1n])),
      ),
    );
    cases.push(
      hostile(
        `Safe ${version}: the thief as only owner`,
        "control",
        run(safe, encode("swapOwner(address p, address o, address n)", [MSG_SENDER, alice, thief])),
      ),
    );
    cases.push(
      hostile(
        `Safe ${version}: an unknown module`,
        "control",
        run(safe, encode("enableModule(address m)", [setup.bait])),
      ),
    );
    cases.push(
      hostile(
        `Safe ${version}: an unknown fallback handler`,
        "control",
        run(safe, encode("setFallbackHandler(address h)", [setup.bait])),
      ),
    );
    cases.push(
      hostile(`Safe ${version}: delegatecall to a drainer`, "control", run(setup.bait, encode("claim()"), 1)),
    );
    cases.push(
      hostile(
        `Safe ${version}: approve everything to the thief`,
        "batch",
        run(USDC, approve(thief, maxUint256)),
      ),
    );
    cases.push(
      hostile(
        `Safe ${version}: a transfer and a hidden approval`,
        "batch",
        run(
          MULTI_SEND,
          pack([
            [USDC, 0n, transfer(bob, usd(1))],
            [USDC, 0n, approve(thief, maxUint256)],
          ]),
          1,
        ),
      ),
    );
    cases.push(
      hostile(
        `Safe ${version}: approve and swap for the thief`,
        "batch",
        run(
          MULTI_SEND,
          pack([
            [USDC, 0n, approve(swapRouter02, usd(30))],
            [swapRouter02, 0n, swap(thief)],
          ]),
          1,
        ),
      ),
    );
    cases.push(
      hostile(`Safe ${version}: 25 USDC to the router`, "losing", run(USDC, transfer(swapRouter02, usd(25)))),
    );
  }
  for (const [version, account] of Object.entries(setup.accounts)) {
    const run = (to: string, data: Hex, value = 0n) => ({
      to: account,
      data: encode("execute(address t, uint256 v, bytes d)", [to, value, data]),
    });
    cases.push(honest(`account ${version}: 20 USDC to bob`, "account", run(USDC, transfer(bob, usd(20)))));
    cases.push(honest(`account ${version}: 0.1 ETH to bob`, "account", run(bob, "0x", parseEther("0.1"))));
    cases.push(
      honest(
        `account ${version}: approve 5 USDC to the router`,
        "account",
        run(USDC, approve(swapRouter02, usd(5))),
      ),
    );
    cases.push(
      hostile(
        `account ${version}: approve everything to the thief`,
        "batch",
        run(USDC, approve(thief, maxUint256)),
      ),
    );
    cases.push(
      hostile(`account ${version}: its code replaced by a sweeper`, "control", {
        to: account,
        data: encode("upgradeToAndCall(address i, bytes d)", [setup.sweeper, "0x"]),
      }),
    );
    const entryPoint = ENTRY_POINTS[version as keyof typeof ENTRY_POINTS];
    cases.push(
      honest(`EntryPoint ${version}: deposit for one's account`, "account", {
        to: entryPoint,
        data: encode("depositTo(address a)", [account]),
        value: parseEther("0.01"),
      }),
    );
    cases.push(
      hostile(`EntryPoint ${version}: deposit for the thief`, "position", {
        to: entryPoint,
        data: encode("depositTo(address a)", [thief]),
        value: parseEther("0.5"),
      }),
    );
  }
  const own = setup.delegatedAccount;
  if (own) {
    const batch = (calls: readonly (readonly [string, Hex])[]) => ({
      from: own,
      to: own,
      data: encode("executeBatch((address target, uint256 value, bytes data)[] c)", [
        calls.map(([target, data]) => ({ target, value: 0n, data })),
      ]),
    });
    cases.push(
      honest(
        "delegated account: transfer and approve",
        "account",
        batch([
          [USDC, transfer(bob, usd(3))],
          [USDC, approve(swapRouter02, usd(5))],
        ]),
      ),
    );
    cases.push(
      honest(
        "delegated account: approve and swap",
        "account",
        batch([
          [USDC, approve(swapRouter02, usd(30))],
          [swapRouter02, v3Single(USDC, WETH, own, usd(30), wethFor(30))],
        ]),
      ),
    );
    cases.push(
      hostile(
        "delegated account: a hidden approval",
        "batch",
        batch([
          [USDC, transfer(bob, usd(3))],
          [USDC, approve(thief, maxUint256)],
        ]),
      ),
    );
    cases.push(
      hostile(
        "delegated account: swap for the thief",
        "batch",
        batch([
          [USDC, approve(swapRouter02, usd(30))],
          [swapRouter02, v3Single(USDC, WETH, thief, usd(30), wethFor(30))],
        ]),
      ),
    );
  }
  return cases;
}

function listBaits(
  { alice, carol, thief, devnet }: AccuracyWorld,
  setup: Setup,
  hostile: Make,
): AccuracyCase[] {
  const cases: AccuracyCase[] = [];
  const { bait } = setup;
  for (const ether of ["0.02", "0.5", "2"]) {
    const value = parseEther(ether);
    for (const name of ["claim()", "claimRewards()", "SecurityUpdate()", "connect()"])
      cases.push(hostile(`${name} with ${ether} ETH`, "bait", { to: bait, data: encode(name), value }));
    cases.push(
      hostile(`verifyWallet with ${ether} ETH`, "bait", {
        to: bait,
        data: encode("verifyWallet(bytes32 b)", [toHex(1n, { size: 32 })]),
        value,
      }),
    );
    cases.push(
      hostile(`mint(1) that mints nothing, ${ether} ETH`, "bait", {
        to: bait,
        data: encode("mint(uint256 n)", [1n]),
        value,
      }),
    );
    cases.push(
      hostile(`deposit() for a worthless token, ${ether} ETH`, "bait", {
        to: setup.baitToken,
        data: encode("deposit()"),
        value,
      }),
    );
    cases.push(
      hostile(`execute() of a bait, ${ether} ETH`, "bait", {
        to: bait,
        data: encode("execute(address t, uint256 v, bytes d)", [alice, value, "0x"]),
        value,
      }),
    );
  }
  for (const dollars of [50, 5000]) {
    cases.push(
      hostile(`deposit of ${dollars} USDC that goes to the thief`, "bait", {
        to: bait,
        data: encode("deposit(uint256 a, address t)", [usd(dollars), USDC]),
      }),
    );
    cases.push(
      hostile(`stake of ${dollars} USDC that is kept`, "bait", {
        to: bait,
        data: encode("stake(address t, uint256 a)", [USDC, usd(dollars)]),
      }),
    );
    cases.push(
      hostile(`a worthless token for ${dollars} USDC`, "bait", {
        to: setup.baitToken,
        data: encode("buy(address t, uint256 a)", [USDC, usd(dollars)]),
      }),
    );
  }
  cases.push(
    hostile("an airdrop that takes all USDC of carol", "bait", {
      from: carol,
      to: bait,
      data: encode("claimAirdrop(address t)", [USDC]),
    }),
  );
  cases.push(
    hostile("an airdrop that takes all USDC of alice", "bait", {
      to: bait,
      data: encode("claimAirdrop(address t)", [USDC]),
    }),
  );
  cases.push(
    hostile("an airdrop that takes all WETH of alice", "bait", {
      to: bait,
      data: encode("claimAirdrop(address t)", [WETH]),
    }),
  );
  cases.push(
    hostile("a migration of everything", "bait", {
      to: bait,
      data: encode("migrate(address[] t)", [[USDC, WETH]]),
    }),
  );
  cases.push(
    hostile("a proxy's ownership to the thief", "control", {
      to: setup.ownedProxy,
      data: encode("transferProxyOwnership(address n)", [thief]),
    }),
  );
  cases.push(
    hostile("a proxy's ownership to the thief by an unknown function", "control", {
      to: setup.ownedProxy,
      data: encode("handOver(address n)", [thief]),
    }),
  );
  void devnet;
  return cases;
}

function listOthers({ alice, devnet }: AccuracyWorld, setup: Setup, honest: Make): AccuracyCase[] {
  const { multicall3, uniswapV2Router } = devnet.contracts;
  const cases: AccuracyCase[] = [];
  for (const note of [1n, 2n, 77n])
    cases.push(
      honest(`a note ${note} in an unknown book`, "other", {
        to: setup.book,
        data: encode("write(bytes32 n)", [toHex(note, { size: 32 })]),
      }),
    );
  cases.push(honest("a free item", "nft", { to: setup.collection, data: encode("claimFree()") }));
  for (const count of [1n, 2n])
    cases.push(
      honest(`${count} items for 0.01 ETH each`, "nft", {
        to: setup.collection,
        data: encode("mint(address t, uint256 n)", [alice, count]),
        value: parseEther("0.01") * count,
      }),
    );
  cases.push(
    honest("balances through Multicall3", "other", {
      to: multicall3 as Hex,
      data: encode("aggregate3((address t, bool f, bytes d)[] c)", [
        [USDC, WETH].map((t) => ({ t, f: false, d: encode("balanceOf(address a)", [alice]) })),
      ]),
    }),
  );
  const suffix = `${toHex("baseapp").slice(2)}070080218021802180218021802180218021` as const;
  cases.push(
    honest("1 USDC with a builder code", "other", { to: USDC, data: `${transfer(alice, 1n)}${suffix}` }),
  );
  cases.push(
    honest("approve to the router with a builder code", "other", {
      to: USDC,
      data: `${approve(uniswapV2Router, usd(3))}${suffix}`,
    }),
  );
  if (setup.merkle)
    cases.push(
      honest("a claim from a Merkle distributor", "other", {
        to: setup.merkle,
        data: encode("claim(uint256 i, address a, uint256 m, bytes32[] p)", [0n, alice, 7_000_000n, []]),
      }),
    );
  if (setup.universalRouter)
    cases.push(
      honest("an attestation", "other", {
        to: "0x4200000000000000000000000000000000000020",
        data: encode("register(string s, address r, bool v)", ["bool ok", ZERO, true]),
      }),
    );
  void EAS;
  return cases;
}
