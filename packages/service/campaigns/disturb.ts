import { runFromCommandLine } from "./commandLine.js";
import { type DisturbanceName, disturbances, runDisturbance } from "./runDisturbance.js";

const names = Object.keys(disturbances) as DisturbanceName[];
const flags = ["seconds", "payers", "--without-protection", ...names.map((name) => `--${name}`)];
await runFromCommandLine(flags, (options, read, isSet) => {
  const [name, ...others] = names.filter((one) => isSet(one));
  if (name === undefined || others.length > 0) throw new Error(`Name one trouble: --${names.join(", --")}.`);
  return runDisturbance({
    ...options,
    name,
    seconds: read("seconds", 20),
    payers: read("payers", 6),
    withoutProtection: isSet("without-protection"),
  });
});
// A control may leave connections behind.
process.exit();
