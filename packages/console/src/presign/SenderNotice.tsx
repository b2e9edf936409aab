import { isAddress } from "../form/isAddress.js";
import { Hash } from "../ui/Hash.js";
import { usePayer } from "../wallet/Payer.js";

/** Warns where the sender is not the chosen wallet: the changes are then not to the visitor's own account. */
export function SenderNotice({ from }: { readonly from: string }) {
  const { payer } = usePayer();
  if (!payer || !isAddress(from) || from.toLowerCase() === payer.address.toLowerCase()) return null;
  return (
    <p className="warn sender-notice" role="status">
      The sender <Hash value={from} label="sender" /> is not the chosen wallet, {payer.label}. The verdict is
      about the sender's account.
    </p>
  );
}
