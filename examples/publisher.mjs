// Fulfils open bounties with fingerprints that it computes itself: node examples/publisher.mjs
// Publishing is free and signed. Each reuse by another wallet then earns credit that lowers the publisher's own prices.
// Demand comes from callers: `npx assay quote contract.guard --address 0x…` is enough to make a bounty. Beside `npm start`
// the example plays such a caller first.
import { computeFingerprint, createClient, ProblemError } from "@assay/client";
import { setup } from "./setup.mjs";
import { stageBounty } from "./stage.mjs";

const place = setup("bob");
const { baseUrl, rpcUrl, account } = place;
if (place.testWallet) await stageBounty(place);
const assay = createClient({ baseUrl, account });
const { bounties, passport } = await assay.bounties({ limit: 100, passport: true });
const open = bounties.filter(({ fulfillment }) => fulfillment === "publish");
console.log(`${bounties.length} bounties, ${open.length} to be fulfilled by publishing`);
if (passport?.withheldByHeadStart)
  console.log(`${passport.withheldByHeadStart} more are for attested publishers first`);

for (const { input, misses } of open) {
  // From a node we trust: a fingerprint that the chain contradicts is burned, and our public record shows it.
  const fingerprint = await computeFingerprint(rpcUrl, input.address);
  try {
    const { address, seeder } = await assay.publish(fingerprint);
    const { dividendPerSettledReusePct, lifetimeCapUsd } = seeder.economics;
    console.log(`published ${address}, asked for ${misses} times`);
    console.log(
      `  earns ${dividendPerSettledReusePct} % of each reuse by others, up to ${lifetimeCapUsd} USD of credit`,
    );
  } catch (error) {
    // Another publisher was faster; nothing is lost.
    if (!(error instanceof ProblemError && error.code === "fingerprint_fresh")) throw error;
    console.log(`already published: ${input.address}`);
  }
}

const { publications, dividends } = await assay.publisher(account.address);
console.log(
  `record: ${publications.passed} passed, ${publications.failed} failed, ${dividends.totalUsd} USD earned`,
);
