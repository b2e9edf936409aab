import { EXAMPLE_WALLET } from "@assay/protocol";
import { useDescription, useLocalChain } from "../service/assay.js";
import { useTrust } from "../verify/anchors.js";
import { usePayer } from "../wallet/Payer.js";
import type { CallPlace } from "./writeSameCall.js";

/** What a copied call is filled with: this service, the signer this browser knows, the wallet that is chosen. */
export function useCallPlace(): CallPlace {
  const { anchors } = useTrust();
  const { data: description } = useDescription();
  const { data: localChain } = useLocalChain();
  const { payer, testWallet } = usePayer();
  const accounts = localChain?.accounts ?? [];
  const account = accounts.find(({ name }) => name === testWallet) ?? accounts[0];
  return {
    origin: window.location.origin,
    signer: anchors?.signer ?? description?.signingAddress,
    wallet: payer?.address ?? account?.address ?? EXAMPLE_WALLET,
    testKey: account?.privateKey,
  };
}
