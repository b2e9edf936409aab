import { createRequire } from "node:module";
import { isMainThread } from "node:worker_threads";

/** What is asked of libsecp256k1. Each throws for bytes that are no key, no digest or no signature. */
export interface Curve {
  /** How it runs here. */
  readonly form: "machine code" | "WebAssembly";
  /** 65 bytes, without compression. */
  publicKeyOf(privateKey: Uint8Array): Uint8Array;
  /** The key that made this signature of 64 bytes; 65 bytes, without compression. */
  recover(digest: Uint8Array, signature: Uint8Array, recoveryId: 0 | 1): Uint8Array;
  /** With a nonce as RFC 6979 makes it. */
  sign(digest: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recoveryId: number };
}

/** What is used of the package `secp256k1`. */
interface Binding {
  publicKeyCreate(privateKey: Uint8Array, isCompressed: boolean): Uint8Array;
  ecdsaRecover(signature: Uint8Array, recid: number, digest: Uint8Array, isCompressed: boolean): Uint8Array;
  ecdsaSign(digest: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number };
}

const require = createRequire(import.meta.url);

/**
 * The package's own entry would go on with a curve in JavaScript where its binary is missing, thirty times slower, and say nothing.
 * Undefined where there is no binary: the package has one for Linux on x64, macOS on ARM and Windows, and npm builds others where it
 * finds a compiler. It keeps one constructor for all threads of a process and ends the process when a second thread asks.
 */
export function loadMachineCode(): Curve | undefined {
  if (!isMainThread) return undefined;
  try {
    const native = require("secp256k1/bindings.js") as Binding;
    return {
      form: "machine code",
      publicKeyOf: (privateKey) => native.publicKeyCreate(privateKey, false),
      recover: (digest, signature, recoveryId) => native.ecdsaRecover(signature, recoveryId, digest, false),
      sign(digest, privateKey) {
        const { signature, recid } = native.ecdsaSign(digest, privateKey);
        return { signature, recoveryId: recid };
      },
    };
  } catch {
    return undefined;
  }
}

/** The same library, four times slower, for every machine. */
export function loadWebAssembly(): Curve {
  const { pointFromScalar, recover, signRecoverable } =
    require("tiny-secp256k1") as typeof import("tiny-secp256k1");
  const given = (key: Uint8Array | null) => {
    if (key === null) throw new Error("There is no such key.");
    return key;
  };
  return {
    form: "WebAssembly",
    publicKeyOf: (privateKey) => given(pointFromScalar(privateKey, false)),
    recover: (digest, signature, recoveryId) => given(recover(digest, signature, recoveryId, false)),
    sign: signRecoverable,
  };
}

/** Which one it is stands in the report at the start and in `assay-admin check`. */
export const curve: Curve = loadMachineCode() ?? loadWebAssembly();
