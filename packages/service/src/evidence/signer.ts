import { createTypedDataEncoder, type EvidenceStatement, evidenceTypedData, type Hex } from "@assay/protocol";
import { domainSeparator } from "viem";
import type { DigestSignature } from "../base/secp256k1.js";
import { toSignatureHex } from "../base/secp256k1.js";
import type { DigestSigner } from "../base/signers/digestSigner.js";

/** The key that answers for every result, and the former ones that channels still name. */
export interface EvidenceSigner {
  readonly address: Hex;
  /** The present key's address, then those of former keys. */
  readonly addresses: readonly Hex[];
  /** Where the present key is, for the operator. */
  readonly place: string;
  /** Whether signing asks another machine. What nobody has paid for then waits for no signature. */
  readonly isRemote: boolean;
  sign(statement: EvidenceStatement): Hex | Promise<Hex>;
  /** 65 bytes over the Keccak-256 of these. `address` names another of the keys than the present one. */
  signBytes(preimage: Hex, address?: string): Hex | Promise<Hex>;
  /** Why the present key certainly does not sign now. Asked before any work is begun. */
  findTrouble(): string | undefined;
  /** Throws in one sentence where the present key does not sign. */
  verifyReady(): Promise<void>;
}

/**
 * The x402 receipts of a payer who calls several times in a second by voucher are the same, and a reference to one artifact is the
 * same for everybody who asks.
 */
const MAX_RECENT = 1_000;

export function createEvidenceSigner(
  present: DigestSigner,
  former: readonly DigestSigner[] = [],
): EvidenceSigner {
  const keys = [present, ...former];
  const recent = new Map<string, Hex>();
  let encode: ReturnType<typeof createTypedDataEncoder> | undefined;

  function remember(name: string, signature: DigestSignature): Hex {
    const text = toSignatureHex(signature);
    recent.set(name, text);
    if (recent.size > MAX_RECENT) recent.delete(recent.keys().next().value as string);
    return text;
  }

  function signBytes(preimage: Hex, address: string = present.address): Hex | Promise<Hex> {
    const key = keys.find((one) => one.address.toLowerCase() === address.toLowerCase());
    if (!key) throw new Error(`there is no key of ${address} here`);
    const name = `${key.address} ${preimage}`;
    const known = recent.get(name);
    if (known !== undefined) return known;
    const signed = key.sign(preimage);
    return signed instanceof Promise
      ? signed.then((signature) => remember(name, signature))
      : remember(name, signed);
  }

  return {
    address: present.address,
    addresses: keys.map(({ address }) => address),
    place: present.place,
    isRemote: present.isRemote,
    sign(statement) {
      const { domain, types, primaryType, message } = evidenceTypedData(statement);
      encode ??= createTypedDataEncoder(
        { primaryType, fields: types.EvidenceStatement },
        domainSeparator({ domain }),
      );
      return signBytes(encode(message));
    },
    signBytes,
    findTrouble: () => present.findTrouble(),
    verifyReady: () => present.verifyReady(),
  };
}
