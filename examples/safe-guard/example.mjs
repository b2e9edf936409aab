// A co-signer of a Safe that has each transaction judged before it signs: node examples/safe-guard/example.mjs
// It needs Safe's kit: npm ci --ignore-scripts --legacy-peer-deps in this folder.
import { once } from "node:events";
import { createClient, guardedSign } from "@assay/client";
import Safe, { EthSafeSignature } from "@safe-global/protocol-kit";
import { isGuarded, planCalls } from "../scene.mjs";
import { setup } from "../setup.mjs";
import { serveCoSigner } from "./coSigner.mjs";
import { stageSafe } from "./stageSafe.mjs";

const { baseUrl, rpcUrl, account: owner, contracts, testWallet, testKey } = setup("heidi");
const proposer = testWallet("grace");
const safe = await stageSafe({ rpcUrl, proposer, owner, contracts });

// Keep this from a first visit you trust: a service that may name its own key can vouch for itself.
const { signingAddress: signer } = await createClient({ baseUrl }).describe();
const assay = createClient({ baseUrl, account: owner, signer, maxPriceUsd: 0.25, maxTotalUsd: 5 });
const sign = async (typedData) =>
  isGuarded()
    ? guardedSign(owner, { typedData }, { assay, signer, node: rpcUrl })
    : { signature: await owner.signTypedData(typedData) };
const server = serveCoSigner({ safes: [safe], sign });
server.listen(0, "127.0.0.1");
await once(server, "listening");

// The proposer's side: Safe's own kit, and a request to the co-signer instead of a message to a person.
const kit = await Safe.init({ provider: rpcUrl, signer: testKey("grace"), safeAddress: safe });
const { swap, drain, readStolen } = await planCalls({ rpcUrl, account: { address: safe }, contracts });
for (const [name, { to, data, value }] of Object.entries({ swap, drain })) {
  const call = { to, data, value: value.toString() };
  const proposed = await kit.signTransaction(await kit.createTransaction({ transactions: [call] }));
  const response = await fetch(`http://127.0.0.1:${server.address().port}/proposals`, {
    method: "POST",
    body: JSON.stringify({ safe, transaction: proposed.data }),
  });
  const answer = await response.json();
  if (response.ok) proposed.addSignature(new EthSafeSignature(owner.address, answer.signature));
  else
    console.log(
      `${name}: co-signer answers ${response.status}, ${answer.verdict}: ${answer.reasons.join(", ")}`,
    );
  try {
    const { hash } = await kit.executeTransaction(proposed);
    console.log(`${name}: ${proposed.signatures.size} of 2 signed, executed ${hash.slice(0, 10)}…`);
  } catch (error) {
    console.log(
      `${name}: ${proposed.signatures.size} of 2 signed, not executed: ${error.message.split("\n")[0]}`,
    );
  }
}
console.log(`The stranger may take ${await readStolen()}.`);
server.close();
