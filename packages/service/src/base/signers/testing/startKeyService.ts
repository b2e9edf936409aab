import { createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Hex, keccak256 } from "@assay/protocol";
import { pointFromScalar, signRecoverable } from "tiny-secp256k1";
import { bytesToHex, hexToBytes, numberToHex } from "viem";
import { addressOfKey, ORDER } from "../../secp256k1.js";

/** How a key service may misbehave. */
export type Mood = "well" | "slow" | "throttled" | "down" | "wrong key" | "nonsense";

export interface KeyService {
  readonly url: string;
  readonly address: Hex;
  mood: Mood;
  /** Its mood once it has made one more signature. */
  moodAfterNext: Mood | undefined;
  /** Signatures that it has made, wrong ones among them. */
  readonly signed: () => number;
  readonly asked: () => number;
  close(): Promise<void>;
}

export const SLOW_MS = 4_000;
const SPKI_PREFIX = Buffer.from("3056301006072a8648ce3d020106052b8104000a034200", "hex");
const GCP_KEY = /^\/v1\/(projects\/.+\/cryptoKeyVersions\/[0-9]+)(\/publicKey|:asymmetricSign)/;

/** An integer of DER has no zero byte in front, but one where its first bit is set. */
function toDerInteger(bytes: Uint8Array): Buffer {
  const digits = Buffer.from(bytes.subarray(bytes.findIndex((byte) => byte !== 0)));
  const body = (digits[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.of(0), digits]) : digits;
  return Buffer.concat([Buffer.of(0x02, body.length), body]);
}

function toDer({ r, s }: { readonly r: Uint8Array; readonly s: Uint8Array }): Buffer {
  const body = Buffer.concat([toDerInteger(r), toDerInteger(s)]);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}

/**
 * Speaks the protocols of AWS KMS, Google Cloud KMS (with its tokens) and Web3Signer over HTTP, with a real key of secp256k1 behind
 * them. Like theirs, its signatures are not deterministic, and every second one has a high s.
 */
export async function startKeyService(privateKey: Hex): Promise<KeyService> {
  const key = hexToBytes(privateKey);
  const strangers = randomBytes(32);
  const point = pointFromScalar(key, false) as Uint8Array;
  const spki = Buffer.concat([SPKI_PREFIX, point]);
  const pem = createPublicKey({ key: spki, format: "der", type: "spki" })
    .export({ format: "pem", type: "spki" })
    .toString();
  let signed = 0;
  let asked = 0;

  /** The signature of a 32-byte digest. */
  function sign(digest: Uint8Array) {
    signed += 1;
    const by = service.mood === "wrong key" ? strangers : key;
    service.mood = service.moodAfterNext ?? service.mood;
    service.moodAfterNext = undefined;
    const { signature, recoveryId } = signRecoverable(digest, by, randomBytes(32));
    const low = BigInt(bytesToHex(signature.subarray(32)));
    const isHigh = signed % 2 === 0;
    const s = hexToBytes(numberToHex(isHigh ? ORDER - low : low, { size: 32 }));
    return { r: signature.subarray(0, 32), s, recovery: isHigh ? 1 - recoveryId : recoveryId };
  }

  function answerAws(target: string, body: Record<string, string>): object {
    const keyUsage = { KeySpec: "ECC_SECG_P256K1", KeyUsage: "SIGN_VERIFY", KeyId: body.KeyId };
    if (target.endsWith("GetPublicKey")) return { ...keyUsage, PublicKey: spki.toString("base64") };
    if (body.MessageType !== "DIGEST" || body.SigningAlgorithm !== "ECDSA_SHA_256")
      throw new Error("only digests are signed");
    const der = toDer(sign(Buffer.from(body.Message ?? "", "base64")));
    return { KeyId: body.KeyId, SigningAlgorithm: body.SigningAlgorithm, Signature: der.toString("base64") };
  }

  function answerGcp(name: string, isPublicKey: boolean, body: { digest?: { sha256: string } }): object {
    if (isPublicKey) return { name, pem, algorithm: "EC_SIGN_SECP256K1_SHA256" };
    const der = toDer(sign(Buffer.from(body.digest?.sha256 ?? "", "base64")));
    return { name, signature: der.toString("base64") };
  }

  function answerWeb3Signer(path: string, body: { data?: Hex }): unknown {
    const publicKey = bytesToHex(point.subarray(1));
    if (path.endsWith("/publicKeys")) return [publicKey];
    if (!path.endsWith(publicKey)) throw new Error("no such key");
    const { r, s, recovery } = sign(hexToBytes(keccak256(body.data ?? "0x")));
    return bytesToHex(Buffer.concat([r, s, Uint8Array.of(27 + recovery)]));
  }

  function answer(request: IncomingMessage, text: string): { body: unknown; isText?: boolean } {
    const path = request.url ?? "";
    const target = String(request.headers["x-amz-target"] ?? "");
    if (target !== "") return { body: answerAws(target, JSON.parse(text)) };
    const [, name, action] = GCP_KEY.exec(path) ?? [];
    if (name !== undefined)
      return { body: answerGcp(name, action === "/publicKey", text ? JSON.parse(text) : {}) };
    if (path.includes("/token"))
      return { body: { access_token: "test", expires_in: 3600, token_type: "Bearer" } };
    const found = answerWeb3Signer(path, text ? JSON.parse(text) : {});
    return { body: found, isText: typeof found === "string" };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    asked += 1;
    const isAws = request.headers["x-amz-target"] !== undefined;
    const type = isAws ? "application/x-amz-json-1.1" : "application/json";
    const send = (status: number, body: unknown, isText = false) => {
      response.writeHead(status, { "content-type": isText ? "text/plain" : type });
      response.end(isText ? String(body) : JSON.stringify(body));
    };
    if (service.mood === "down") return void request.socket.destroy();
    if (service.mood === "throttled")
      return isAws
        ? send(400, { __type: "ThrottlingException", message: "Rate exceeded" })
        : send(429, { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "Quota exceeded" } });
    if (service.mood === "nonsense") return send(200, { Signature: "AAAA", signature: "AAAA" });
    if (service.mood === "slow") await new Promise((done) => setTimeout(done, SLOW_MS));
    try {
      const { body, isText } = answer(request, text);
      send(200, body, isText);
    } catch (error) {
      send(400, { __type: "ValidationException", message: String(error) });
    }
  }

  const server: Server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const service: KeyService = {
    url: `http://127.0.0.1:${port}`,
    address: addressOfKey(privateKey),
    mood: "well",
    moodAfterNext: undefined,
    signed: () => signed,
    asked: () => asked,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return service;
}

export const GCP_VERSION =
  "projects/assay/locations/global/keyRings/keys/cryptoKeys/service/cryptoKeyVersions/1";

/** A service account's file, so that Google's library takes its own way to a token, from this server. */
export function gcpCredentials({ url }: KeyService): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return JSON.stringify({
    type: "service_account",
    project_id: "assay",
    private_key_id: "1",
    private_key: privateKey.export({ format: "pem", type: "pkcs8" }),
    client_email: "assay@assay.test",
    client_id: "1",
    token_uri: `${url}/token`,
  });
}
