import { wordsFor } from "../shared/news/codeWords.js";
import {
  formatAmount,
  formatBps,
  formatMoment,
  formatPpm,
  formatSeconds,
} from "../shared/news/formatAmount.js";
import type { Found } from "../shared/news/found.js";
import { line, listSome, spell } from "../shared/news/line.js";
import type { Line, WriteNews } from "../shared/news/news.js";
import type { PoolKind } from "../shared/pools/poolReadings.js";

/** Whether a token can be sold again, at what tax, and what its owner still can do. */
export const writeNews: WriteNews = ({ findings, result, tokens }) => {
  const figures = findings.at("figures");
  const share = (name: string, label: string, warnAt = Number.POSITIVE_INFINITY): Line[] => {
    const bps = figures.at(name).number();
    return bps === undefined ? [] : line(label, formatBps(bps), bps >= warnAt ? "warn" : undefined);
  };
  const [buy, sell] = [figures.at("buyTaxBps").number(), figures.at("sellTaxBps").number()];
  const sells = result.reasonCodes.includes("SELLS");
  const most = figures.at("largestBuyPpm").number();
  const harmful = findings.at("powers", "harmful").list();
  return {
    headline:
      sells && buy !== undefined && sell !== undefined
        ? `It can be sold again now: ${formatBps(buy)} is taken when you buy and ${formatBps(sell)} when you sell.`
        : undefined,
    powers: [
      ...harmful.flatMap((one) =>
        line(
          one.at("holder").address() ?? one.at("caller").address() ?? "Somebody",
          `can: ${spell(one.at("effect").text()) ?? "harm holders"}`,
          "warn",
        ),
      ),
      ...line(
        findings.at("proxyAdmin").address() ?? "Somebody",
        findings.at("upgradeable").flag() ? "can replace the token's code" : undefined,
        "warn",
      ),
    ],
    sections: [
      {
        title: "Buying and selling",
        lines: [
          ...share("buyTaxBps", "Tax when you buy", 500),
          ...share("sellTaxBps", "Tax when you sell", 500),
          ...share("transferTaxBps", "Tax when you send", 500),
          ...line(
            "Largest buy that works",
            most === undefined ? undefined : `${formatPpm(most)} of the pool`,
            "warn",
          ),
          ...share("maxTransactionBps", "Largest trade that it states, of the supply"),
          ...share("maxWalletBps", "Largest balance that it states, of the supply"),
          ...findings
            .at("pools")
            .list()
            .flatMap((pool) => describePool(pool, tokens.amount)),
        ],
      },
      {
        title: "Who holds it",
        lines: [
          ...share("lockedLiquidityBps", "Liquidity that nobody can take"),
          ...describeLock(findings.at("liquidity")),
          ...share("topTenBps", "Held by the ten largest", 5_000),
          ...share("creatorBps", "Held by the creator", 1_000),
          ...line(
            "Owner",
            findings.at("owner", "address").address() ?? spell(findings.at("owner", "kind").text()),
          ),
          ...line(
            "Others with powers",
            listSome(
              findings
                .at("powers", "keys")
                .list()
                .flatMap((one) => one.at("address").address() ?? [])
                .filter((address) => address !== findings.at("owner", "address").address()),
              3,
            ),
          ),
        ],
      },
      {
        title: "Where it comes from",
        isMinor: true,
        lines: [
          ...line("Creator", findings.at("siblings", "creator").address()),
          ...line("Contracts of the same creator", findings.at("siblings", "contracts").number()?.toString()),
          ...line("Of them with the same code", figures.at("sameCodeByCreator").number()?.toString()),
          ...line(
            "Age",
            figures.at("ageBlocks").number() === undefined
              ? undefined
              : tellAge(figures.at("ageBlocks").number() ?? 0),
          ),
          ...line("Runs the code of", findings.at("implementation").address()),
          ...line(
            "Functions for an owner that nobody explained",
            listSome(
              findings
                .at("powers", "unexplained")
                .list()
                .flatMap((one) => one.text() ?? []),
              4,
            ),
            "warn",
          ),
        ],
      },
    ],
  };
};

const pools: Readonly<Record<PoolKind, string>> = {
  classic: "Uniswap v2",
  concentrated: "Uniswap v3",
  routed: "Aerodrome",
  slipstream: "Aerodrome Slipstream",
  singleton: "Uniswap v4",
};

function describePool(pool: Found, amount: (wei: bigint, token: null) => string): Line[] {
  const depth = pool.at("depthWei").whole();
  const fee = pool.at("fee").number();
  const kind = pool.at("kind").text();
  if (kind === undefined) return [];
  return line(
    "Pool",
    `${pool.at("pool").text() ?? ""} ${wordsFor(pools, pool.at("kind")) ?? spell(kind)}${depth === undefined ? "" : `, ${formatAmountOf(depth, amount)} deep`}${fee === undefined ? "" : `, fee ${fee / 10_000} %`}`,
  );
}

/** Base makes a block every two seconds. */
const tellAge = (blocks: number) =>
  `${formatAmount(BigInt(Math.trunc(blocks)), 0)} blocks, about ${formatSeconds(2 * blocks)}`;

const formatAmountOf = (depth: bigint, amount: (wei: bigint, token: null) => string) =>
  depth > 10n ** 30n ? `${formatAmount(depth, 18)} ETH` : amount(depth, null);

function describeLock(liquidity: Found): Line[] {
  const until = liquidity.at("lockedUntil").whole();
  const unknown = liquidity.at("unknownBps").number();
  return [
    ...line("Locked until", until === undefined ? undefined : formatMoment(Number(until))),
    ...line(
      "Liquidity that unknown contracts keep",
      unknown === undefined || unknown === 0 ? undefined : formatBps(unknown),
    ),
  ];
}
