import { BASE_USDC, type Client, capabilities } from "@assay/client";
import { EXAMPLE_WALLET, type Hex } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useLocalChain } from "../service/assay.js";
import { useTrust } from "../verify/anchors.js";
import { type PaymentPreview, previewPayment } from "./previewPayment.js";

export type Preview = (
  prepare: (client: Client) => Promise<unknown>,
  wallet?: Hex | undefined,
) => Promise<PaymentPreview>;

/** Previews payments without signing them; undefined until the service's key and chain are known. */
export function usePreview(): { readonly signer: Hex | undefined; readonly preview: Preview | undefined } {
  const signer = useTrust().anchors?.signer;
  const { data: localChain } = useLocalChain();
  if (signer === undefined || localChain === undefined) return { signer, preview: undefined };
  const stablecoin = localChain?.stablecoin.address ?? BASE_USDC;
  return {
    signer,
    preview: (prepare, wallet = EXAMPLE_WALLET) => previewPayment({ wallet, stablecoin, signer }, prepare),
  };
}

/** The payee of this service, as its key offers it for a question that takes no input. */
export function usePayee() {
  const { signer, preview } = usePreview();
  const plain = capabilities.find(({ input }) => Object.keys(input.shape).length === 0);
  return useQuery({
    queryKey: ["payee", signer],
    enabled: preview !== undefined && plain !== undefined,
    // A busy service refuses for a moment; nothing is paid by asking again.
    retry: 3,
    queryFn: async () => {
      if (!preview || !plain) throw new Error("The service's key is not known yet.");
      return (await preview((client) => client.prepareUnquoted(plain.id, {}))).payTo;
    },
  });
}
