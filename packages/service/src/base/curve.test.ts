import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { loadMachineCode, loadWebAssembly } from "./curve.js";

/** Where the package brings a binary. Elsewhere there may be one that npm has built. */
const BRINGS = ["linux-x64", "darwin-arm64", "win32-x64"];

const native = loadMachineCode();
const portable = loadWebAssembly();

const bytesOf = (text: string) => new Uint8Array(createHash("sha256").update(text).digest());
const attempt = <T>(work: () => T) => {
  try {
    return work();
  } catch {
    return "refused";
  }
};

test("the machine code of the package is used where it brings some", () => {
  if (BRINGS.includes(`${process.platform}-${process.arch}`)) expect(native?.form).toBe("machine code");
});

test("both forms give the same keys and signatures, and refuse the same", () => {
  const tested = native ?? portable;
  const order = Buffer.from("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", "hex");
  for (const none of [new Uint8Array(32), order, new Uint8Array(31), new Uint8Array(33).fill(1)]) {
    expect(attempt(() => tested.publicKeyOf(none))).toBe("refused");
    expect(attempt(() => portable.publicKeyOf(none))).toBe("refused");
  }
  for (let turn = 0; turn < 16; turn += 1) {
    const [key, digest] = [bytesOf(`key ${turn}`), bytesOf(`digest ${turn}`)];
    const signed = tested.sign(digest, key);
    expect(Buffer.from(signed.signature)).toEqual(Buffer.from(portable.sign(digest, key).signature));
    expect(signed.recoveryId).toBe(portable.sign(digest, key).recoveryId);
    const publicKey = Buffer.from(tested.publicKeyOf(key));
    expect(publicKey).toEqual(Buffer.from(portable.publicKeyOf(key)));
    expect(Buffer.from(tested.recover(digest, signed.signature, signed.recoveryId as 0 | 1))).toEqual(
      publicKey,
    );
    // Another bit in each, r or s of zero, r or s beyond the order.
    const changed = Uint8Array.from(signed.signature);
    changed[turn * 4] = (changed[turn * 4] as number) ^ (1 << (turn % 8));
    const zero = Uint8Array.from(signed.signature).fill(0, turn % 2 ? 32 : 0, turn % 2 ? 64 : 32);
    const large = Uint8Array.from(signed.signature);
    large.set(order, turn % 2 ? 32 : 0);
    for (const signature of [changed, zero, large, signed.signature.subarray(1)])
      for (const id of [0, 1] as const) {
        const [one, other] = [tested, portable].map((form) =>
          attempt(() => Buffer.from(form.recover(digest, signature, id)).toString("hex")),
        );
        expect(one).toBe(other);
        expect(one).not.toBe(publicKey.toString("hex"));
        if (signature !== changed) expect(one).toBe("refused");
      }
  }
});
