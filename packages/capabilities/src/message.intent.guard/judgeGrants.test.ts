import { expect, test } from "vitest";
import { sumPeriods } from "./judgeGrants.js";
import { dearTokens, judgeVoucher } from "./judgeVoucher.js";
import type { MessageCase } from "./messageCase.js";

const DAY = 86_400n;
const NOW = 1_800_000_000n;

test.each<[string, { period: bigint; start: bigint; until: bigint | null }, inDay: bigint, inAll: bigint]>([
  ["one whole period", { period: DAY, start: NOW, until: NOW + DAY }, 1n, 1n],
  ["a period that ends and one that begins", { period: DAY, start: NOW - 3600n, until: NOW + DAY }, 2n, 2n],
  ["ten periods", { period: DAY, start: NOW, until: NOW + 10n * DAY }, 2n, 10n],
  ["ten days that begin within a period", { period: DAY, start: NOW - 1n, until: NOW + 10n * DAY }, 2n, 11n],
  ["periods that begin later", { period: DAY, start: NOW + DAY, until: NOW + 3n * DAY }, 2n, 2n],
  ["an hour", { period: 3600n, start: NOW, until: NOW + 2n * DAY }, 25n, 48n],
  ["a second", { period: 1n, start: NOW, until: NOW + DAY }, DAY, DAY],
  ["no length", { period: 0n, start: NOW, until: NOW + DAY }, DAY, DAY],
  ["no end", { period: 366n * DAY, start: NOW - 1n, until: null }, 2n, 2n],
  ["an end that has passed", { period: DAY, start: NOW - 9n * DAY, until: NOW - 1n }, 1n, 1n],
])("an amount of each period is summed: %s", (_, { period, start, until }, inDay, inAll) => {
  const payment = {
    token: null,
    to: "0x01",
    amount: "7",
    period: period.toString(),
    start: start.toString(),
    isDeposit: false,
  } as const;
  const sums = sumPeriods(payment, until?.toString() ?? null, NOW);
  expect(sums).toEqual({ inDay: inDay * 7n, inAll: inAll * 7n });
});

const word = (value: bigint) => value.toString(16).padStart(64, "0");

/** What is read of a channel, and of what its contract holds of each dear token. */
function judge(ceiling: bigint, channel: readonly [bigint, bigint] | null, held: bigint | null) {
  const read = (value: string) => ({ status: "value", value: `0x${value}` });
  const one = {
    meaning: { nonce: { kind: "channel", expected: ceiling.toString() } },
    readings: {
      nonce: channel === null ? { status: "absent" } : read(channel.map(word).join("")),
      balances: dearTokens.map((token) => ({
        token,
        balance: held === null ? { status: "absent" } : read(word(held)),
      })),
    },
  };
  return judgeVoucher(one as unknown as MessageCase).map(({ code }) => code);
}

test.each<[string, Parameters<typeof judge>, string]>([
  ["units that are little in every token", [100_000n, null, 10n ** 12n], "VOUCHER_SMALL"],
  ["dollars, as the contract holds no bitcoin", [4_000_000n, [5_000_000n, 0n], null], "VOUCHER_SMALL"],
  ["dollars, as it holds less of them", [4_000_000n, [5_000_000n, 0n], 4_999_999n], "VOUCHER_SMALL"],
  ["what may be bitcoins", [4_000_000n, [5_000_000n, 0n], 5_000_000n], "VOUCHER_TOKEN_UNKNOWN"],
  ["a channel that holds nothing", [4_000_000n, [0n, 0n], null], "VOUCHER_TOKEN_UNKNOWN"],
  ["a channel that was claimed whole", [9_000_000n, [5_000_000n, 5_000_000n], null], "VOUCHER_TOKEN_UNKNOWN"],
  ["a channel that was not read", [4_000_000n, null, null], "VOUCHER_TOKEN_UNKNOWN"],
  ["more than a hundred dollars", [100_000_001n, [10n ** 9n, 0n], null], "VOUCHER_LARGE"],
  ["a little more than was claimed", [900_050_000n, [10n ** 9n, 900_000_000n], 10n ** 12n], "VOUCHER_SMALL"],
])("a voucher is judged by what it adds: %s", (_, given, code) => {
  expect(judge(...given)).toEqual([code]);
});
