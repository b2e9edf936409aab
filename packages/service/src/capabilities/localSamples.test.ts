import { capabilityInputs, capabilityResultSchema, findCapabilitySpec } from "@assay/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountOf, pay } from "../testing/payer.js";
import { startTestService, type TestService } from "../testing/startTestService.js";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ RATE_LIMITS: "off" });
}, 60_000);
afterAll(() => service?.stop());

/** What a newcomer is offered to try, and what it leads to. */
const expected: Record<string, Record<string, "allow" | "review" | "block">> = {
  "amm.swap.guard": {
    "0.01 ether for 20 dollars or more": "review",
    "0.01 ether for 29.90 dollars or more": "allow",
    "0.01 ether for whatever comes": "block",
  },
  "amm.v4.hook.guard": {
    "Hook behind a proxy": "review",
    "Hook that lets nothing out": "block",
    "Hook that takes 0.1 %": "review",
    "Hook that takes a tenth": "block",
    "Without a hook": "allow",
  },
  "chain.snapshot": {
    Now: "allow",
  },
  "contract.change": {
    pausableToken: "review",
    upgradeableProxy: "review",
  },
  "contract.guard": {
    beaconProxy: "review",
    pausableToken: "allow",
    plainToken: "allow",
    upgradeableProxy: "review",
  },
  "contract.interface": {
    erc1155: "allow",
    erc721: "allow",
    plainToken: "allow",
  },
  "lending.collateral.guard": {
    "Borrow 24,000": "review",
    "Borrow 30,000, too much": "block",
    "Borrow 5,000 on ten ether": "allow",
  },
  "prediction.evidence": {
    "Another question": "review",
    "The lamp": "allow",
  },
  "rwa.market.guard": {
    permissionedToken: "allow",
    plainToken: "review",
  },
  "token.launch.guard": {
    freshToken: "allow",
    honeypotToken: "block",
    taxedToken: "review",
  },
  "token.metadata": {
    bytes32Token: "allow",
    pausableToken: "allow",
    plainToken: "allow",
  },
  "trade.execution.notarize": {
    "A swap of plain tokens": "allow",
  },
  "transaction.intent.guard": {
    "Approve 25 dollars": "allow",
    "Approve without a limit": "review",
    "Hand over every NFT": "block",
    "Send 5 dollars": "allow",
  },
  "web.compile": {
    article: "allow",
    docs: "allow",
    forum: "allow",
    "hidden-injection": "block",
    "lights.json": "allow",
    moved: "allow",
    "non-latin": "allow",
    "notes.txt": "allow",
    prediction: "allow",
    "script-only": "review",
    table: "allow",
    "windows-1252": "allow",
  },
};

test("every sample of the local chain is answered, and says what its name promises", async () => {
  const verdicts: typeof expected = {};
  const alice = accountOf(service, "alice");
  const headers = { "content-type": "application/json" };
  for (const [capability, samples] of Object.entries(service.chainOf.samples)) {
    const method = findCapabilitySpec(capability)?.method;
    const url = `${service.url}/api/v1/capabilities/${capability}/invoke`;
    verdicts[capability] = {};
    for (const { name, input } of samples) {
      const query = new URLSearchParams();
      for (const [key, value] of Object.entries(input)) query.set(key, String(value));
      if (capability === "web.compile") query.set("wallet", alice.address);
      const { response } = await (method === "POST"
        ? pay(url, alice, { method, headers, body: JSON.stringify(input) })
        : pay(`${url}?${query}`, alice));
      const body = await response.json();
      expect(response.status, `${capability}, ${name}: ${JSON.stringify(body)}`).toBe(200);
      verdicts[capability][name] = capabilityResultSchema.parse(body).verdict;
    }
  }
  expect(verdicts).toEqual(expected);
  expect(Object.keys(capabilityInputs).filter((id) => !(id in expected))).toEqual([
    "evidence.artifact",
    "obligation.verdict",
  ]);
}, 120_000);
