import { createRequire } from "node:module";
import { lowercase } from "@assay/chain/testing/lowercase";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { type Abi, encodeDeployData, encodeFunctionData, erc20Abi, maxUint256, toHex } from "viem";
import { type MarketParams, marketIdOf } from "../morphoLayout.js";

export interface Sample {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
}
export const loadSample = (name: string) =>
  createRequire(import.meta.url)(`@assay/contracts/out/${name}.json`) as Sample;

export const morphoArtifact = loadSample("Morpho");
/** What the scale of a feed oracle must be for a loan token of 6 places and collateral of 18, feeds of 8 each. */
export const SCALE = 10n ** 24n;

interface Receipt {
  readonly status: Hex;
  readonly contractAddress: string;
}

/** Deploys, opens markets and fills them as the deployer of a local chain, who owns Morpho. */
export function createLender(devnet: Devnet) {
  const deployer = lowercase(devnet.deployer.address);
  const morpho = lowercase(devnet.contracts.morpho);

  /** Mines it; the caller checks whether it failed. */
  async function trySend(transaction: { from?: string; to?: string; data: Hex }): Promise<Receipt> {
    const { from = deployer } = transaction;
    const hash = await devnet.request<Hex>("eth_sendTransaction", [
      { gas: toHex(8_000_000), ...transaction, from },
    ]);
    return devnet.request<Receipt>("eth_getTransactionReceipt", [hash]);
  }
  async function send(transaction: { from?: string; to?: string; data: Hex }): Promise<Receipt> {
    const receipt = await trySend(transaction);
    if (receipt.status !== "0x1") throw new Error(`the transaction to ${transaction.to ?? "create"} failed`);
    return receipt;
  }
  const call = (to: string, abi: Abi, functionName: string, args: readonly unknown[] = [], from = deployer) =>
    send({ from, to, data: encodeFunctionData({ abi, functionName, args }) });
  const onMorpho = (functionName: string, args: readonly unknown[], from = deployer) =>
    call(morpho, morphoArtifact.abi, functionName, args, from);
  async function isEnabled(functionName: "isIrmEnabled" | "isLltvEnabled", what: Hex | bigint) {
    const data = encodeFunctionData({ abi: morphoArtifact.abi, functionName, args: [what] });
    return BigInt(await devnet.request<Hex>("eth_call", [{ to: morpho, data }, "latest"])) === 1n;
  }

  return {
    deployer,
    morpho,
    trySend,
    call,
    onMorpho,
    async start() {
      await devnet.request("hardhat_impersonateAccount", [deployer]);
    },
    async deploy(name: string, args: readonly unknown[] = []): Promise<Hex> {
      const { abi, bytecode } = loadSample(name);
      return lowercase((await send({ data: encodeDeployData({ abi, bytecode, args }) })).contractAddress);
    },
    /** Opens a market, enabling its interest model and its limit where that is still to be done. */
    async createMarket(params: MarketParams): Promise<Hex> {
      const { irm, lltv } = params;
      if (!(await isEnabled("isIrmEnabled", irm))) await onMorpho("enableIrm", [irm]);
      if (!(await isEnabled("isLltvEnabled", lltv))) await onMorpho("enableLltv", [lltv]);
      await onMorpho("createMarket", [params]);
      for (const token of [params.loanToken, params.collateralToken])
        await call(token, erc20Abi, "approve", [morpho, maxUint256]);
      return marketIdOf(params);
    },
    supply: (params: MarketParams, assets: bigint) =>
      onMorpho("supply", [params, assets, 0n, deployer, "0x"]),
    addCollateral: (params: MarketParams, assets: bigint, user: Hex) =>
      onMorpho("supplyCollateral", [params, assets, user, "0x"]),
    encodeBorrow: (params: MarketParams, assets: bigint, user: Hex): Hex =>
      encodeFunctionData({
        abi: morphoArtifact.abi,
        functionName: "borrow",
        args: [params, assets, 0n, user, user],
      }),
    borrow: (params: MarketParams, assets: bigint, user: Hex) =>
      onMorpho("borrow", [params, assets, 0n, user, user], user),
  };
}

export type Lender = ReturnType<typeof createLender>;
