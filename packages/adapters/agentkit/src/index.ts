import {
  type AllowPolicy,
  type AssayTool,
  type Client,
  listTools,
  requireAllow,
  type ToolsOptions,
} from "@assay/client";
import { type Action, ActionProvider, EvmWalletProvider, type Network } from "@coinbase/agentkit";
import { type Hex, type TransactionRequest, toHex } from "viem";
import { z } from "zod";

type SignableText = string | Uint8Array | { readonly raw: Hex | Uint8Array };

/** What AgentKit's wallets send beside the judged call; a field that is not listed could change what happens. */
const UNJUDGED = [
  "gas",
  "nonce",
  "maxFeePerGas",
  "maxPriorityFeePerGas",
  "gasPrice",
  "type",
  "chainId",
  "from",
];

/**
 * A wallet provider that has everything judged before the wallet inside signs it. Throws GuardRefusedError, with the answer,
 * when something is not allowed. Actions that look for one class of wallet provider (`instanceof`) do not recognize it.
 *
 * @example
 * const walletProvider = guardWallet(new ViemWalletProvider(walletClient), { assay });
 * const agentKit = await AgentKit.from({ walletProvider, actionProviders: [assayActionProvider(assay), …] });
 */
export const guardWallet = (inner: EvmWalletProvider, policy: AllowPolicy): EvmWalletProvider =>
  new GuardedWalletProvider(inner, policy);

class GuardedWalletProvider extends EvmWalletProvider {
  readonly #inner: EvmWalletProvider;
  readonly #policy: AllowPolicy;

  constructor(inner: EvmWalletProvider, policy: AllowPolicy) {
    super();
    this.#inner = inner;
    this.#policy = policy;
  }
  getAddress = () => this.#inner.getAddress();
  getNetwork = () => this.#inner.getNetwork();
  getName = () => `assay_${this.#inner.getName()}`;
  getBalance = () => this.#inner.getBalance();
  getPublicClient = () => this.#inner.getPublicClient();
  waitForTransactionReceipt = (hash: Hex) => this.#inner.waitForTransactionReceipt(hash);
  readContract: EvmWalletProvider["readContract"] = (parameters) => this.#inner.readContract(parameters);
  async sendTransaction(transaction: TransactionRequest): Promise<Hex> {
    return this.#inner.sendTransaction(await this.#judgeTransaction(transaction));
  }
  async signTransaction(transaction: TransactionRequest): Promise<Hex> {
    return this.#inner.signTransaction(await this.#judgeTransaction(transaction));
  }
  async nativeTransfer(to: string, value: string): Promise<string> {
    const hash = await this.sendTransaction({ to: to as Hex, value: BigInt(value) });
    await this.waitForTransactionReceipt(hash);
    return hash;
  }
  async signTypedData(typedData: never): Promise<Hex> {
    const judged = structuredClone(typedData);
    await this.#judgeMessage({ typedData: judged });
    return this.#inner.signTypedData(judged);
  }
  async signMessage(message: SignableText): Promise<Hex> {
    const text = typeof message === "object" && "raw" in message ? message.raw : message;
    const personalMessage = typeof text === "string" ? text : toHex(text);
    await this.#judgeMessage({ personalMessage });
    return this.#inner.signMessage(personalMessage);
  }
  async sign(): Promise<Hex> {
    throw new TypeError(
      "A bare hash says nothing about what it authorizes: sign the message or the document.",
    );
  }

  async #judgeTransaction(request: TransactionRequest): Promise<TransactionRequest> {
    const { to, data = "0x", value = 0n, ...rest } = request;
    const other = Object.entries(rest).find(([name, one]) => one !== undefined && !UNJUDGED.includes(name));
    if (other) throw new TypeError(`No guard evaluates ${other[0]} of a transaction.`);
    await requireAllow(
      { transaction: { from: this.getAddress() as Hex, to: to as Hex, data, value } },
      this.#policy,
    );
    return { ...rest, to, data, value } as TransactionRequest;
  }
  async #judgeMessage(message: object): Promise<void> {
    await requireAllow({ message, signer: this.getAddress() as Hex }, this.#policy);
  }
}

/** Assay's capabilities as actions: the model asks, the client pays and verifies. */
export const assayActionProvider = (assay: Pick<Client, "call">, options?: ToolsOptions): ActionProvider =>
  new AssayActionProvider(listTools(assay, options));

class AssayActionProvider extends ActionProvider {
  readonly #tools: readonly AssayTool[];

  constructor(tools: readonly AssayTool[]) {
    super("assay", []);
    this.#tools = tools;
  }
  supportsNetwork = ({ chainId, networkId }: Network) => chainId === "8453" || networkId === "base-mainnet";
  override getActions(): Action[] {
    return this.#tools.map(({ name, description, inputSchema, run }) => ({
      name: `AssayActionProvider_${name}`,
      description,
      schema: toZod(inputSchema),
      invoke: async (input) => (await run(input)).text,
    }));
  }
}

function toZod({ properties, required = [] }: AssayTool["inputSchema"]): z.ZodSchema {
  const fields = Object.entries(properties).map(([name, { description = name }]) => {
    const text = z.string().describe(description);
    return [name, required.includes(name) ? text : text.optional()] as const;
  });
  return z.object(Object.fromEntries(fields));
}
