import { createRequire } from "node:module";
import type { Hex } from "@assay/protocol";
import { encodePacked, keccak256, maxUint160, maxUint256, parseEther, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type AaveMarket, installAave } from "./aaveMarket.js";
import { type AccuracyWorld, encode, sample } from "./accuracyWorld.js";

export const USDC: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
export const WETH: Hex = "0x4200000000000000000000000000000000000006";
export const PERMIT2: Hex = "0x000000000022d473030f116ddee9f6b43ac78ba3";
export const UNIVERSAL_ROUTER: Hex = "0x6ff5693b99212da76ad316178a184ab56d299b43";
export const MULTI_SEND: Hex = "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526";
export const ENTRY_POINTS = {
  "0.6": "0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789",
  "0.7": "0x0000000071727de22e5e9d8baf0edac6f37da032",
  "0.8": "0x4337084d9e255ff0702461cf8895ce9e3b5ff108",
} as const;
export const EAS: Hex = "0x4200000000000000000000000000000000000021";
const require = createRequire(import.meta.url);
const ZERO: Hex = "0x0000000000000000000000000000000000000000";

/** Everything that cases refer to by name. */
export interface Setup {
  readonly vault: Hex;
  readonly staking: Hex;
  readonly collection: Hex;
  readonly book: Hex;
  readonly bait: Hex;
  readonly baitToken: Hex;
  readonly baitVault: Hex;
  readonly sweeper: Hex;
  readonly ownedProxy: Hex;
  readonly sweptAccount: Hex;
  readonly victim: Hex;
  readonly aave: AaveMarket | undefined;
  readonly safes: Readonly<Record<string, Hex>>;
  readonly accounts: Readonly<Record<string, Hex>>;
  readonly delegatedAccount: Hex | undefined;
  readonly merkle: Hex | undefined;
  readonly universalRouter: boolean;
  /** Calldata of payments that bob signed for carol (EIP-3009). */
  readonly authorizations: readonly Hex[];
  /** Alice's position in a concentrated pool. */
  readonly position: bigint;
}

/** Puts contracts and holdings in place. Without the packages only what the repository itself has. */
export async function setUp(world: AccuracyWorld): Promise<Setup> {
  const { devnet, alice, bob, carol, thief, deploy, send } = world;
  const { plainToken, uniswapV2Router, swapRouter02, positionManager, morpho } = devnet.contracts;
  const approve = (from: Hex, token: string, spender: string, amount = maxUint256) =>
    send({ from, to: token as Hex, data: encode("approve(address s, uint256 a)", [spender, amount]) });
  const { deployedBytecode } = require("@assay/contracts/out/SamplePermit2.json") as {
    deployedBytecode: Hex;
  };
  await devnet.request("hardhat_setCode", [PERMIT2, deployedBytecode]);
  const vault = await deploy(sample("PlainVault"), [USDC]);
  const staking = await deploy(sample("PlainStaking"), [USDC]);
  const collection = await deploy(sample("PlainCollection"));
  const book = await deploy(sample("PlainBook"));
  const bait = await deploy(sample("Bait"), [thief]);
  const baitToken = await deploy(sample("BaitToken"));
  const baitVault = await deploy(sample("BaitVault"), [USDC]);
  const sweeper = await deploy(sample("Sweeper"), [thief]);
  const ownedProxy = await deploy(sample("OwnedProxy"), [alice, book]);
  const [sweptAccount, victim]: [Hex, Hex] = [
    "0x00000000000000000000000000000000a11ce0aa",
    "0x00000000000000000000000000000000a11ce0bb",
  ];
  for (const account of [sweptAccount, victim])
    await devnet.request("hardhat_setCode", [account, `0xef0100${sweeper.slice(2)}`]);
  // Holdings, and payments of old.
  await send({ from: alice, to: WETH, data: encode("deposit()"), value: parseEther("500") });
  await send({
    to: plainToken as Hex,
    data: encode("transfer(address t, uint256 a)", [alice, parseEther("10000")]),
  });
  await send({ from: alice, to: USDC, data: encode("transfer(address t, uint256 a)", [bob, 5_000_000n]) });
  await send({ from: bob, to: USDC, data: encode("transfer(address t, uint256 a)", [alice, 1_000_000n]) });
  await send({
    from: alice,
    to: USDC,
    data: encode("transfer(address t, uint256 a)", [victim, 50_000_000n]),
  });
  await send({ from: bob, to: USDC, data: encode("approve(address s, uint256 a)", [alice, 20_000_000n]) });
  for (const token of [USDC, WETH, plainToken])
    for (const spender of [
      uniswapV2Router,
      swapRouter02,
      positionManager,
      vault,
      staking,
      baitVault,
      baitToken,
      bait,
      morpho,
    ])
      await approve(alice, token, spender);
  await approve(carol, USDC, bait);
  await send({
    from: alice,
    to: vault,
    data: encode("deposit(uint256 a, address r)", [500_000_000n, alice]),
  });
  await send({ from: alice, to: staking, data: encode("stake(uint256 a)", [300_000_000n]) });
  await send({ from: alice, to: collection, data: encode("claimFree()") });
  await send({ from: alice, to: collection, data: encode("claimFree()") });
  const authorizations = await signPayments(world);
  const position = await openPosition(world);
  const packaged = world.packages === undefined ? undefined : await setUpPackages(world);
  return {
    vault,
    staking,
    collection,
    book,
    bait,
    baitToken,
    baitVault,
    sweeper,
    ownedProxy,
    sweptAccount,
    victim,
    aave: packaged?.aave,
    safes: packaged?.safes ?? {},
    accounts: packaged?.accounts ?? {},
    delegatedAccount: packaged?.delegatedAccount,
    merkle: packaged?.merkle,
    universalRouter: packaged !== undefined,
    authorizations,
    position,
  };
}

async function signPayments({ devnet, bob, carol }: AccuracyWorld): Promise<Hex[]> {
  const account = devnet.accounts.find(({ name }) => name === "bob");
  if (account === undefined) throw new Error("bob has no key");
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 3600);
  return Promise.all(
    [1n, 3n, 10n].map(async (dollars) => {
      const message = {
        from: bob,
        to: carol,
        value: dollars * 1_000_000n,
        validAfter: 0n,
        validBefore,
        nonce: toHex(dollars, { size: 32 }),
      };
      const word = (name: string, type: string) => ({ name, type });
      const signature = await privateKeyToAccount(account.privateKey).signTypedData({
        domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: USDC },
        types: {
          TransferWithAuthorization: [
            word("from", "address"),
            word("to", "address"),
            word("value", "uint256"),
            word("validAfter", "uint256"),
            word("validBefore", "uint256"),
            word("nonce", "bytes32"),
          ],
        },
        primaryType: "TransferWithAuthorization",
        message,
      });
      return encode(
        "transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
        [...Object.values(message), signature],
      );
    }),
  );
}

/** A position of which a part is already owed, so that there is something to collect. */
async function openPosition({ devnet, alice, send, view }: AccuracyWorld): Promise<bigint> {
  const manager = devnet.contracts.positionManager as Hex;
  const deadline = 4_000_000_000n;
  await send({
    from: alice,
    to: manager,
    data: encode(
      "mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) params)",
      [
        {
          token0: WETH,
          token1: USDC,
          fee: 500,
          tickLower: -887270,
          tickUpper: 887270,
          amount0Desired: parseEther("0.1"),
          amount1Desired: 300_000_000n,
          amount0Min: 0n,
          amount1Min: 0n,
          recipient: alice,
          deadline,
        },
      ],
    ),
  });
  const id = BigInt(
    await view(manager, "tokenOfOwnerByIndex(address o, uint256 i) view returns (uint256)", [alice, 0n]),
  );
  await send({
    from: alice,
    to: manager,
    data: encode(
      "decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params)",
      [{ tokenId: id, liquidity: 1_000_000_000n, amount0Min: 0n, amount1Min: 0n, deadline }],
    ),
  });
  return id;
}

async function setUpPackages(world: AccuracyWorld) {
  const { alice, load, send, install } = world;
  const aave = await installAave(world);
  const approve = (from: Hex, token: Hex, spender: Hex) =>
    send({ from, to: token, data: encode("approve(address s, uint256 a)", [spender, maxUint256]) });
  await approve(alice, USDC, aave.pool);
  await approve(alice, WETH, aave.pool);
  await approve(alice, aave.aWeth, aave.gateway);
  await approve(aave.gateway, WETH, aave.pool).catch(() => undefined);
  const supply = (asset: Hex, amount: bigint) =>
    send({
      from: alice,
      to: aave.pool,
      data: encode("supply(address a, uint256 m, address o, uint16 r)", [asset, amount, alice, 0]),
    });
  await supply(USDC, 5_000_000_000n);
  await supply(WETH, parseEther("10"));
  await send({
    from: alice,
    to: aave.pool,
    data: encode("borrow(address a, uint256 m, uint256 r, uint16 c, address o)", [
      WETH,
      parseEther("0.2"),
      2n,
      0,
      alice,
    ]),
  });
  const safes = await installSafes(world);
  const { accounts, delegatedAccount } = await installAccounts(world);
  for (const account of [...Object.values(safes), ...Object.values(accounts), delegatedAccount]) {
    await send({
      from: alice,
      to: USDC,
      data: encode("transfer(address t, uint256 a)", [account, 2_000_000_000n]),
    });
    await send({ from: alice, to: account, value: parseEther("5") });
  }
  await installUniversalRouter(world);
  await install(
    EAS_REGISTRY,
    load(
      "@ethereum-attestation-service/eas-contracts/artifacts/contracts/SchemaRegistry.sol/SchemaRegistry.json",
    ),
  );
  await install(
    EAS,
    load("@ethereum-attestation-service/eas-contracts/artifacts/contracts/EAS.sol/EAS.json"),
    [EAS_REGISTRY],
  );
  // One leaf, whose hash is the root: nothing has to be proven.
  const root = keccak256(encodePacked(["uint256", "address", "uint256"], [0n, alice, 7_000_000n]));
  const merkle = await world.deploy(load("@uniswap/merkle-distributor/build/MerkleDistributor.json"), [
    USDC,
    root,
  ]);
  await send({
    from: alice,
    to: USDC,
    data: encode("transfer(address t, uint256 a)", [merkle, 100_000_000n]),
  });
  return { aave, safes, accounts, delegatedAccount, merkle };
}

const EAS_REGISTRY: Hex = "0x4200000000000000000000000000000000000020";

/** The router as published, with the local chain's pools and the repository's own sample of Permit2. */
async function installUniversalRouter({ load, install, devnet, alice, send }: AccuracyWorld): Promise<void> {
  const pair = (require("@uniswap/v2-core/build/UniswapV2Pair.json") as { bytecode: string }).bytecode;
  const pool = (
    require("@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json") as { bytecode: Hex }
  ).bytecode;
  const { uniswapV2Factory, uniswapV3Factory, poolManager, positionManager } = devnet.contracts;
  await install(
    UNIVERSAL_ROUTER,
    load("@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json"),
    [
      {
        permit2: PERMIT2,
        weth9: WETH,
        v2Factory: uniswapV2Factory,
        v3Factory: uniswapV3Factory,
        pairInitCodeHash: keccak256(pair.startsWith("0x") ? (pair as Hex) : `0x${pair}`),
        poolInitCodeHash: keccak256(pool),
        v4PoolManager: poolManager,
        v3NFTPositionManager: positionManager,
        v4PositionManager: positionManager,
        spokePool: ZERO,
      },
    ],
  );
  for (const token of [USDC, WETH]) {
    await send({
      from: alice,
      to: token,
      data: encode("approve(address s, uint256 a)", [PERMIT2, maxUint256]),
    });
    await send({
      from: alice,
      to: PERMIT2,
      data: encode("approve(address t, address s, uint160 a, uint48 e)", [
        token,
        UNIVERSAL_ROUTER,
        maxUint160,
        4_000_000_000,
      ]),
    });
  }
}

/** Safes of two versions that alice owns alone, made by the published factories' code. */
async function installSafes(world: AccuracyWorld): Promise<Record<string, Hex>> {
  const { alice, load, install, deploy, send } = world;
  const old = "@gnosis.pm/safe-contracts/build/artifacts/contracts";
  const now = "@safe-global/safe-contracts/build/artifacts/contracts";
  await install("0xd9db270c1b5e3bd161e8c8503c55ceabee709552", load(`${old}/GnosisSafe.sol/GnosisSafe.json`));
  await install("0x41675c099f32341bf84bfc5382af534df5c7461a", load(`${now}/Safe.sol/Safe.json`));
  await install("0x29fcb43b46531bca003ddc8fcb67ffe91900c762", load(`${now}/SafeL2.sol/SafeL2.json`));
  await install(MULTI_SEND, load(`${now}/libraries/MultiSend.sol/MultiSend.json`));
  const proxies = {
    "1.3.0": [
      "0xd9db270c1b5e3bd161e8c8503c55ceabee709552",
      `${old}/proxies/GnosisSafeProxy.sol/GnosisSafeProxy.json`,
    ],
    "1.4.1": ["0x41675c099f32341bf84bfc5382af534df5c7461a", `${now}/proxies/SafeProxy.sol/SafeProxy.json`],
    "L2 1.4.1": ["0x29fcb43b46531bca003ddc8fcb67ffe91900c762", `${now}/proxies/SafeProxy.sol/SafeProxy.json`],
  } as const;
  const safes: Record<string, Hex> = {};
  for (const [version, [singleton, path]] of Object.entries(proxies)) {
    const safe = await deploy(load(path), [singleton]);
    await send({
      to: safe,
      data: encode(
        "setup(address[] owners, uint256 threshold, address to, bytes data, address handler, address token, uint256 payment, address receiver)",
        [[alice], 1n, ZERO, "0x", ZERO, ZERO, 0n, ZERO],
      ),
    });
    safes[version] = safe;
  }
  return safes;
}

/** Accounts of ERC-4337's reference code that alice owns, behind the entry points at their addresses. */
async function installAccounts(world: AccuracyWorld) {
  const { alice, load, install, deploy, devnet, view, send } = world;
  const accounts: Record<string, Hex> = {};
  for (const [version, folder] of [
    ["0.6", "aa6"],
    ["0.7", "aa7"],
    ["0.8", "aa8"],
  ] as const) {
    const entryPoint = ENTRY_POINTS[version];
    await install(entryPoint, load(`${folder}/artifacts/EntryPoint.json`));
    if (version === "0.8") {
      const implementation = await deploy(load("aa8/artifacts/SimpleAccount.json"), [entryPoint]);
      const proxy = load("@openzeppelin/contracts/build/contracts/ERC1967Proxy.json");
      accounts[version] = await deploy(proxy, [implementation, encode("initialize(address o)", [alice])]);
      continue;
    }
    const factory = await deploy(load(`${folder}/artifacts/SimpleAccountFactory.json`), [entryPoint]);
    await send({ to: factory, data: encode("createAccount(address o, uint256 s)", [alice, 0n]) });
    const word = await view(factory, "getAddress(address o, uint256 s) view returns (address)", [alice, 0n]);
    accounts[version] = `0x${word.slice(-40)}`;
  }
  const delegate = await deploy(load("aa8/artifacts/Simple7702Account.json"));
  const delegatedAccount: Hex = "0x000000000000000000000000000000000de1e9a7";
  await devnet.request("hardhat_setCode", [delegatedAccount, `0xef0100${delegate.slice(2)}`]);
  return { accounts, delegatedAccount };
}
