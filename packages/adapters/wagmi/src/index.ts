import { type AllowPolicy, guardProvider, type WalletProvider } from "@assay/client";
import type { CreateConnectorFn } from "wagmi";

/**
 * The same connector, but its wallet is asked only for what is allowed. wagmi and viem report a refusal as
 * UserRejectedRequestError (EIP-1193, 4001); the `data` of its cause has verdict, reasons and the receipt.
 *
 * @example
 * const config = createConfig({ chains: [base], transports, connectors: [guardConnector(injected(), { assay })] });
 */
export function guardConnector<T extends CreateConnectorFn>(connector: T, policy: AllowPolicy): T {
  const create: CreateConnectorFn = (config) => {
    const inner = connector(config);
    const guarded = new WeakMap<object, WalletProvider>();
    return {
      ...inner,
      // One guarded provider for each of the wallet's: listeners are removed by the object that they were added to.
      async getProvider(parameters) {
        const provider = (await inner.getProvider(parameters)) as WalletProvider | undefined;
        if (!provider) return provider;
        const known = guarded.get(provider) ?? guardProvider(provider, policy);
        guarded.set(provider, known);
        return known;
      },
      // A client of the connector's own would go around the provider.
      getClient: undefined as never,
    };
  };
  return create as T;
}
