import { capabilities, findCapability } from "@assay/capabilities";
import { listLocalSamples } from "@assay/capabilities/samples";
import type { Verdict } from "@assay/protocol";
import { expect, test } from "vitest";
import { asPost } from "../payer.js";
import { useTestService } from "../useTestService.js";

const service = useTestService();

/** What a newcomer is offered to try, and what it leads to. */
const expected: Record<string, Record<string, Verdict>> = {
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
  "message.intent.guard": {
    "Pay everything by signature": "block",
    "Pay five cents by signature": "allow",
    "Sign a hash": "block",
    "Sign in": "allow",
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
    "Approve without a limit": "allow",
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
    table: "allow",
    "windows-1252": "allow",
  },
};

test("every sample of the local chain is answered, and says what its name promises", async () => {
  const wallet = service.account("alice").address;
  const verdicts: typeof expected = {};
  for (const [capability, samples] of Object.entries(listLocalSamples(service.chainOf))) {
    const answers: Record<string, Verdict> = {};
    for (const { name, input } of samples) {
      const query = capability === "web.compile" ? { ...input, wallet } : input;
      const { verdict } = await (findCapability(capability)?.method === "POST"
        ? service.buy(service.invokeUrl(capability), "alice", asPost(input))
        : service.buy(service.invokeUrl(capability, query)));
      answers[name] = verdict;
    }
    verdicts[capability] = answers;
  }
  expect(verdicts).toEqual(expected);
  const without = capabilities.map(({ id }) => id).filter((id) => !(id in expected));
  expect(without).toEqual(["evidence.artifact", "obligation.verdict"]);
}, 120_000);
