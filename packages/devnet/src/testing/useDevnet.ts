import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Devnet } from "../createDevnet.js";
import { borrowDevnet, type LentDevnet } from "./sharedDevnet.js";

/** A devnet without idle blocks for the tests of one file; what a test changes in its state is undone after it. */
export function useDevnet(): { readonly devnet: Devnet } {
  let lent: LentDevnet;
  let snapshot: Awaited<ReturnType<Devnet["snapshot"]>>;
  beforeAll(async () => {
    lent = await borrowDevnet();
  }, 60_000);
  afterAll(() => lent?.release());
  beforeEach(async () => {
    snapshot = await lent.devnet.snapshot();
  });
  afterEach(() => lent.devnet.revert(snapshot));
  return {
    get devnet() {
      return lent.devnet;
    },
  };
}
