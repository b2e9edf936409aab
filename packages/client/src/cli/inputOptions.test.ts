import { capabilities } from "@assay/capabilities/capabilities";
import { expect, it } from "vitest";
import { listInputOptions } from "./inputOptions.js";

it("describes every option of every capability in words", () => {
  const bare = capabilities.flatMap(({ id }) =>
    listInputOptions(id)
      .filter(({ field, option }) => option.description === field)
      .map(({ field }) => `${id} ${field}`),
  );
  expect(bare).toEqual([]);
});
