import type { Hex } from "@assay/protocol";
import { expect, test } from "vitest";
import { compareHoldings, type Foretold, listForetoldPermissions } from "./compareEffects.js";

const [ALICE, BOB, TOKEN, ITEMS]: [Hex, Hex, Hex, Hex] = [
  "0x00000000000000000000000000000000000a11ce",
  "0x0000000000000000000000000000000000000b0b",
  "0x0000000000000000000000000000000000070ce1",
  "0x00000000000000000000000000000000000172e5",
];
const tokens = { erc721: [ITEMS], growing: [] as Hex[] };
const leaves = [
  { kind: "native", token: null, id: null, amount: "5" },
  { kind: "erc20", token: TOKEN, id: null, amount: "70" },
];
const returns = [{ kind: "erc721", token: ITEMS, id: "3", amount: "1" }];
const before = new Map([
  ["ether", 100n],
  [TOKEN as string, 80n],
  [ITEMS as string, 0n],
  [`${ITEMS} item 3`, 0n],
]);
const after = new Map([
  ["ether", 93n],
  [TOKEN as string, 10n],
  [ITEMS as string, 1n],
  [`${ITEMS} item 3`, 1n],
]);
const compare = (effects: Partial<Foretold["effects"]>, fee = 2n, growing: Hex[] = []) =>
  compareHoldings(
    { effects: { accounts: [ALICE], leaves, returns, ...effects } },
    { ...tokens, growing },
    before,
    after,
    fee,
  );

test("what is foretold and happens is no difference, the fee apart", () => {
  expect(compare({})).toEqual({ compared: 4, rounded: 0, differences: [] });
  expect(compare({}, 1n).differences).toEqual(["ether: -5 foretold, -6 on chain"]);
});

test("what was not foretold, or foretold and does not happen, is a difference", () => {
  expect(compare({ leaves: leaves.slice(0, 1) }).differences).toEqual([`${TOKEN}: 0 foretold, -70 on chain`]);
  expect(compare({ returns: [] }).differences).toEqual([
    `${ITEMS}: 0 foretold, 1 on chain`,
    `${ITEMS} item 3: 0 foretold, 1 on chain`,
  ]);
  const other = { kind: "erc20", token: BOB, id: null, amount: "1" };
  expect(compare({ returns: [...returns, other] }).differences).toEqual([
    `${BOB}: foretold, but nothing on chain counts it`,
  ]);
});

test("only a token that grows may differ by its last unit, and only where something was foretold", () => {
  const [ether, seventy] = leaves as [(typeof leaves)[0], (typeof leaves)[0]];
  const said = (amount: string) => ({ leaves: [ether, { ...seventy, amount }] });
  expect(compare(said("71"), 2n, [TOKEN])).toEqual({ compared: 4, rounded: 1, differences: [] });
  expect(compare(said("71")).differences).toEqual([`${TOKEN}: -71 foretold, -70 on chain`]);
  expect(compare(said("72"), 2n, [TOKEN]).differences).toEqual([`${TOKEN}: -72 foretold, -70 on chain`]);
  expect(compare({ returns: [] }, 2n, [ITEMS]).differences).toHaveLength(2);
});

test("a measured permission is exact, and one that only an event states may be used up", () => {
  const place = { keeper: TOKEN, token: TOKEN, owner: ALICE, spender: BOB };
  const act = { kind: "approval", form: "erc20", ...place, amount: "100", isRevocation: false } as const;
  const effects = { accounts: [ALICE], leaves, returns };
  const list = (one: Pick<Foretold, "acts" | "measured" | "traced">) =>
    listForetoldPermissions({ ...one, execution: { status: "succeeds" }, effects }, tokens);
  const permission = { view: "allowance", ...place };
  const measured = { allowances: [{ ...place, form: "erc20", after: "30" }] };
  const traced = { allowances: [{ ...place, kind: "allowance" as const, amount: "100" }] };
  expect(list({ acts: [act], measured, traced })).toEqual([{ permission, values: [30n] }]);
  expect(list({ acts: [], measured: null, traced })).toEqual([{ permission, values: [100n, 30n] }]);
});
