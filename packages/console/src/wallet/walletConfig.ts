import { createConfig, custom } from "wagmi";
import { base } from "wagmi/chains";

/**
 * Wallets of the browser announce themselves (EIP-6963); no other kind is offered, so that no request leaves for any other
 * host. Nothing is read from a chain here: the service's word is checked by its proofs.
 */
export const walletConfig = createConfig({
  chains: [base],
  multiInjectedProviderDiscovery: true,
  transports: {
    [base.id]: custom({
      async request() {
        throw new Error("The console asks no node of its own.");
      },
    }),
  },
});
