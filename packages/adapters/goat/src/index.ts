import {
  type AllowPolicy,
  type AssayTool,
  type Client,
  listTools,
  requireAllow,
  type ToolsOptions,
} from "@assay/client";
import { type Chain, createTool, PluginBase, type ToolBase } from "@goat-sdk/core";
import {
  type EVMReadRequest,
  type EVMTransaction,
  type EVMTypedData,
  EVMWalletClient,
  type EVMWalletClientCtorParams,
} from "@goat-sdk/wallet-evm";
import { encodeFunctionData, type Hex, stringToHex } from "viem";
import { z } from "zod";

/** `tokens` and `enableSend` as for the wallet inside, which keeps its own to itself. */
export interface GuardWalletOptions extends AllowPolicy, EVMWalletClientCtorParams {}

/**
 * A wallet that has everything judged before the wallet inside signs it, for every plugin that is given it. Throws
 * GuardRefusedError, with the answer, when something is not allowed.
 *
 * @example
 * const wallet = guardWallet(viem(walletClient), { assay });
 * const tools = await getOnChainTools({ wallet, plugins: [assayPlugin(assay), …] });
 */
export const guardWallet = (inner: EVMWalletClient, options: GuardWalletOptions): EVMWalletClient =>
  new GuardedWallet(inner, options);

class GuardedWallet extends EVMWalletClient {
  readonly #inner: EVMWalletClient;
  readonly #policy: AllowPolicy;

  constructor(inner: EVMWalletClient, { tokens, enableSend, ...policy }: GuardWalletOptions) {
    super({ ...(tokens && { tokens }), ...(enableSend !== undefined && { enableSend }) });
    this.#inner = inner;
    this.#policy = policy;
  }
  getAddress = () => this.#inner.getAddress();
  getChain = () => this.#inner.getChain();
  getNativeBalance = () => this.#inner.getNativeBalance();
  read = (request: EVMReadRequest) => this.#inner.read(request);

  async sendTransaction(transaction: EVMTransaction): Promise<{ hash: string }> {
    const { to, abi, functionName, args, value = 0n, options, data: given = "0x" } = transaction;
    if (options?.paymaster) throw new TypeError("No guard evaluates a paymaster of a transaction.");
    const data = abi ? encodeFunctionData({ abi, functionName, args } as never) : given;
    const judged = { to: to as Hex, data, value };
    await requireAllow({ transaction: { from: this.getAddress() as Hex, ...judged } }, this.#policy);
    // As bytes: what was judged is what is sent.
    return this.#inner.sendTransaction(judged);
  }
  async signMessage(message: string): Promise<{ signature: string }> {
    // GOAT's wallets sign the characters of a text, also where it begins with 0x.
    await this.#judgeMessage({ personalMessage: stringToHex(message) });
    return this.#inner.signMessage(message);
  }
  async signTypedData(typedData: EVMTypedData): Promise<{ signature: string }> {
    const judged = structuredClone(typedData);
    await this.#judgeMessage({ typedData: judged as never });
    return this.#inner.signTypedData(judged);
  }
  async #judgeMessage(message: object): Promise<void> {
    await requireAllow({ message, signer: this.getAddress() as Hex }, this.#policy);
  }
}

/** Assay's capabilities as tools: the model asks, the client pays and verifies. */
export const assayPlugin = (assay: Pick<Client, "call">, options?: ToolsOptions): PluginBase =>
  new AssayPlugin(listTools(assay, options));

class AssayPlugin extends PluginBase {
  readonly #tools: readonly AssayTool[];

  constructor(tools: readonly AssayTool[]) {
    super("assay", []);
    this.#tools = tools;
  }
  supportsChain = (chain: Chain) => chain.type === "evm" && chain.id === 8453;
  override getTools(): ToolBase[] {
    return this.#tools.map(({ name, description, inputSchema, run }) =>
      createTool(
        { name, description, parameters: toZod(inputSchema) },
        async (input) => (await run(input)).text,
      ),
    );
  }
}

function toZod({ properties, required = [] }: AssayTool["inputSchema"]): z.ZodSchema {
  const fields = Object.entries(properties).map(([name, { description = name }]) => {
    const text = z.string().describe(description);
    return [name, required.includes(name) ? text : text.optional()] as const;
  });
  return z.object(Object.fromEntries(fields));
}
