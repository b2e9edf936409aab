import { getProxyAddress } from "./benchAccounts.mjs";
import { startChain } from "./startChain.mjs";
import { startSubject } from "./subjects.mjs";

/**
 * Runs `use` with a new chain and the named subjects on it, and stops all of them afterwards. The subjects run at the same
 * time and are measured in turn, run by run, so that a disturbance of the machine affects all of them.
 */
export async function withStage({ names, proxies = 1, nodeArgs }, use) {
  const chain = await startChain({ subjects: names, proxies });
  const subjects = [];
  try {
    for (const name of names)
      subjects.push(await startSubject(name, chain, { nodeArgs: name === "assay" ? nodeArgs : [] }));
    // Number 0 was used by the readiness checks.
    let taken = 0;
    const takeProxy = () => {
      taken += 1;
      if (taken >= proxies) throw new RangeError(`The chain was prepared with only ${proxies} proxies.`);
      return getProxyAddress(taken);
    };
    return await use({ chain, subjects, takeProxy });
  } finally {
    await Promise.allSettled(subjects.map((subject) => subject.stop()));
    await chain.stop();
  }
}
