import { lowercase } from "@assay/chain/testing/lowercase";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseAbi,
  parseEther,
  toHex,
} from "viem";
import { loadSample, type SampleContract } from "./loadSample.js";

const SUPPLY = parseEther("1000000000");
/** What each side of a test's pool holds. */
const POOL_TOKENS = parseEther("1000000");
const POOL_ETHER = parseEther("100");

const routerAbi = parseAbi([
  "function addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)",
]);
const managerAbi = parseAbi([
  "function createAndInitializePoolIfNecessary(address,address,uint24,uint160) payable returns (address)",
  "function mint((address token0,address token1,uint24 fee,int24 tickLower,int24 tickUpper,uint256 amount0Desired,uint256 amount1Desired,uint256 amount0Min,uint256 amount1Min,address recipient,uint256 deadline)) payable",
]);
const factoryAbi = parseAbi(["function getPair(address,address) view returns (address)"]);

/** Chains that let the deployer send: they do until they are given back. */
const impersonating = new WeakSet<Devnet>();

/** Deploys and trades as the deployer of a local chain. */
export function createLauncher(devnet: Devnet) {
  const from = devnet.deployer.address;
  const { weth, stablecoin, uniswapV2Router, uniswapV2Factory, positionManager } = devnet.contracts;

  async function send(transaction: { to?: string; data: Hex; value?: Hex }): Promise<string> {
    if (!impersonating.has(devnet)) await devnet.request("hardhat_impersonateAccount", [from]);
    impersonating.add(devnet);
    const hash = await devnet.request<Hex>("eth_sendTransaction", [
      { from, gas: toHex(8_000_000), ...transaction },
    ]);
    const receipt = await devnet.request<{ status: Hex; contractAddress: string }>(
      "eth_getTransactionReceipt",
      [hash],
    );
    if (receipt.status !== "0x1") throw new Error(`the transaction to ${transaction.to ?? "create"} failed`);
    return receipt.contractAddress;
  }
  const call = (to: string, abi: Abi, functionName: string, args: readonly unknown[] = [], value = 0n) =>
    send({ to, data: encodeFunctionData({ abi, functionName, args }), value: toHex(value) });

  const create = async ({ abi, bytecode }: SampleContract, args: readonly unknown[] = []): Promise<Hex> =>
    lowercase(await send({ data: encodeDeployData({ abi, bytecode, args }) }));
  const deploy = (name: string, args: readonly unknown[] = []) => create(loadSample(name), args);

  return {
    send,
    call,
    create,
    deploy,
    /** Opens a pair with 1,000,000 tokens against 100 ether, or so many stablecoins. */
    async addPair(token: string, tokens = POOL_TOKENS, quote: string = weth, amount = POOL_ETHER) {
      for (const side of [token, quote]) await call(side, erc20Abi, "approve", [uniswapV2Router, maxUint256]);
      await call(uniswapV2Router, routerAbi, "addLiquidity", [
        token,
        quote,
        tokens,
        amount,
        0n,
        0n,
        from,
        maxUint256,
      ]);
      const data = encodeFunctionData({
        abi: factoryAbi,
        functionName: "getPair",
        args: [token as Hex, quote as Hex],
      });
      return lowercase(
        `0x${(await devnet.request<Hex>("eth_call", [{ to: uniswapV2Factory, data }, "latest"])).slice(-40)}`,
      );
    },
    /** Opens a concentrated pool over the whole range, one token for one unit of the quote token. */
    async addConcentrated(token: string, amount = POOL_ETHER, quote: string = weth): Promise<void> {
      for (const side of [token, quote]) await call(side, erc20Abi, "approve", [positionManager, maxUint256]);
      const [token0, token1] = lowercase(token) < lowercase(quote) ? [token, quote] : [quote, token];
      const pool = [token0, token1, 3000];
      await call(positionManager, managerAbi, "createAndInitializePoolIfNecessary", [...pool, 2n ** 96n]);
      await call(positionManager, managerAbi, "mint", [
        {
          token0,
          token1,
          fee: 3000,
          tickLower: -887_220,
          tickUpper: 887_220,
          amount0Desired: amount,
          amount1Desired: amount,
          amount0Min: 0n,
          amount1Min: 0n,
          recipient: from,
          deadline: maxUint256,
        },
      ]);
    },
    /** A token of a sample contract with a pair against ether. */
    async launch(name: string, ...args: readonly unknown[]): Promise<Hex> {
      const token = await deploy(name, [SUPPLY, ...args]);
      await this.addPair(token);
      return token;
    },
    /** The same as an honest launch leaves it: the pair's shares and the other tokens belong to nobody. */
    async launchForGood(name: string, ...args: readonly unknown[]): Promise<Hex> {
      const token = await deploy(name, [SUPPLY, ...args]);
      const pair = await this.addPair(token);
      for (const held of [pair, token]) await this.giveAway(held);
      return token;
    },
    /** Sends all that the deployer has of a token where nobody can take it from. */
    async giveAway(held: string): Promise<void> {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [from] });
      const balance = BigInt(await devnet.request<Hex>("eth_call", [{ to: held, data }, "latest"]));
      await call(held, erc20Abi, "transfer", ["0x000000000000000000000000000000000000dEaD", balance]);
    },
    stablecoin,
  };
}
