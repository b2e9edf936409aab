import type { ChainRead } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { describe, expect, test } from "vitest";
import { knownSlots } from "../shared/proxies/knownSlots.js";
import { cloneOf, NOWHERE, useInterfaceFixture } from "./testing/interfaceFixture.js";

const { local, records, inspect, setCode, deafTo } = useInterfaceFixture();

describe("contracts without anything behind them", () => {
  test("a plain token is allowed after one batch", async () => {
    const result = await inspect(local.devnet.contracts.plainToken);
    expect(result).toMatchObject({
      verdict: "allow",
      reasonCodes: ["CODE_PRESENT", "NO_PROXY_SLOT", "ERC20_DETECTED"],
      findings: {
        isContract: true,
        standards: {
          erc20: { implements: "yes", selectorsFound: 6, selectorsMissing: [], claim: null },
          erc165: { implements: "no" },
          erc721: { implements: "no" },
          erc1155: { implements: "no" },
        },
        probes: { totalSupply: "answered", decimals: "answered", supportsErc165: "refused" },
        proxy: null,
        scans: { subject: { scanner: "evmole 0.8.4", source: "now" }, implementation: null },
      },
      batches: 1,
      gathered: { status: "miss" },
    });
    const { fingerprint, scans } = result.gathered;
    expect(fingerprint).toMatchObject({
      address: lowercase(local.devnet.contracts.plainToken),
      codeHash: result.findings.codeHash,
      computedAtBlock: result.block.number,
    });
    expect(scans).toEqual([
      {
        codeHash: fingerprint?.codeHash,
        scanner: "evmole 0.8.4",
        selectors: expect.arrayContaining(["0xa9059cbb"]),
      },
    ]);
    expect(result.facts).toMatchObject([{ codeHash: fingerprint?.codeHash, slots: { length: 5 } }]);
  });

  test("a collection is found by its claims and its functions", async () => {
    expect(await inspect(local.devnet.contracts.erc721)).toMatchObject({
      verdict: "allow",
      reasonCodes: ["CODE_PRESENT", "NO_PROXY_SLOT", "ERC165_DETECTED", "ERC721_DETECTED"],
      findings: {
        standards: {
          erc721: { implements: "yes" },
          erc721Metadata: { implements: "yes" },
          erc20: { implements: "no" },
        },
      },
      batches: 1,
    });
  });

  test("so is a collection of many tokens", async () => {
    expect(await inspect(local.devnet.contracts.erc1155)).toMatchObject({
      verdict: "allow",
      reasonCodes: ["CODE_PRESENT", "NO_PROXY_SLOT", "ERC165_DETECTED", "ERC1155_DETECTED"],
      findings: { standards: { erc1155: { implements: "yes" }, erc721: { implements: "no" } } },
    });
  });

  test("a contract that is no token is allowed as such", async () => {
    expect(await inspect(local.devnet.contracts.boxV1)).toMatchObject({
      verdict: "allow",
      reasonCodes: ["CODE_PRESENT", "NO_PROXY_SLOT", "NO_STANDARD_DETECTED"],
    });
  });

  test("a plain account implements nothing", async () => {
    const result = await inspect(NOWHERE);
    expect(result).toMatchObject({
      verdict: "review",
      reasonCodes: ["NO_CODE"],
      findings: { isContract: false, standards: { erc20: { implements: "no" } } },
      batches: 1,
      gathered: { status: "miss", fingerprint: { codeHash: null } },
    });
    expect(result.gathered.scans).toBeUndefined();
  });

  test("a native token shows its answers only", async () => {
    expect(await inspect(await setCode("0xef"))).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["NATIVE_TOKEN_CODE"]),
      gathered: { readings: { scan: null } },
    });
  });
});

describe("contracts that claim falsely", () => {
  /** supportsInterface(bytes4) behind a real dispatcher, answering by the program given; nothing else. */
  const claiming = (program: string) => `0x5f3560e01c806301ffc9a71461001357${"5f5ffd"}5b50${program}`;

  test("yes to everything is believed in nothing", async () => {
    const address = await setCode(claiming("60015f5260205ff3"));
    expect(await inspect(address)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["ERC165_NOT_FOLLOWED"]),
      findings: {
        standards: {
          erc165: { implements: "no", selectorsFound: 1 },
          erc721: { implements: "no" },
          erc1155: { implements: "no" },
        },
      },
    });
  });

  test("yes to all but the invalid id claims functions that are not there", async () => {
    // Returns whether the argument's first four bytes are other than 0xffffffff.
    const address = await setCode(claiming("60043560e01c63ffffffff1415" + "5f5260205ff3"));
    expect(await inspect(address)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["ERC165_DETECTED", "ERC165_CLAIM_WITHOUT_SELECTORS"]),
      findings: {
        standards: {
          erc165: { implements: "yes" },
          erc721: { implements: "unknown", selectorsFound: 0 },
          erc1155: { implements: "unknown", selectorsFound: 0 },
        },
      },
    });
  });

  test("a fallback that answers every call with one contradicts the empty list of functions", async () => {
    expect(await inspect(await setCode("0x60015f5260205ff3"))).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["PROBE_CONTRADICTS_SELECTORS", "ERC165_NOT_FOLLOWED"]),
      findings: { standards: { erc20: { implements: "probable", selectorsFound: 0 } } },
    });
  });

  test("the functions of a token that all revert contradict its answers", async () => {
    // A dispatcher that sends the six mandatory selectors of ERC-20 to one place, which reverts.
    const selectors = ["18160ddd", "70a08231", "a9059cbb", "23b872dd", "095ea7b3", "dd62ed3e"];
    const end = (5 + selectors.length * 11 + 3).toString(16).padStart(4, "0");
    const cases = selectors.map((selector) => `8063${selector}1461${end}57`).join("");
    const address = await setCode(`0x5f3560e01c${cases}5f5ffd5b5f5ffd`);
    expect(await inspect(address)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["PROBE_CONTRADICTS_SELECTORS"]),
      findings: { standards: { erc20: { implements: "unknown", selectorsFound: 6 } } },
    });
  });
});

describe("scans", () => {
  test("a scan that a settled call has left is reused for any address with the same code", async () => {
    const { gathered } = await inspect(local.devnet.contracts.plainToken);
    records.keepScans(gathered.scans ?? []);
    try {
      const copy = await setCode(
        await local.devnet.request("eth_getCode", [local.devnet.contracts.plainToken, "latest"]),
      );
      const again = await inspect(copy);
      expect(again).toMatchObject({
        verdict: "allow",
        findings: { scans: { subject: { source: "reused" } } },
        gathered: { status: "partial" },
      });
      expect(again.gathered.scans).toBeUndefined();
      // A clone's own code is new, what is behind it is not.
      const clone = await inspect(await setCode(cloneOf(copy), NOWHERE));
      expect(clone.gathered.status).toBe("miss");
      expect(clone.findings.scans).toMatchObject({
        subject: { source: "now" },
        implementation: { source: "reused" },
      });
    } finally {
      records.clear();
    }
  });

  test("code up to 65,536 bytes is scanned, longer code is a review", async () => {
    expect(await inspect(await setCode(`0x00${"5b".repeat(65_535)}`))).toMatchObject({ verdict: "allow" });
    expect(await inspect(await setCode(`0x00${"5b".repeat(65_536)}`))).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["CODE_TOO_LARGE", "STANDARD_UNCERTAIN"]),
      gathered: { status: "miss" },
    });
  });

  test("code that keeps the scanner busy is a review and leaves no scan", async () => {
    const result = await inspect(await setCode("0x60005b80602001805f52815150600256"));
    expect(result).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["SCAN_UNFINISHED"]),
    });
    expect(result.gathered.scans).toBeUndefined();
    expect(result.gathered.fingerprint).toBeDefined();
  });
});

describe("a node that fails", () => {
  const PROBE_NAMES = [
    "supportsErc165",
    "supportsInvalid",
    "supportsErc721",
    "supportsErc721Metadata",
    "supportsErc1155",
    "totalSupply",
    "balanceOf",
    "decimals",
  ];

  test.each([
    ["code", (read: ChainRead) => read.kind === "code", "CODE_UNREAD"],
    ...Object.entries({
      eip1967Implementation: knownSlots.eip1967Implementation,
      eip1967Admin: knownSlots.eip1967Admin,
      eip1967Beacon: knownSlots.eip1967Beacon,
      eip1822Implementation: knownSlots.eip1822Implementation,
      zeppelinosImplementation: knownSlots.zeppelinosImplementation,
    }).map(
      ([name, slot]) =>
        [
          name,
          (read: ChainRead) => read.kind === "proof" || (read.kind === "storage" && read.slot === slot),
          "SLOT_UNREAD",
        ] as const,
    ),
  ] as const)("at %s makes a plain token a review", async (name, matches, reason) => {
    const result = await inspect(local.devnet.contracts.plainToken, deafTo(matches));
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toContain(reason);
    expect(result.gathered.fingerprint === undefined).toBe(name === "code");
  });

  test.each(PROBE_NAMES.map((name, index) => [name, index] as const))(
    "at %s makes a plain token a review",
    async (name, index) => {
      let seen = -1;
      const deaf = deafTo((read) => {
        if (read.kind === "call") seen += 1;
        return read.kind === "call" && seen === index;
      });
      const result = await inspect(local.devnet.contracts.plainToken, deaf);
      expect(result.verdict).toBe("review");
      expect(result.reasonCodes).toContain("INTERFACE_PROBE_UNREAD");
      expect(result.findings.probes).toMatchObject({ [name]: "unread" });
    },
  );

  test.each(["transparentProxy", "beaconProxy", "minimalProxy"] as const)(
    "between the batches makes %s a review",
    async (name) => {
      const own = lowercase(local.devnet.contracts[name]);
      const isOwn = (read: ChainRead) =>
        read.kind === "call" ? read.to === own : "address" in read && read.address === own;
      const result = await inspect(
        local.devnet.contracts[name],
        deafTo((read) => !isOwn(read)),
      );
      expect(result.verdict).toBe("review");
      expect(result.reasonCodes).toContain("IMPLEMENTATION_UNREAD");
    },
  );
});

test.each([
  ["plainToken", undefined],
  ["uupsProxy", 10],
  ["transparentProxy", 10],
  ["beaconProxy", 10],
  ["legacyProxy", 10],
] as const)(
  "an answer about %s holds for the catalog's week only if its code stays: %s",
  async (name, ttlSeconds) => {
    expect((await inspect(local.devnet.contracts[name])).gathered.ttlSeconds).toBe(ttlSeconds);
  },
);

test("unread slots shorten the answer's life too", async () => {
  const deaf = deafTo(({ kind }) => kind === "storage" || kind === "proof");
  expect((await inspect(local.devnet.contracts.plainToken, deaf)).gathered.ttlSeconds).toBe(10);
});
