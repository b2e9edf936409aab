import { concat, hashTypedData, keccak256, numberToHex, recoverTypedDataAddress, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import {
  agentActionDomain,
  agentActionTypes,
  audienceOf,
  CAPABILITY_NAME_PATTERN,
  NONCE_PATTERN,
  normalizeCapabilityName,
} from "./agentAction.js";

const message = {
  action: "artifact_publish",
  resource: "0x73B54E0e58fe9f54E9Ac5CB8147e06C87Db655F1",
  timestamp: 1_700_000_000_000n,
  nonce: "nonce-0001",
} as const;

describe("the signed struct", () => {
  test("is hashed as EIP-712 defines, computed step by step", () => {
    const hash = (text: string) => keccak256(stringToHex(text));
    const audience = "https://assay.example";
    const domain = keccak256(
      concat([
        hash("EIP712Domain(string name,string version,uint256 chainId,bytes32 salt)"),
        hash("Service Agent API"),
        hash("1"),
        numberToHex(8453, { size: 32 }),
        hash(audience),
      ]),
    );
    const struct = keccak256(
      concat([
        hash("AgentAction(string action,string resource,uint256 timestamp,string nonce)"),
        hash(message.action),
        hash(message.resource),
        numberToHex(message.timestamp, { size: 32 }),
        hash(message.nonce),
      ]),
    );
    const typedData = {
      domain: agentActionDomain(audience),
      types: agentActionTypes,
      primaryType: "AgentAction",
      message,
    } as const;
    expect(hashTypedData(typedData)).toBe(keccak256(concat(["0x1901", domain, struct])));
  });

  test("signed for one server recovers another address at any other server", async () => {
    const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
    const typedData = (audience: string) =>
      ({
        domain: agentActionDomain(audience),
        types: agentActionTypes,
        primaryType: "AgentAction",
        message,
      }) as const;
    const signature = await account.signTypedData(typedData("https://assay.example"));
    const recover = (audience: string) => recoverTypedDataAddress({ ...typedData(audience), signature });
    expect(await recover("https://assay.example")).toBe(account.address);
    expect(await recover("https://assay.example:8443")).not.toBe(account.address);
  });
});

test.each([
  ["https://assay.example", "https://assay.example"],
  ["https://assay.example/", "https://assay.example"],
  ["https://assay.example:443/api", "https://assay.example"],
  ["HTTPS://Assay.Example", "https://assay.example"],
  ["http://127.0.0.1:8402", "http://127.0.0.1:8402"],
  ["http://[::1]:8402/", "http://[::1]:8402"],
])("the audience of %s is %s", (url, audience) => expect(audienceOf(url)).toBe(audience));

test.each([
  ["12345678", true],
  ["a_B-".repeat(32), true],
  ["1234567", false],
  ["x".repeat(129), false],
  ["12345678\n", false],
  ["1234 5678", false],
])("a nonce of %j: %j", (nonce, isOne) => expect(NONCE_PATTERN.test(nonce)).toBe(isOne));

test.each([
  [" Contract.Guard ", "contract.guard", true],
  ["a-b_c.d9", "a-b_c.d9", true],
  ["a--b", "a--b", false],
  [".a", ".a", false],
  ["a.", "a.", false],
  ["İstanbul", "i̇stanbul", false],
])("%j is counted as %j, if that is a name: %j", (given, normalized, isName) => {
  expect(normalizeCapabilityName(given)).toBe(normalized);
  expect(CAPABILITY_NAME_PATTERN.test(normalized)).toBe(isName);
});
