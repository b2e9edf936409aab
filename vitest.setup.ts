import fc from "fast-check";

// The same cases on every run: a property that fails here fails everywhere. Campaigns use other seeds.
fc.configureGlobal({ seed: 8453 });
