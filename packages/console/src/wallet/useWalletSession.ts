import type { WalletSession } from "@assay/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { assay } from "../service/assay.js";
import { dropFromTab, keepInTab, useInTab } from "../service/keepInTab.js";
import { useIsPast } from "../ui/useIsPast.js";
import type { Payer } from "./Payer.js";

const placeOf = (wallet: string) => `assay.session.${wallet.toLowerCase()}`;

/** The name under which what a session shows is held in memory. */
export const walletQueryKey = (wallet: string) => ["wallet record", wallet.toLowerCase()] as const;

/** The session that this tab has for a wallet. It ends with the tab, after half an hour, or when its owner says so. */
export function useWalletSession(wallet: string) {
  const queries = useQueryClient();
  const kept = useInTab<WalletSession>(placeOf(wallet));
  const isOver = useIsPast(kept ? Date.parse(kept.expiresAt) : null);
  const enter = useMutation({
    networkMode: "always",
    mutationFn: async (payer: Payer) => {
      const session = await signIn(payer);
      keepInTab(placeOf(session.wallet), session);
    },
  });
  const leave = () => {
    dropFromTab(placeOf(wallet));
    queries.removeQueries({ queryKey: walletQueryKey(wallet) });
  };
  return { session: isOver ? undefined : kept, enter, leave };
}

/** A message of another address than this page's is not signed, whatever the service says. */
async function signIn(payer: Payer): Promise<WalletSession> {
  const message = await assay.signInMessage(payer.address);
  const [domain] = message.split(" wants you to sign in");
  if (domain !== window.location.host)
    throw new Error(`This service is at ${domain}. Open its page there to sign in.`);
  return assay.signIn({ message, signature: await payer.signMessage(message) });
}
