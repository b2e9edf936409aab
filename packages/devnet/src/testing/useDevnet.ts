import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createDevnet, type Devnet } from "../createDevnet.js";

/** A devnet without idle blocks for the tests of one file; what a test changes in its state is undone after it. */
export function useDevnet(): { readonly devnet: Devnet } {
  let devnet: Devnet;
  let snapshot: Awaited<ReturnType<Devnet["snapshot"]>>;
  beforeAll(async () => {
    devnet = await createDevnet({ blockTimeMs: 0 });
  });
  afterAll(() => devnet?.close());
  beforeEach(async () => {
    snapshot = await devnet.snapshot();
  });
  afterEach(() => devnet.revert(snapshot));
  return {
    get devnet() {
      return devnet;
    },
  };
}
