import { describe, expect, test } from "vitest";
import { checkClaim } from "./checkClaim.js";

const resultOf = (page: string, claim: string) => checkClaim(claim, page).result;

describe("a claim with the page's parts in another order, or one of several, is supported", () => {
  test.each([
    [
      "If the first key fails, the box tries another key.",
      "The box tries another key if the first key fails",
    ],
    [
      "The box tries another key if the first key fails.",
      "If the first key fails, the box tries another key",
    ],
    ["From version 0.5.2 a setup script is provided.", "A setup script is provided from version 0.5.2"],
    ["Added fields for the minor number.", "Fields for the minor number were added"],
    ["Replaced the old checksum with a real one.", "The old checksum was replaced with a real one"],
    ["Here, Ann Lee is the mayor of Oban.", "The mayor of Oban is Ann Lee"],
    ["However, the maps and the books are saved in their order.", "Books are saved in their order"],
    ["The tool may use libraries such as Ant and Bee.", "The tool may use Ant and Bee"],
    [
      "Plain code is easy to port, easy to read for flaws, and easy to change.",
      "Plain code is easy to read for flaws",
    ],
    ["When the tank is full, the pump will stop the flow.", "The pump stops the flow when the tank is full"],
  ])("%s — %s", (page, claim) => expect(resultOf(page, claim)).toBe("supported"));
});

describe("and one that leaves out the condition, or joins what is apart, is not", () => {
  test.each([
    ["If the first key fails, the box tries another key.", "The box tries another key"],
    [
      "If the first key fails, the box tries another key.",
      "The first key fails if the box tries another key",
    ],
    ["The gate opens only if the guard rings twice.", "If the guard rings twice, the gate opens"],
    [
      "Unless the guard rings, the gate stays shut, if it is night.",
      "The gate stays shut unless the guard rings",
    ],
    ["The council will build the bridge.", "The council builds the bridge"],
    ["When the plan passes, the bridge will be open.", "The bridge is open when the plan passes"],
    ["Added by Ann Lee in May.", "Ann Lee was added in May"],
    ["The maps or the books are sold in May.", "The books are sold in May"],
    ["The rooms of Ann and Bert are painted red.", "Bert's rooms are painted red, and Ann was painted"],
    ["The pipes and the tanks are joined in Oban.", "The pipes are joined in Oban"],
    ["The tool uses no libraries such as Ant and Bee.", "The tool uses Ant and Bee"],
    ["It is said that Ann Lee is the mayor of Oban.", "The mayor of Oban is Ann Lee"],
    ["In my opinion the old mill is not that safe.", "The old mill is not that safe"],
    ["To our knowledge, the mayor of Oban is Ann Lee.", "The mayor of Oban is Ann Lee"],
    ["Perhaps Ann Lee is the mayor of Oban.", "The mayor of Oban is Ann Lee"],
    ["The critics say the plan is the best of all.", "The best of all is the plan"],
  ])("%s — %s", (page, claim) => expect(resultOf(page, claim)).not.toBe("supported"));
});

test("a number that differs is seen in another order too", () => {
  const page = "From version 0.5.2 a setup script is provided.";
  expect(resultOf(page, "A setup script is provided from version 0.4.2")).toBe("contradicted_wording_absent");
});
