import { generateKeyPairSync, sign } from "node:crypto";

const encode = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length =
    body.length < 128 ? Buffer.of(body.length) : Buffer.of(0x82, body.length >> 8, body.length & 0xff);
  return Buffer.concat([Buffer.of(tag), length, body]);
};
const sequence = (...parts: Buffer[]) => encode(0x30, ...parts);
const objectId = (hex: string) => encode(0x06, Buffer.from(hex, "hex"));
const utcTime = (text: string) => encode(0x17, Buffer.from(text));

/** A self-signed certificate (RFC 5280) for one DNS name, and its key, in PEM. */
export function createCertificate(dnsName: string): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  // ecdsa-with-SHA256; commonName; subjectAltName.
  const algorithm = sequence(objectId("2a8648ce3d040302"));
  const name = sequence(encode(0x31, sequence(objectId("550403"), encode(0x0c, Buffer.from("assay test")))));
  const alternative = sequence(
    objectId("551d11"),
    encode(0x04, sequence(encode(0x82, Buffer.from(dnsName)))),
  );
  const body = sequence(
    encode(0xa0, encode(0x02, Buffer.of(2))),
    encode(0x02, Buffer.of(1)),
    algorithm,
    name,
    sequence(utcTime("200101000000Z"), utcTime("491231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    encode(0xa3, sequence(alternative)),
  );
  const signature = encode(0x03, Buffer.of(0), sign("sha256", body, privateKey));
  const der = sequence(body, algorithm, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}
