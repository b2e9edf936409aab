import { openAwsKey } from "./awsKms.js";
import type { DigestSigner } from "./digestSigner.js";
import { openGcpKey } from "./gcpKms.js";
import { createRemoteSigner, type RemoteOptions } from "./remoteSigner.js";
import { openWeb3SignerKey } from "./web3Signer.js";

/** Where a key is kept, as a setting names it. */
export interface SignerPlace {
  readonly kind: "aws-kms" | "gcp-kms" | "web3signer";
  /** What names the key there. */
  readonly name: string;
}

export const SIGNER_FORMS =
  "aws-kms:<key id, ARN or alias>, gcp-kms:<path of a key version> or web3signer:<URL>/<address>";

const forms: Readonly<Record<SignerPlace["kind"], RegExp>> = {
  "aws-kms": /^[A-Za-z0-9:/_-]+$/,
  "gcp-kms":
    /^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+\/cryptoKeyVersions\/[0-9]+$/,
  web3signer: /^https?:\/\/[^\s,?#]+\/0x[0-9a-fA-F]{40}$/,
};

/** Undefined where the text names no key. */
export function findSignerPlace(text: string): SignerPlace | undefined {
  const [, kind, name] = /^([a-z0-9-]+):(.+)$/.exec(text) ?? [];
  if (kind === undefined || name === undefined || !Object.hasOwn(forms, kind)) return undefined;
  const place = { kind: kind as SignerPlace["kind"], name };
  return forms[place.kind].test(name) ? place : undefined;
}

export interface SignerOptions extends RemoteOptions {
  /** Where Google Cloud KMS is reached, when not at its public address. */
  readonly gcpEndpoint?: string | undefined;
}

/** A signer with the key that is kept there, once the key has been read. The package of its keeper is loaded here and not before. */
export async function openSigner(place: SignerPlace, options: SignerOptions = {}): Promise<DigestSigner> {
  return createRemoteSigner(await openKey(place, options), options);
}

function openKey({ kind, name }: SignerPlace, { gcpEndpoint }: SignerOptions) {
  switch (kind) {
    case "aws-kms":
      return openAwsKey(name);
    case "gcp-kms":
      return openGcpKey(name, gcpEndpoint);
    case "web3signer":
      return openWeb3SignerKey(name);
  }
}
