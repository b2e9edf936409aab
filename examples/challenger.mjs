// Searches for false claims with its own node and challenges them: node examples/challenger.mjs
// Challenging is free and signed. The first valid counterexample wins what the opener promised. Beside `npm start` the
// example first plays a wallet that makes a false claim.
import { createClient, scanClaim } from "@assay/client";
import { setup } from "./setup.mjs";
import { stageFalseClaim } from "./stage.mjs";

const place = setup("carol");
const { baseUrl, rpcUrl, account } = place;
if (place.testWallet) await stageFalseClaim(place);
const assay = createClient({ baseUrl, account });
const { claims, listFeed } = await assay.claims({ limit: 100 });
console.log(`${claims.length} open claims (feed ${listFeed})`);

for (const { claimId, assertion } of claims) {
  const { counterexample, blocksRead, windowBlocks, isComplete } = await scanClaim(assertion, rpcUrl);
  if (counterexample === null) {
    const found = isComplete ? "it holds" : "nothing found against it";
    console.log(`${claimId}: ${blocksRead} of ${windowBlocks} blocks read, ${found}`);
    continue;
  }
  const { resolution, reward } = await assay.challengeClaim(claimId, counterexample);
  console.log(`${claimId}: ${resolution} with ${JSON.stringify(counterexample)}`);
  if (reward) console.log(`  ${reward.rewardUsd} USD owed by ${reward.rewardOwedBy}`);
}
