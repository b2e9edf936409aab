import type { Hex } from "@assay/protocol";
import { concatHex, pad, parseEther, toHex } from "viem";
import { encode } from "../accuracy/accuracyWorld.js";
import { transfer, usd } from "../accuracy/caseTools.js";
import { USDC } from "../accuracy/setUp.js";
import { type Caveat, delegation, spendPermission } from "./accountDocuments.js";
import { now } from "./documents.js";
import type { MessageWorld } from "./messageWorld.js";
import { FRUGAL } from "./rowAccounts.js";
import { collect, type TableRow } from "./rowTools.js";

const DAY = 86_400n;
const NATIVE: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const word = (value: bigint): Hex => toHex(value, { size: 32 });

/** One caveat of each enforcer. */
const keep = {
  token: (amount: bigint): Caveat => ({
    enforcer: "0xf100b0819427117ecf76ed94b358b1a5b5c6d2fc",
    terms: concatHex([USDC, word(amount)]),
  }),
  tokenPeriod: (amount: bigint, period: bigint, start = now()): Caveat => ({
    enforcer: "0x474e3ae7e169e940607cc624da8a15eb120139ab",
    terms: concatHex([USDC, word(amount), word(period), word(start)]),
  }),
  ether: (amount: bigint): Caveat => ({
    enforcer: "0xf71af580b9c3078fbc2bbf16fbb8eed82b330320",
    terms: word(amount),
  }),
  etherPeriod: (amount: bigint): Caveat => ({
    enforcer: "0x9bc0faf4aca5ae429f4c06aeeac517520cb16bd9",
    terms: concatHex([word(amount), word(DAY), word(now())]),
  }),
  value: (amount: bigint): Caveat => ({
    enforcer: "0x92bf12322527caa612fd31a0e810472bbb106a8f",
    terms: word(amount),
  }),
  calldata: (terms: Hex): Caveat => ({
    enforcer: "0x99f2e9bf15ce5ec84685604836f71ab835dbbded",
    terms,
  }),
  exact: (data: Hex, to: Hex = USDC): Caveat => ({
    enforcer: "0x146713078d39ecc1f5338309c28405ccf85abfbb",
    terms: concatHex([to, pad("0x", { size: 32 }), data]),
  }),
  targets: (terms: Hex): Caveat => ({ enforcer: "0x7f20f61b1f09b08d970938f6fa563634d65c4eeb", terms }),
  methods: (terms: Hex): Caveat => ({ enforcer: "0x2c21fd0cb9dc8445cb3fb0dc5e7bb0aca01842b5", terms }),
  count: (times: bigint): Caveat => ({
    enforcer: "0x04658b29f6b82ed55274221a06fc97d318e25416",
    terms: word(times),
  }),
  until: (end: bigint): Caveat => ({
    enforcer: "0x1046bb45c8d673d4ea75321280db34899413c069",
    terms: concatHex([toHex(0n, { size: 16 }), toHex(end, { size: 16 })]),
  }),
};

/** What each caveat bounds, and what all of them together leave to the delegate. */
export function listDelegationRows({ alice, bob, thief }: MessageWorld): TableRow[] {
  const tomorrow = keep.until(now() + DAY);
  const rich = collect(alice, (add) => {
    const row = (verdict: TableRow["verdict"], code: string, name: string, ...caveats: Caveat[]) =>
      add(verdict, code, `a delegate: ${name}`, { typedData: delegation(alice, bob, caveats) });
    const everything = ["block", "DELEGATES_EVERYTHING"] as const;
    const loose = ["review", "DELEGATION_LOOSE"] as const;
    const bounded = ["allow", "DELEGATION_BOUNDED"] as const;
    row(...everything, "a little ether, with any calldata", keep.ether(10n ** 16n), tomorrow);
    row(...everything, "a little ether each day, with any calldata", keep.etherPeriod(10n ** 15n), tomorrow);
    row(...everything, "a little value in each call", keep.value(0n), keep.count(1n), tomorrow);
    row(...everything, "one call of any kind", keep.count(1n), tomorrow);
    row(...everything, "a time", tomorrow);
    row(...everything, "terms that no enforcer takes", { ...keep.token(1n), terms: "0x" }, tomorrow);
    row(...loose, "any function of a token", keep.targets(USDC), keep.value(0n), tomorrow);
    row(...loose, "transfers of any token", keep.methods("0xa9059cbb"), keep.ether(1n), tomorrow);
    row(...loose, "calldata at any target", keep.calldata(transfer(bob, 1n)), keep.count(1n), tomorrow);
    row(...loose, "exact calls without a count", keep.exact(transfer(bob, usd(1))), tomorrow);
    const approval = encode("approve(address s, uint256 a)", [bob, usd(1)]);
    row(...loose, "an exact approval twice", keep.exact(approval), keep.count(2n), tomorrow);
    row(...bounded, "ether without calldata", keep.ether(10n ** 16n), keep.calldata("0x"), tomorrow);
    row(
      ...bounded,
      "ether each day without calldata",
      keep.etherPeriod(10n ** 15n),
      keep.calldata("0x"),
      tomorrow,
    );
    row(
      ...bounded,
      "a value, counted, without calldata",
      keep.value(10n ** 15n),
      keep.count(3n),
      keep.calldata("0x"),
      tomorrow,
    );
    row(
      ...bounded,
      "a target and its calldata",
      keep.targets(USDC),
      keep.calldata(transfer(bob, usd(1))),
      keep.value(0n),
      keep.count(1n),
      tomorrow,
    );
    row(...bounded, "a token's amount", keep.token(usd(50)), keep.value(0n), tomorrow);
    row(...bounded, "one exact payment", keep.exact(transfer(bob, usd(1))), keep.count(1n), tomorrow);
    row(...bounded, "three exact payments", keep.exact(transfer(bob, usd(5))), keep.count(3n), tomorrow);
    const large = ["review", "LARGE_PAYMENT"] as const;
    row(...large, "forty exact payments", keep.exact(transfer(bob, usd(5))), keep.count(40n), tomorrow);
    const most = ["block", "MOST_BY_SIGNATURE"] as const;
    const theft = keep.exact(transfer(thief, usd(90)));
    row(...most, "small payments to a thief, a million times", theft, keep.count(1_000_000n), tomorrow);
    row(...most, "small payments to a thief, uncounted", theft, tomorrow);
    row(
      ...most,
      "everything to a thief",
      keep.exact(transfer(thief, usd(900_000))),
      keep.count(1n),
      tomorrow,
    );
    row("review", "DELEGATION_OPEN", "much ether", keep.ether(parseEther("1")), keep.calldata("0x"));
    const permit = (
      verdict: TableRow["verdict"],
      code: string,
      name: string,
      ...terms: [amount: bigint, ...rest: Parameters<typeof spendPermission>[3][]]
    ) => add(verdict, code, name, { typedData: spendPermission(alice, bob, ...terms) });
    permit(...most, "ninety dollars every second", usd(90), { period: 1n });
    permit("review", "DELEGATION_OPEN", "ten dollars every hour", usd(10), { period: 3600n });
    permit("allow", "SPENDING_BOUNDED", "ten dollars every day", usd(10));
    permit("allow", "SPENDING_BOUNDED", "a little ether every day", 10n ** 15n, { token: NATIVE });
    permit("review", "DELEGATION_OPEN", "an ether every day", 10n ** 18n, { token: NATIVE });
    // A period ends in the first hour, so that a day begins in one and ends in the next.
    const split = { start: now() - DAY + 3600n, end: now() + DAY };
    permit("review", "DELEGATION_OPEN", "ninety dollars of two periods in a day", usd(90), split);
    const whole = { start: now() + 600n, end: now() + DAY };
    permit("allow", "SPENDING_BOUNDED", "ninety dollars of one period", usd(90), whole);
  });
  return [...rich, ...listFrugalRows(bob)];
}

/** An account that holds a thousand dollars: an amount that is small each day takes all of it. */
function listFrugalRows(spender: Hex): TableRow[] {
  return collect(FRUGAL, (add) => {
    const days = (count: bigint) => ({ start: now() + 600n, end: now() + 600n + count * DAY });
    const permit = (
      verdict: TableRow["verdict"],
      code: string,
      name: string,
      amount: number,
      terms: Parameters<typeof spendPermission>[3],
    ) => add(verdict, code, name, { typedData: spendPermission(FRUGAL, spender, usd(amount), terms) });
    permit("block", "MOST_BY_SIGNATURE", "all that is held, in small parts", 50, days(20n));
    permit("block", "MOST_BY_SIGNATURE", "half of what is held, in small parts", 50, days(10n));
    permit("allow", "SPENDING_BOUNDED", "a part of what is held", 50, days(5n));
    const caveats = [keep.tokenPeriod(usd(50), DAY), keep.until(now() + 20n * DAY)];
    add("block", "MOST_BY_SIGNATURE", "all that is held by a delegate, in small parts", {
      typedData: delegation(FRUGAL, spender, caveats),
    });
    add("allow", "DELEGATION_BOUNDED", "a part of what is held by a delegate", {
      typedData: delegation(FRUGAL, spender, [keep.tokenPeriod(usd(20), DAY), keep.until(now() + 5n * DAY)]),
    });
  });
}
