import { EdrContext, GENERIC_CHAIN_TYPE, genericChainProviderFactory } from "@nomicfoundation/edr";

let shared: Promise<EdrContext> | undefined;

/** EDR allows one context per process, whatever the number of chains, which share nothing else. */
export function getEvmContext(): Promise<EdrContext> {
  shared ??= (async () => {
    const context = new EdrContext();
    await context.registerProviderFactory(GENERIC_CHAIN_TYPE, genericChainProviderFactory());
    return context;
  })();
  return shared;
}
