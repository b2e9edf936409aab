import { createConfig, createStorage, custom } from "wagmi";
import { base } from "wagmi/chains";
import { dropFromBrowser, findInBrowser, keepInBrowser } from "../service/keepInBrowser.js";

/**
 * Wallets of the browser announce themselves (EIP-6963); no other kind is offered, so that no request goes to any other
 * host. Nothing is read from a chain here: answers of the service are checked by their proofs.
 */
export const walletConfig = createConfig({
  chains: [base],
  multiInjectedProviderDiscovery: true,
  // Which wallet was connected last. wagmi's own storage throws where a browser forbids storage.
  storage: createStorage({
    storage: { getItem: findInBrowser, setItem: keepInBrowser, removeItem: dropFromBrowser },
  }),
  transports: {
    [base.id]: custom({
      async request() {
        throw new Error("The console asks no node of its own.");
      },
    }),
  },
});
