import { usdFromMicro } from "@assay/protocol";
import { isAddress } from "viem";
import { createBudgets, type RateLimited } from "../../store/rateLimits.js";
import { ConfigError } from "../configError.js";
import { loadBudgets } from "../loadTerms.js";
import { type Command, formatTable, refuseArguments, withDatabase } from "./command.js";

export const obligations: Command = {
  name: "obligations list",
  usage: "[--open]",
  summary: "what the service itself has asserted, and what became of it",
  help: `The newest thousand obligations with their windows and what a valid counterexample is worth. A falsified one is owed: its reward goes to
the wallet of the challenge that is named. To publish one: assay-admin obligations publish --help.

  --open   only those that may still be challenged`,
  examples: ["assay-admin obligations list --open"],
  options: { open: { type: "boolean" } },
  async run({ config, values }) {
    const rows = await withDatabase(config, (database) =>
      database.query<{
        claim_id: string;
        type: string;
        address: string;
        from_block: bigint;
        to_block: bigint;
        status: string;
        reward: bigint;
        deadline: Date;
        winner: string | null;
      }>({
        text: `SELECT c.claim_id, c.type, c.address, c.from_block, c.to_block, c.status, c.reward_micro_usd AS reward,
                 c.deadline, h.wallet AS winner
               FROM claims c LEFT JOIN challenges h ON h.challenge_id = c.challenge_id
               WHERE c.kind = 'obligation' AND (NOT $1 OR c.status = 'open')
               ORDER BY c.opened_at DESC LIMIT 1000`,
        values: [values.open === true],
      }),
    );
    const all = rows.map((row) => ({
      claimId: row.claim_id,
      type: row.type,
      address: row.address,
      fromBlock: Number(row.from_block),
      toBlock: Number(row.to_block),
      status: row.status,
      rewardUsd: usdFromMicro(row.reward),
      openUntil: row.deadline.toISOString(),
      owedTo: row.winner,
    }));
    return {
      text:
        all.length === 0
          ? ["There is no such obligation."]
          : formatTable(
              ["obligation", "type", "address", "blocks", "status", "reward", "open until", "owed to"],
              all.map((one) => [
                one.claimId,
                one.type,
                one.address,
                `${one.fromBlock}-${one.toBlock}`,
                one.status,
                one.rewardUsd,
                one.openUntil,
                one.owedTo ?? "",
              ]),
            ),
      json: all,
    };
  },
};

export const wallets: Command = {
  name: "wallets",
  usage: "[block <0x…> --reason <text> | unblock <0x…>]",
  summary: "wallets that are served no more",
  help: `A blocked wallet gets 403 wallet_blocked for quotes and paid calls, before any work and without a charge. What it has paid for is
still delivered: a settled payment that is sent again gets its answer, and one whose outcome is open is brought to its end. Running
processes take a change over within five seconds. It keeps nobody out who uses another wallet.

  --reason <text>   for yourself; callers do not see it`,
  examples: [
    "assay-admin wallets",
    "assay-admin wallets block 0x1111111111111111111111111111111111111111 --reason 'sends refunded payments'",
  ],
  options: { reason: { type: "string" } },
  run: ({ config, values, positionals }) =>
    withDatabase(config, async (database) => {
      const [action, wallet, ...more] = positionals;
      if (action === undefined) {
        const rows = await database.query<{ wallet: string; reason: string; blocked_at: Date }>({
          text: "SELECT wallet, reason, blocked_at FROM blocked_wallets ORDER BY blocked_at",
        });
        const json = rows.map((row) => ({
          wallet: row.wallet,
          reason: row.reason,
          blockedAt: row.blocked_at.toISOString(),
        }));
        const text =
          json.length === 0
            ? ["No wallet is blocked."]
            : formatTable(
                ["wallet", "since", "reason"],
                json.map((one) => [one.wallet, one.blockedAt, one.reason]),
              );
        return { text, json };
      }
      if (
        (action !== "block" && action !== "unblock") ||
        more.length > 0 ||
        !isAddress(wallet ?? "", { strict: false })
      )
        throw new ConfigError(
          "`wallets block <0x…>` and `wallets unblock <0x…>` take one wallet; --help shows both.",
        );
      const key = String(wallet).toLowerCase();
      if (action === "unblock") {
        const rows = await database.query({
          text: "DELETE FROM blocked_wallets WHERE wallet = $1 RETURNING 1",
          values: [key],
        });
        if (rows.length === 0) throw new ConfigError(`${key} is not blocked.`);
        return { text: [`${key} is served again within five seconds.`], json: { unblocked: key } };
      }
      if (typeof values.reason !== "string" || values.reason === "")
        throw new ConfigError("--reason must say why: next year nobody knows.");
      await database.query({
        text: `INSERT INTO blocked_wallets (wallet, reason) VALUES ($1, $2)
               ON CONFLICT (wallet) DO UPDATE SET reason = excluded.reason`,
        values: [key, values.reason],
      });
      return { text: [`${key} is served no more, within five seconds.`], json: { blocked: key } };
    }),
};

export const limits: Command = {
  name: "limits",
  usage: "",
  summary: "how often one caller may do what costs us something",
  help: `Each line is a budget: so many uses in so many seconds, by address or by wallet, in all processes together. RATE_LIMITS_FILE changes
some of them; its file is checked here, and running processes need a restart. Give a balancer's address in TRUSTED_PROXIES first:
without it all callers behind it share one budget.

  RATE_LIMITS_FILE holds JSON such as {"quote": {"points": 600}, "publish": {"points": 10, "seconds": 3600}}`,
  examples: ["assay-admin limits", "assay-admin limits --json"],
  async run(given) {
    refuseArguments(given);
    const [now, usual] = [await loadBudgets(given.config), createBudgets()];
    const all = (Object.keys(usual) as RateLimited[]).map((name) => ({
      name,
      points: now[name].points,
      seconds: now[name].seconds,
      usual: { points: usual[name].points, seconds: usual[name].seconds },
    }));
    const show = ({ points, seconds }: { points: number; seconds: number }) => `${points} in ${seconds} s`;
    const rows = all.map((one) => [
      one.name,
      show(one),
      show(one) === show(one.usual) ? "" : `instead of ${show(one.usual)}`,
    ]);
    const isOff = given.config.rateLimits === "off";
    return {
      text: [
        ...formatTable(["budget", "limit", ""], rows),
        ...(isOff ? ["RATE_LIMITS is off: none of them counts."] : []),
      ],
      json: all,
      isFault: isOff,
    };
  },
};
