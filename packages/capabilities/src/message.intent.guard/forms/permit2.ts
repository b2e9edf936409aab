import type { Hex } from "@assay/protocol";
import { type Meaning, mean, type NonceQuestion, type SignedCall } from "../meaning.js";
import { encodeTypeOf, type TypedStruct } from "../typedDocument.js";
import {
  address,
  approveCall,
  call,
  encodeCall,
  type Forms,
  type KnownDocument,
  type ReadForm,
  runAsOwner,
  struct,
  structs,
  text,
  transferCall,
} from "./form.js";
import { readWitnessOrder } from "./witnessOrders.js";

const DETAILS = "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)";
const PERMISSIONS = "TokenPermissions(address token,uint256 amount)";

const approve = (permit2: Hex, spender: Hex, { token, amount, expiration }: TypedStruct): SignedCall =>
  call(permit2, "approve(address token, address spender, uint160 amount, uint48 expiration)", [
    token,
    spender,
    BigInt(text(amount)),
    Number(expiration),
  ]);

const allowanceNonce = (permit2: Hex, owner: Hex, spender: Hex, details: TypedStruct): NonceQuestion => ({
  target: permit2,
  data: encodeCall("allowance(address owner, address token, address spender)", [
    owner,
    details.token,
    spender,
  ]),
  kind: "allowance",
  expected: text(details.nonce),
});

/** Of SignatureTransfer: a word of 256 bits, one for each nonce. */
function bitmapNonce(permit2: Hex, owner: Hex, nonce: unknown): NonceQuestion {
  const value = BigInt(text(nonce));
  return {
    target: permit2,
    data: encodeCall("nonceBitmap(address owner, uint256 word)", [owner, value >> 8n]),
    kind: "bit",
    expected: (value & 255n).toString(),
  };
}

const readPermit: ReadForm = ({ signer, verifier, message }) => {
  if (verifier === null) return undefined;
  const spender = address(message.spender);
  const details = Array.isArray(message.details) ? structs(message.details) : [struct(message.details)];
  const [first] = details;
  if (first === undefined) return undefined;
  return mean({
    form:
      details.length > 1 || Array.isArray(message.details) ? "permit2.permitBatch" : "permit2.permitSingle",
    title: "an allowance through Permit2",
    owner: signer,
    venue: "permit2",
    until: details
      .map(({ expiration }) => text(expiration))
      .reduce((a, b) => (BigInt(a) > BigInt(b) ? a : b)),
    canEnd: true,
    nonce: allowanceNonce(verifier, signer, spender, first),
    run: runAsOwner(
      signer,
      details.map((one) => approve(verifier, spender, one)),
    ),
    parties: [spender],
  });
};

/** What a transfer by signature lets the spender take, once. */
function readTransfer(known: KnownDocument): Meaning | undefined {
  const { signer, verifier, message, document } = known;
  if (verifier === null) return undefined;
  const spender = address(message.spender);
  const permitted = Array.isArray(message.permitted)
    ? structs(message.permitted)
    : [struct(message.permitted)];
  const base = mean({
    form: document.primaryType === "PermitTransferFrom" ? "permit2.transfer" : "permit2.transferBatch",
    title: "a transfer through Permit2",
    owner: signer,
    venue: "permit2",
    until: text(message.deadline),
    canEnd: true,
    nonce: bitmapNonce(verifier, signer, message.nonce),
    run: runAsOwner(
      signer,
      permitted.map(({ token, amount }) => approveCall(address(token), spender, text(amount))),
    ),
    parties: [spender],
  });
  return permitted.length === 0 ? undefined : readWitness(known, spender, permitted, base);
}

/** A witness binds the transfer to terms that the spender has to keep: its meaning is theirs. */
function readWitness(
  { signer, document, message, venues }: KnownDocument,
  spender: Hex,
  permitted: readonly TypedStruct[],
  base: Meaning,
): Meaning {
  const field = document.types[document.primaryType]?.find(
    ({ name }) => !["permitted", "spender", "nonce", "deadline"].includes(name),
  );
  if (field === undefined) return base;
  const [first] = permitted;
  const witness = message[field.name];
  const form = "permit2.witness";
  if (permitted.length === 1 && first && typeof witness === "object" && witness !== null) {
    const terms = struct(witness);
    const [token, amount] = [address(first.token), text(first.amount)];
    const type = encodeTypeOf(document.types, field.type);
    const payee = paymentWitnesses.has(type) ? address(terms.to) : undefined;
    if (payee !== undefined && venues.x402Proxy.includes(spender))
      return {
        ...base,
        form: "x402.permit2",
        title: "an x402 payment through Permit2",
        from: text(terms.validAfter),
        run: runAsOwner(signer, [transferCall(token, payee, amount)]),
        payment: { token, to: payee, amount, isDeposit: false },
        parties: [spender, payee],
      };
    if (type === DEPOSIT_WITNESS && venues.x402Collector.includes(spender))
      return {
        ...base,
        form: "x402.deposit",
        title: "a deposit into an x402 channel through Permit2",
        run: null,
        payment: { token, to: spender, amount, isDeposit: true },
      };
    const order = venues.uniswapX.includes(spender)
      ? readWitnessOrder(type, terms, { spender, token, amount, signer })
      : undefined;
    if (order) return { ...base, ...order, run: null, parties: [spender, ...(order.parties ?? [])] };
  }
  // Anybody with the signature makes the spender carry the terms out. They may name another recipient, or hide behind a hash.
  return {
    ...base,
    form,
    title: "a transfer through Permit2 with terms of its own",
    notes: [{ code: "TERMS_UNKNOWN" }],
  };
}

/** Of the schemes exact and upto of x402. */
const paymentWitnesses: ReadonlySet<string> = new Set([
  "Witness(address to,uint256 validAfter)",
  "Witness(address to,address facilitator,uint256 validAfter)",
]);
const DEPOSIT_WITNESS = "DepositWitness(bytes32 channelId)";

/** Permit2's own types; those with a witness are found by their name, because the rest differs. */
export const permit2Forms: Forms = {
  [`PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`]: readPermit,
  [`PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${DETAILS}`]: readPermit,
  [`PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`]:
    readTransfer,
  [`PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`]:
    readTransfer,
};

const WITNESS_HEAD =
  /^Permit(?:WitnessTransferFrom\(TokenPermissions|BatchWitnessTransferFrom\(TokenPermissions\[\]) permitted,address spender,uint256 nonce,uint256 deadline,/;

export const readWitnessForm = (type: string, known: KnownDocument): Meaning | undefined =>
  WITNESS_HEAD.test(type) && type.includes(PERMISSIONS) ? readTransfer(known) : undefined;
