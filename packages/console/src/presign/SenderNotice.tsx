import { isAddress } from "../form/isAddress.js";
import { Hash } from "../ui/Hash.js";
import { usePayer } from "../wallet/Payer.js";

/** Said where a transaction is another account's than the chosen wallet's: what it changes is not the visitor's own. */
export function SenderNotice({ from }: { readonly from: string }) {
  const { payer } = usePayer();
  if (!payer || !isAddress(from) || from.toLowerCase() === payer.address.toLowerCase()) return null;
  return (
    <p className="warn" role="status">
      The sender <Hash value={from} label="sender" /> is not the chosen wallet, {payer.label}{" "}
      <Hash value={payer.address} label="chosen wallet" />. Whatever is judged is judged for the sender.
    </p>
  );
}
