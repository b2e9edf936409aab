import { expect, test } from "vitest";
import { createClientAddressReader } from "./clientAddress.js";

const read = (trusted: readonly string[], peer: string | undefined, forwarded?: string) =>
  createClientAddressReader(trusted)({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  } as never);

const PROXIES = ["10.0.0.0/8", "192.0.2.7", "2001:db8:ffff::/48"];

test("without trusted proxies the peer is the caller, whatever it claims", () => {
  expect(read([], "198.51.100.1", "203.0.113.9")).toBe("198.51.100.1");
  expect(read([], undefined, "203.0.113.9")).toBe("unknown");
});

test("a peer that is no trusted proxy cannot speak for others", () => {
  expect(read(PROXIES, "198.51.100.1", "203.0.113.9")).toBe("198.51.100.1");
  expect(read(PROXIES, "11.0.0.1", "203.0.113.9")).toBe("11.0.0.1");
});

test("behind a trusted proxy the right-most address that is none is the caller", () => {
  expect(read(PROXIES, "10.1.2.3", "203.0.113.9")).toBe("203.0.113.9");
  expect(read(PROXIES, "192.0.2.7", " 203.0.113.9 ,10.9.9.9")).toBe("203.0.113.9");
  expect(read(PROXIES, "2001:db8:ffff::1", "203.0.113.9")).toBe("203.0.113.9");
});

test("what a caller writes left of its own address is not read", () => {
  for (const forged of ["1.1.1.1", "10.0.0.1", "127.0.0.1", "nonsense", "1.1.1.1, 10.0.0.2, 2.2.2.2", ","])
    expect(read(PROXIES, "10.1.2.3", `${forged}, 203.0.113.9`)).toBe("203.0.113.9");
});

test("a proxy that names no address, or nonsense, is counted itself", () => {
  for (const forwarded of [undefined, "", "unknown", "203.0.113.9:80", "203.0.113.9,", "0x7f.1", "010.0.0.1"])
    expect(read(PROXIES, "10.1.2.3", forwarded)).toBe("10.1.2.3");
  expect(read(PROXIES, "10.1.2.3", "hm, 10.0.0.9")).toBe("10.0.0.9");
  expect(read(PROXIES, "10.1.2.3", `fe80::1%${"a".repeat(5000)}`)).toBe("10.1.2.3");
});

test("where every address is trusted, the first one is the caller", () => {
  expect(read(PROXIES, "10.1.2.3", "10.0.0.4, 10.0.0.5")).toBe("10.0.0.4");
});

test("IPv6 callers are counted by their /64, however they spell it", () => {
  const network = "2001:db8:1:2::/64";
  for (const address of [
    "2001:db8:1:2::1",
    "2001:0DB8:1:2:ffff::",
    "2001:db8:1:2:3:4:5:6",
    "2001:db8:1:2::1.2.3.4",
  ])
    expect(read([], address)).toBe(network);
  expect(read([], "2001:db8:1:3::1")).toBe("2001:db8:1:3::/64");
  expect(read([], "2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(read([], "::1")).toBe("0:0:0:0::/64");
  expect(read([], "fe80::1%eth0")).toBe("fe80:0:0:0::/64");
  expect(read(PROXIES, "10.1.2.3", "2001:db8:1:2::9")).toBe(network);
});

test("IPv4 inside IPv6 is IPv4", () => {
  expect(read([], "::ffff:203.0.113.9")).toBe("203.0.113.9");
  expect(read([], "::FFFF:cb00:7109")).toBe("203.0.113.9");
  expect(read(PROXIES, "::ffff:10.1.2.3", "::ffff:203.0.113.9")).toBe("203.0.113.9");
});
