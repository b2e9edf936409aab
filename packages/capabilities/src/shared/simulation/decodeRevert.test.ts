import fc from "fast-check";
import { encodeAbiParameters } from "viem";
import { expect, test } from "vitest";
import { decodeRevert } from "./decodeRevert.js";

const error = (text: string) => `0x08c379a0${encodeAbiParameters([{ type: "string" }], [text]).slice(2)}`;
const panic = (code: bigint) => `0x4e487b71${encodeAbiParameters([{ type: "uint256" }], [code]).slice(2)}`;

test("reasons in words, panics and custom errors are distinguished", () => {
  expect(decodeRevert(error("no way"))).toEqual({ kind: "error", reason: "no way", selector: "0x08c379a0" });
  expect(decodeRevert(panic(0x11n))).toMatchObject({
    kind: "panic",
    reason: "arithmetic overflow or underflow",
  });
  expect(decodeRevert(panic(7n))).toMatchObject({ kind: "panic", reason: "panic 7" });
  expect(decodeRevert("0xd93c0665")).toEqual({
    kind: "custom",
    reason: "EnforcedPause",
    selector: "0xd93c0665",
  });
  expect(decodeRevert("0x12345678")).toEqual({ kind: "custom", reason: null, selector: "0x12345678" });
  expect(decodeRevert(null)).toEqual({ kind: "empty", reason: null, selector: null });
  expect(decodeRevert("0x08c379a0")).toEqual({ kind: "unknown", reason: null, selector: "0x08c379a0" });
});

test("a contract's text is cut and cannot hold line breaks or hidden characters", () => {
  expect(decodeRevert(error(`a\n\u202eb${"x".repeat(500)}`)).reason).toMatch(/^a {2}bx{196}$/);
});

test("any bytes are taken", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom("", "08c379a0", "4e487b71"),
      (bytes, head) => {
        decodeRevert(`0x${head}${Buffer.from(bytes).toString("hex")}`);
      },
    ),
  );
});
