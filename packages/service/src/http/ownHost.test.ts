import { describe, expect, test } from "vitest";
import { createOwnHostCheck } from "./ownHost.js";

describe("a service on the loopback interface", () => {
  const isOwn = createOwnHostCheck("127.0.0.1", { publicUrl: "https://assay.example" });
  test.each([
    "127.0.0.1:8402",
    "127.0.0.1",
    "localhost:8402",
    "[::1]:8402",
    "app.localhost",
    "assay.example",
  ])("answers to %s", (host) => expect(isOwn(host)).toBe(true));
  test.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "10.0.0.1",
    "assay.example.evil.test",
    "evil.example@127.0.0.1.test",
    "",
    undefined,
  ])("does not answer to %s", (host) => expect(isOwn(host)).toBe(false));
});

test("a service that listens for everybody answers to every name", () => {
  const isOwn = createOwnHostCheck("0.0.0.0", { publicUrl: "https://assay.example" });
  expect(isOwn("another.example")).toBe(true);
});
