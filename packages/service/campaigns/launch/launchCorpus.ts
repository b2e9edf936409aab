import { falseLockers } from "./falseLockers.js";
import { furtherHonest } from "./furtherHonest.js";
import { furtherTraps } from "./furtherTraps.js";
import { type LaunchCase, step } from "./launchCase.js";
import { companions, holdings } from "./launchParties.js";
import { honestRules, OWNED, ownedRules, type Ruled, trappingRules } from "./launchRules.js";
import { oddBooks } from "./oddBooks.js";
import { recentHonest } from "./recentHonest.js";
import { recentTraps } from "./recentTraps.js";
import { soundBooks } from "./soundBooks.js";
import { keyParts, powerParts, writeKeyedToken, writeRuledToken } from "./tokenSources.js";
import { wildHonest } from "./wildHonest.js";
import { wildSchemes } from "./wildSchemes.js";
import { wildTraps } from "./wildTraps.js";

/** Every power with every place of its key. */
function listKeyed(): LaunchCase[] {
  return powerParts.flatMap((power, at) =>
    keyParts
      // Each power with half of the places, so that every place meets eight powers.
      .filter((_, index) => (index + at) % 2 === 0 || index === 0)
      .map((key): LaunchCase => {
        const name = `${power.name}${key.name}`;
        return {
          name,
          label: "trap",
          kind: `${power.name}, key in ${key.name}`,
          source: writeKeyedToken(name, key, power),
          contract: name,
          arm: [...(power.name === "TwoSteps" ? [step(["prime()"])] : []), step(power.arm)],
          ...(power.dumps && { rug: "dump" as const }),
          ...(power.name === "Grants" && { rug: "dump" as const }),
        };
      }),
  );
}

/** The same with the key given up. */
function listRenounced(): LaunchCase[] {
  const [owner] = keyParts;
  if (!owner) return [];
  return powerParts.map((power): LaunchCase => {
    const name = `Gone${power.name}`;
    return {
      name,
      label: "honest",
      kind: "key given up",
      source: writeKeyedToken(name, owner, power),
      contract: name,
      finish: [step(["renounceOwnership()"])],
    };
  });
}

function listRuled(rules: readonly Ruled[], label: LaunchCase["label"], extra = ""): LaunchCase[] {
  return rules.map(([name, rule, members = "", more = {}]) => ({
    name,
    label,
    kind: label === "trap" ? name : extra === "" ? "rule without a key" : "owner with bounded powers",
    source: writeRuledToken(name, rule, `${extra}${members}`),
    contract: name,
    ...more,
  }));
}

/** Tokens whose owner has a bounded power and left, and some with other decimals, to vary what is honest. */
function listVaried(): LaunchCase[] {
  return ownedRules.slice(0, 9).map(([name, rule, members = "", more = {}]): LaunchCase => {
    const varied = `${name}Gone`;
    return {
      name: varied,
      label: "honest",
      kind: "key given up",
      source: writeRuledToken(varied, rule, `${OWNED}${members}`, 9),
      contract: varied,
      finish: [...(more.finish ?? []), step(["renounceOwnership()"])],
    };
  });
}

export const launchCorpus: readonly LaunchCase[] = [
  ...listKeyed(),
  ...listRuled(trappingRules, "trap"),
  ...holdings,
  ...companions,
  ...listRenounced(),
  ...listRuled(honestRules, "honest"),
  ...listRuled(ownedRules, "honest", OWNED),
  ...listVaried(),
  ...wildTraps,
  ...wildSchemes,
  ...wildHonest,
  ...oddBooks,
  ...soundBooks,
  ...recentTraps,
  ...recentHonest,
  ...furtherTraps,
  ...falseLockers,
  ...furtherHonest,
];
