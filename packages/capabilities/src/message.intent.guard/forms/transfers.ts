import { mean } from "../meaning.js";
import { address, encodeCall, type Forms, type ReadForm, runAsOwner, text, transferCall } from "./form.js";

const FIELDS = "(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)";

/** Tokens that move by signature (EIP-3009), as x402 payments do. */
const readTransfer: ReadForm = ({ verifier, document, message, venues }) => {
  if (verifier === null) return undefined;
  const [owner, to, amount] = [address(message.from), address(message.to), text(message.value)];
  const isDeposit = document.primaryType === "ReceiveWithAuthorization" && venues.x402Collector.includes(to);
  return mean({
    form: isDeposit
      ? "x402.deposit"
      : document.primaryType === "ReceiveWithAuthorization"
        ? "erc3009.receive"
        : "erc3009.transfer",
    title: isDeposit ? "a deposit into an x402 channel (EIP-3009)" : "a payment by signature (EIP-3009)",
    owner,
    from: text(message.validAfter),
    until: text(message.validBefore),
    canEnd: true,
    nonce: {
      target: verifier,
      data: encodeCall("authorizationState(address authorizer, bytes32 nonce)", [owner, message.nonce]),
      kind: "flag",
      expected: "0",
    },
    run: isDeposit ? null : runAsOwner(owner, [transferCall(verifier, to, amount)]),
    payment: { token: verifier, to, amount, isDeposit },
    parties: [to],
  });
};

export const transferForms: Forms = {
  [`TransferWithAuthorization${FIELDS}`]: readTransfer,
  [`ReceiveWithAuthorization${FIELDS}`]: readTransfer,
  "CancelAuthorization(address authorizer,bytes32 nonce)": ({ message }) =>
    mean({
      form: "erc3009.cancel",
      title: "the cancellation of a payment (EIP-3009)",
      owner: address(message.authorizer),
      notes: [{ code: "PERMISSION_ENDS" }],
      says: ["Makes one earlier signature worthless."],
    }),
  "Voucher(bytes32 channelId,uint128 maxClaimableAmount)": ({ signer, verifier, message }) =>
    verifier === null
      ? undefined
      : mean({
          form: "x402.voucher",
          title: "a voucher of an x402 channel",
          owner: signer,
          venue: "x402Channels",
          nonce: {
            target: verifier,
            data: encodeCall("channels(bytes32 channelId)", [message.channelId]),
            kind: "channel",
            expected: text(message.maxClaimableAmount),
          },
          says: [
            `Lets the receiver of channel ${text(message.channelId)} claim up to ${text(message.maxClaimableAmount)} smallest units in all, of the token that was deposited there; the voucher does not name it.`,
          ],
        }),
};
