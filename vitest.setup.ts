import fc from "fast-check";

// The same cases on every run: a property that fails here fails everywhere. `npm run campaign:properties` tries more cases of
// the properties that state no number of runs, from another seed each time.
const runs = Number(process.env.ASSAY_PROPERTY_RUNS);
fc.configureGlobal(runs > 0 ? { numRuns: runs } : { seed: 8453 });
