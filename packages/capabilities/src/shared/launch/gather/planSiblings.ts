import type { ChainRead } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { decodeFunctionResult } from "viem";
import { nameCreated } from "../../code/nameCreated.js";
import { findParty } from "../../parties/findParty.js";
import { callLaunchProbe, launchProbe } from "../../pools/gather/findPools.js";
import { parseProbeAnswer } from "../../simulation/gather/parseProbeAnswer.js";
import type { SiblingReadings } from "../siblingReadings.js";
import type { Joint } from "./jointProbes.js";

const MAX_SIBLINGS = 32;
/** How many nonces of the first account, and of each other, are tried for the token's address. A thousand take about ten milliseconds. */
const FIRST_NONCES = 1_024;
const OTHER_NONCES = 64;
const MAX_CREATORS = 5;
/** Each of them is read cold for 2,600 gas (EIP-2929). */
const GAS = { leastGas: 400_000, usualGas: 200_000 };
/** Of an account that is not there, and of one without code (EIP-1052). */
const NO_CODE: readonly string[] = [
  `0x${"0".repeat(64)}`,
  "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
];

interface SiblingQuestion {
  readonly token: Hex;
  /** Accounts that may have created it, the likeliest first. */
  readonly candidates: readonly Hex[];
  readonly trader: Hex;
  price<R extends ChainRead>(read: R): R;
}

/** Which account created the token, and what else it created at about that time. */
export function planSiblings(
  joint: Joint,
  { token, candidates, trader, price }: SiblingQuestion,
): { parse(): SiblingReadings } {
  const creation = findCreation(token, candidates.slice(0, MAX_CREATORS));
  const factory = findFactory(creation === null ? candidates : [creation.creator]);
  if (creation === null || factory !== null) return { parse: () => ({ creation, factory, others: null }) };
  const nonces = listNearest(creation.nonce);
  const accounts = nonces.map((nonce) => nameCreated(creation.creator, nonce));
  const answer = joint.ask({
    read: price(callLaunchProbe(trader, "codeHashes", [accounts], {})),
    scene: "as it is",
    ...GAS,
  });
  return {
    parse: () => ({
      creation,
      factory,
      others: parseProbeAnswer(answer(), (data) => {
        const hashes = decodeFunctionResult({
          abi: launchProbe.abi,
          functionName: "codeHashes",
          data,
        }) as readonly Hex[];
        return nonces
          .map((nonce, index) => ({ nonce, codeHash: hashes[index] as Hex }))
          .filter(({ codeHash }) => !NO_CODE.includes(codeHash));
      }),
    }),
  };
}

function findCreation(token: Hex, candidates: readonly Hex[]): SiblingReadings["creation"] {
  for (const [index, creator] of candidates.entries()) {
    const end = index === 0 ? FIRST_NONCES : OTHER_NONCES;
    for (let nonce = 0; nonce < end; nonce++)
      if (nameCreated(creator, nonce) === token) return { creator, nonce };
  }
  return null;
}

function findFactory(candidates: readonly Hex[]): SiblingReadings["factory"] {
  const known = candidates.map(findParty).find((party) => party?.role === "factory");
  return known ? { address: known.address, name: known.name } : null;
}

/** The numbers around this one, the nearest first. What was not created yet has no code. */
function listNearest(nonce: number): number[] {
  const distances = Array.from({ length: MAX_SIBLINGS }, (_, index) => index + 1);
  return distances
    .flatMap((distance) => [nonce - distance, nonce + distance])
    .filter((other) => other >= 0)
    .slice(0, MAX_SIBLINGS);
}
