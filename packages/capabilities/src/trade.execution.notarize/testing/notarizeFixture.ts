import type { Chain } from "@assay/chain";
import { createChain } from "@assay/chain";
import { devnetChain } from "@assay/chain/testing/devnetChain";
import { type FaultyNode, startFaultyNode } from "@assay/chain/testing/faultyNode";
import { lowercase } from "@assay/chain/testing/lowercase";
import type { Devnet } from "@assay/devnet";
import { borrowDevnet, type LentDevnet } from "@assay/devnet/testing/sharedDevnet";
import { AssayError, type Hex } from "@assay/protocol";
import { encodeFunctionData, erc20Abi, maxUint256, parseEther, type TransactionSerializable } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll } from "vitest";
import { baseSwapRouters } from "../../shared/swaps/swapRouters.js";
import { createGatherContext } from "../../testing/createGatherContext.js";
import { runCapability } from "../../testing/runCapability.js";
import type { Transaction } from "../../testing/swapOrders.js";
import { gatherer } from "../gather/gather.js";
import { rule } from "../rule.js";

const tradeExecutionNotarize = { ...rule, ...gatherer };

export interface Sending {
  readonly to?: Hex;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly gas?: bigint;
  /** More fields of the transaction, such as another type. */
  readonly more?: Partial<TransactionSerializable>;
}

/**
 * A local chain on which alice and bob sign for themselves, a node in front of it that can misbehave, and a client of
 * it.
 */
export function useNotarizeFixture() {
  let lent: LentDevnet;
  let devnet: Devnet;
  let node: FaultyNode;
  let chain: Chain;
  const nonces = new Map<string, number>();

  beforeAll(async () => {
    lent = await borrowDevnet();
    devnet = lent.devnet;
    node = await fixture.openNode();
    chain = await createChain({ rpcUrls: [node.url], expectedChainId: 8453 });
    await prepareHoldings();
  }, 60_000);
  afterAll(async () => {
    await chain?.close();
    await node?.close();
    await lent?.release();
  });

  /** alice holds every token and lets both routers take them. */
  async function prepareHoldings(): Promise<void> {
    const { alice, contracts, send } = fixture;
    const deployer = lowercase(devnet.deployer.address);
    await devnet.request("hardhat_impersonateAccount", [deployer]);
    for (const token of [contracts.plainToken, contracts.taxedToken]) {
      const args = [alice.address, parseEther("100000")] as const;
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
      await devnet.request("eth_sendTransaction", [{ from: deployer, to: token, data, gas: "0x7a1200" }]);
    }
    for (const token of [contracts.plainToken, contracts.taxedToken, contracts.stablecoin, contracts.weth]) {
      for (const router of [contracts.uniswapV2Router, contracts.swapRouter02]) {
        const data = encodeFunctionData({
          abi: erc20Abi,
          functionName: "approve",
          args: [router, maxUint256],
        });
        await send(alice, { to: token, data });
      }
    }
    await send(alice, { to: contracts.weth, data: "0xd0e30db0", value: parseEther("100") });
  }

  const accountAt = (index: number): PrivateKeyAccount =>
    privateKeyToAccount(devnet.accounts[index]?.privateKey as Hex);

  const fixture = {
    get devnet() {
      return devnet;
    },
    get node() {
      return node;
    },
    get chain() {
      return chain;
    },
    get alice() {
      return accountAt(0);
    },
    get bob() {
      return accountAt(1);
    },
    get contracts() {
      return devnet.contracts as Record<keyof Devnet["contracts"], Hex>;
    },

    openNode: (): Promise<FaultyNode> => startFaultyNode(devnetChain(devnet)),

    /** Really signs and sends it, whether or not it will fail. */
    async send(
      from: PrivateKeyAccount,
      { to, data, value, gas = 3_000_000n, more = {} }: Sending,
    ): Promise<Hex> {
      const known = nonces.get(from.address);
      const counted = await devnet.request<Hex>("eth_getTransactionCount", [from.address, "pending"]);
      const nonce = Math.max(known ?? 0, Number(counted));
      nonces.set(from.address, nonce + 1);
      const raw = await from.signTransaction({
        chainId: 8453,
        nonce,
        gas,
        ...(to && { to }),
        ...(data && { data }),
        ...(value !== undefined && { value }),
        ...("gasPrice" in more ? {} : { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }),
        ...(more as object),
      } as TransactionSerializable);
      return devnet.request<Hex>("eth_sendRawTransaction", [raw]);
    },

    sendSwap: ({ to, data, value }: Transaction, from: PrivateKeyAccount = accountAt(0)): Promise<Hex> =>
      fixture.send(from, { to, data, value: BigInt(value) }),

    /** All of these in one block. */
    async sendTogether(sendings: readonly (() => Promise<Hex>)[]): Promise<Hex[]> {
      await devnet.request("evm_setAutomine", [false]);
      const hashes: Hex[] = [];
      for (const sending of sendings) hashes.push(await sending());
      await devnet.request("evm_setAutomine", [true]);
      await devnet.mine();
      return hashes;
    },

    setCode: (address: Hex, code: Hex) => devnet.request("hardhat_setCode", [address, code]),

    /** Runs the capability as the service does; an error stands for the answer that there is none. */
    async notarize(txHash: Hex, through: Chain = chain) {
      // The first ends a poll that may be under way and is about an older block.
      await through.latestBlock();
      const block = await through.latestBlock();
      const context = Object.assign(createGatherContext(through, block), { swapRouters: baseSwapRouters });
      const input = { txHash };
      const result = await runCapability(tradeExecutionNotarize, context, input);
      return { ...result, input, ttlSeconds: result.gathered.ttlSeconds };
    },

    /** The code of the error, where there is one. */
    errorOf: (attempt: Promise<unknown>): Promise<string> =>
      attempt.then(
        () => "none",
        (error) => {
          if (error instanceof AssayError) return error.code;
          throw error;
        },
      ),
  };
  return fixture;
}
