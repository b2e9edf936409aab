import { refusedPages } from "@assay/pages";
import { AssayError } from "@assay/protocol";
import { expect, test } from "vitest";
import { gatherer } from "./gather.js";

test("a page that could not be read a moment ago is refused before anybody pays", () => {
  const input = { question: "Will it rain?", market: "https://www.wikipedia.org/drawn-by-scripts" };
  const check = () => gatherer.checkInput?.(input, { webTestHosts: new Map(), swapRouters: [] });
  expect(check).not.toThrow();
  refusedPages.remember(
    input.market,
    new AssayError(
      "web_page_unsupported",
      "The page cannot be read. It shows its text only after its scripts have run.",
    ),
  );
  expect(check).toThrow(/scripts/);
});
