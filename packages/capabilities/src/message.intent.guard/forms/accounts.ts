import type { Hex } from "@assay/protocol";
import { concatHex, encodeAbiParameters } from "viem";
import { USDC, WETH } from "../../shared/chain-facts/knownContracts.js";
import { readText } from "../input.js";
import { type Meaning, mean } from "../meaning.js";
import { isAddressValue, type TypedDocument, type TypedStruct } from "../typedDocument.js";
import {
  address,
  encodeCall,
  type Forms,
  type KnownDocument,
  type ReadForm,
  struct,
  text,
  ZERO,
} from "./form.js";

const EXEC_TRANSACTION =
  "execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)";

/** A transaction of a Safe is judged as what it does, sent by the owner who signs. */
const readSafeTransaction: ReadForm = ({ signer, verifier, message }) => {
  if (verifier === null) return undefined;
  const number = (name: string) => BigInt(text(message[name]));
  // An owner who sends needs no signature: the Safe reads the address in its place (v = 1).
  const signature = concatHex([
    encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [signer, 0n]),
    "0x01",
  ]);
  const data = encodeCall(EXEC_TRANSACTION, [
    message.to,
    number("value"),
    message.data,
    Number(message.operation),
    // Neither a refund nor a limit of gas belongs to what the call does.
    0n,
    0n,
    0n,
    ZERO,
    ZERO,
    signature,
  ]);
  const judged = { from: signer, to: verifier, data, value: "0" };
  return mean({
    form: "safe.transaction",
    title: "a Safe's transaction",
    owner: signer,
    nonce: {
      target: verifier,
      data: encodeCall("nonce()", []),
      kind: "counter",
      expected: text(message.nonce),
    },
    run: {
      judged,
      caller: signer,
      steps: [{ to: verifier, data, value: "0" }],
      lendsToCaller: false,
      safe: verifier,
      isWrittenAsBatch: false,
    },
    account: verifier,
    notes: number("gasPrice") === 0n ? [] : [{ code: judgeRefund(message) }],
    says:
      number("gasPrice") === 0n
        ? []
        : [
            `Pays ${address(message.refundReceiver)} for gas out of the Safe, by a price of ${number("gasPrice")}.`,
          ],
  });
};

/** Smallest units of what a refund may be paid in: a hundredth of an ether, or ten dollars. */
const SMALL_REFUNDS: Readonly<Record<Hex, bigint>> = {
  [ZERO]: 10n ** 16n,
  [WETH]: 10n ** 16n,
  [USDC]: 10_000_000n,
};
/** Gas that a Safe counts beyond the two limits, for the call itself. */
const UNCOUNTED_GAS = 50_000n;

/** With a price for gas, a Safe gives its call `safeTxGas` and no more, so that the refund has a bound. */
function judgeRefund(message: TypedStruct): "REFUND_SMALL" | "REFUND_UNBOUNDED" {
  const number = (name: string) => BigInt(text(message[name]));
  const most = (number("safeTxGas") + number("baseGas") + UNCOUNTED_GAS) * number("gasPrice");
  return most <= (SMALL_REFUNDS[address(message.gasToken)] ?? -1n) ? "REFUND_SMALL" : "REFUND_UNBOUNDED";
}

/** A hash in place of a message: nobody can see what it stands for. */
const hidden = (title: string, verifier: Hex | null): Meaning =>
  mean({
    form: "wrapped.hash",
    title,
    owner: verifier,
    account: verifier,
    notes: [{ code: "HASH_HIDES_CONTENT" }],
    says: [
      "Signs a hash that an account accepts in place of anything: ask about the message that was hashed.",
    ],
  });

const readSafeMessage: ReadForm = ({ signer, verifier, message, readText: readInnerText }) => {
  const data = address(message.message);
  const words = data.length === 66 ? null : readText(data);
  if (words === null) return hidden("a Safe's message", verifier);
  const inner = readInnerText(words, verifier ?? signer);
  return { ...inner, inside: ["a Safe's message", ...inner.inside], account: verifier };
};

/** ERC-7739: the account's own fields stand beside the contents, which keep the application's domain. */
export function readNested(known: KnownDocument): Meaning | undefined {
  const { document, message, signer } = known;
  const fields = document.types.TypedDataSign ?? [];
  const contents = fields.find(({ name }) => name === "contents");
  if (document.primaryType !== "TypedDataSign" || contents === undefined) return undefined;
  if (!Object.hasOwn(document.types, contents.type)) return undefined;
  const account = isAddressValue(message.verifyingContract) ? message.verifyingContract : signer;
  const inner: TypedDocument = {
    types: document.types,
    primaryType: contents.type,
    domain: document.domain,
    message: struct(message.contents),
  };
  const meaning = known.readInner(inner, account);
  return { ...meaning, inside: ["an account's own wrapper (ERC-7739)", ...meaning.inside], account };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ERC-191 begins with this byte.
const PREFIX = /^\u0019Ethereum Signed Message:\n[0-9]+/;

const readPersonalSign: ReadForm = ({ signer, verifier, message, readText: readInnerText }) => {
  const data = address(message.prefixed);
  const octets = Uint8Array.from(data.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const all = new TextDecoder().decode(octets);
  if (!PREFIX.test(all)) return hidden("an account's message (ERC-7739)", verifier);
  const inner = readInnerText(all.replace(PREFIX, ""), verifier ?? signer);
  return {
    ...inner,
    inside: ["an account's own wrapper (ERC-7739)", ...inner.inside],
    account: verifier === signer ? null : verifier,
  };
};

/** ERC-2771: a forwarder makes the call, with the sender's address behind the calldata. */
function forward(
  form: string,
  known: KnownDocument,
  fields: { from: string; to: string; value?: string; data: string; until?: string; nonce?: string },
): Meaning | undefined {
  const { verifier, message } = known;
  if (verifier === null) return undefined;
  const [from, to, data] = [
    address(message[fields.from]),
    address(message[fields.to]),
    address(message[fields.data]),
  ];
  const value = fields.value === undefined ? "0" : text(message[fields.value]);
  return mean({
    form,
    title: "a call that a forwarder makes in the signer's name (ERC-2771)",
    owner: from,
    until: fields.until === undefined ? null : text(message[fields.until]),
    canEnd: fields.until !== undefined,
    run: {
      judged: { from, to, data, value },
      caller: verifier,
      steps: [{ to, data: concatHex([data, from]), value }],
      lendsToCaller: true,
      safe: null,
      isWrittenAsBatch: false,
    },
    nonce:
      fields.nonce === undefined
        ? null
        : {
            target: verifier,
            data: encodeCall(`${fields.nonce}(address from)`, [from]),
            kind: "next",
            expected: text(message.nonce),
          },
  });
}

export const accountForms: Forms = {
  "SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)":
    readSafeTransaction,
  "SafeMessage(bytes message)": readSafeMessage,
  "CoinbaseSmartWalletMessage(bytes32 hash)": ({ verifier }) =>
    hidden("a Coinbase Smart Wallet's message", verifier),
  "Kernel(bytes32 hash)": ({ verifier }) => hidden("a Kernel account's message", verifier),
  "LightAccountMessage(bytes message)": ({ verifier }) => hidden("a LightAccount's message", verifier),
  "ReplaySafeHash(bytes32 hash)": ({ verifier }) => hidden("an account's message", verifier),
  "PersonalSign(bytes prefixed)": readPersonalSign,
  "ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,bytes data)": (known) =>
    forward("erc2771.forward", known, {
      from: "from",
      to: "to",
      value: "value",
      data: "data",
      nonce: "getNonce",
    }),
  "ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)":
    (known) =>
      forward("erc2771.forward", known, {
        from: "from",
        to: "to",
        value: "value",
        data: "data",
        until: "deadline",
        nonce: "nonces",
      }),
  "SponsoredCallERC2771(uint256 chainId,address target,bytes data,address user,uint256 userNonce,uint256 userDeadline)":
    (known) =>
      forward("erc2771.sponsored", known, {
        from: "user",
        to: "target",
        data: "data",
        until: "userDeadline",
      }),
  "MetaTransaction(uint256 nonce,address from,bytes functionSignature)": (known) => {
    const { verifier, message } = known;
    if (verifier === null) return undefined;
    const [from, data] = [address(message.from), address(message.functionSignature)];
    return mean({
      form: "metaTransaction",
      title: "a call that the contract itself makes in the signer's name",
      owner: from,
      run: {
        judged: { from, to: verifier, data, value: "0" },
        caller: verifier,
        steps: [{ to: verifier, data: concatHex([data, from]), value: "0" }],
        lendsToCaller: true,
        safe: null,
        isWrittenAsBatch: false,
      },
      nonce: {
        target: verifier,
        data: encodeCall("getNonce(address from)", [from]),
        kind: "next",
        expected: text(message.nonce),
      },
    });
  },
};
