import { toHex } from "viem";
import { expect, test } from "vitest";
import { type Channel, openSettlement, type VoucherClaim } from "./testing/openSettlement.js";
import { useDevnet } from "./testing/useDevnet.js";

/** `npm run campaign:vouchers` walks further. */
const STEPS = Number(process.env.ASSAY_WALK_STEPS ?? 90);
/** Of this seed each outcome is seen within 60 steps. */
const SEED = 1600;
const DELAY = 900;
/** Never close to the delay, so that the seconds a test takes decide nothing. */
const PAUSE = 500;

const local = useDevnet();

interface ModelChannel {
  balance: bigint;
  claimed: bigint;
  pending: bigint;
  /** On the model's own clock, in seconds. */
  initiatedAt: number;
  nonce: bigint;
}

interface Model {
  now: number;
  channels: ModelChannel[];
  /** By receiver. */
  accounts: { claimed: bigint; settled: bigint }[];
}

/** Returns the name of the error, or changes the model. */
type Rule = (model: Model) => string | undefined;

interface Step {
  /** By the part's name. */
  readonly from: "payer" | "receiver" | "receiverAuthorizer" | "stranger";
  readonly functionName: string;
  readonly args: readonly unknown[];
  readonly rule: Rule;
}

/** The generator mulberry32: the same walk each time. */
function createChoices(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    upTo: (limit: bigint) => BigInt(Math.floor(next() * (Number(limit) + 1))),
    index: (length: number) => Math.floor(next() * length),
    chance: (share: number) => next() < share,
  };
}

const smaller = (left: bigint, right: bigint) => (left < right ? left : right);
const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index];
  if (item === undefined) throw new RangeError(`no item ${index}`);
  return item;
};

interface Row {
  readonly channel: number;
  readonly receiver: number;
  readonly ceiling: bigint;
  readonly total: bigint;
  readonly isSigned: boolean;
}

const claimRule =
  (rows: readonly Row[], isAuthorized: boolean): Rule =>
  (model) => {
    if (!isAuthorized) return "InvalidAuthorizerSignature";
    for (const { channel: index, receiver, ceiling, total, isSigned } of rows) {
      const channel = at(model.channels, index);
      if (total > ceiling) return "AboveCeiling";
      if (total <= channel.claimed) continue;
      if (total > channel.balance) return "AboveBalance";
      if (!isSigned) return "InvalidVoucherSignature";
      at(model.accounts, receiver).claimed += total - channel.claimed;
      channel.claimed = total;
    }
    return undefined;
  };

const refundRule =
  (index: number, amount: bigint, nonce: bigint): Rule =>
  (model) => {
    const channel = at(model.channels, index);
    if (nonce !== channel.nonce) return "InvalidRefundNonce";
    if (amount === 0n) return "ZeroAmount";
    channel.nonce += 1n;
    const paid = smaller(amount, channel.balance - channel.claimed);
    channel.balance -= paid;
    channel.pending -= smaller(paid, channel.pending);
    return undefined;
  };

const initiateRule =
  (index: number, amount: bigint): Rule =>
  (model) => {
    const channel = at(model.channels, index);
    if (amount === 0n) return "ZeroAmount";
    if (channel.pending > 0n) return "WithdrawalPending";
    if (amount > channel.balance - channel.claimed) return "AboveBalance";
    channel.pending = amount;
    channel.initiatedAt = model.now;
    return undefined;
  };

const finalizeRule =
  (index: number): Rule =>
  (model) => {
    const channel = at(model.channels, index);
    if (channel.pending === 0n) return "NoWithdrawal";
    if (model.now < channel.initiatedAt + DELAY) return "WithdrawalTooEarly";
    channel.balance -= smaller(channel.pending, channel.balance - channel.claimed);
    channel.pending = 0n;
    return undefined;
  };

test(`${STEPS} random steps leave what a plain model says, and never more owed than held`, async () => {
  const settlement = openSettlement(local.devnet);
  const { openChannel, signDeposit, signVoucher, signClaims, signRefund, attempt, send, read } = settlement;
  const receivers = [settlement.receiver, settlement.stranger];
  const channels: Channel[] = [0, 1, 0, 1, 0, 1].map((receiver) =>
    openChannel({ receiver: at(receivers, receiver).address, withdrawDelay: DELAY }),
  );
  const choices = createChoices(SEED);
  let model: Model = {
    now: 0,
    channels: channels.map(() => ({ balance: 0n, claimed: 0n, pending: 0n, initiatedAt: 0, nonce: 0n })),
    accounts: receivers.map(() => ({ claimed: 0n, settled: 0n })),
  };

  async function chooseClaim(): Promise<Step> {
    const rows: Row[] = Array.from({ length: 1 + choices.index(4) }, () => {
      const channel = choices.index(channels.length);
      const { balance } = at(model.channels, channel);
      const total = choices.upTo(choices.chance(0.05) ? balance + 20n : balance);
      const ceiling = choices.chance(0.05) && total > 0n ? total - 1n : total + choices.upTo(5n);
      return { channel, receiver: channel % 2, ceiling, total, isSigned: !choices.chance(0.05) };
    });
    const claims: VoucherClaim[] = [];
    for (const { channel, ceiling, total, isSigned } of rows) {
      const signer = isSigned ? settlement.payerAuthorizer : settlement.stranger;
      claims.push(await signVoucher(at(channels, channel), ceiling, total, signer));
    }
    const isAuthorized = !choices.chance(0.05);
    const authorizer = isAuthorized ? settlement.receiverAuthorizer : settlement.payer;
    const args = [claims, await signClaims(claims, authorizer)];
    return {
      from: "stranger",
      functionName: "claimWithSignature",
      args,
      rule: claimRule(rows, isAuthorized),
    };
  }

  async function chooseRefund(index: number): Promise<Step> {
    const channel = at(channels, index);
    const { balance, claimed, nonce } = at(model.channels, index);
    const amount = choices.chance(0.15) ? 0n : choices.upTo((balance - claimed) / 2n + 5n);
    if (choices.chance(0.3)) {
      const args = [channel.config, amount];
      return {
        from: "receiverAuthorizer",
        functionName: "refund",
        args,
        rule: refundRule(index, amount, nonce),
      };
    }
    const signed = choices.chance(0.2) && nonce > 0n ? nonce - 1n : nonce;
    const args = [channel.config, amount, signed, await signRefund(channel, amount, signed)];
    return {
      from: "stranger",
      functionName: "refundWithSignature",
      args,
      rule: refundRule(index, amount, signed),
    };
  }

  async function chooseStep(): Promise<Step> {
    const index = choices.index(channels.length);
    const channel = at(channels, index);
    const state = at(model.channels, index);
    const kind = choices.index(10);
    if (kind < 2) {
      const amount = 1n + choices.upTo(1_000n);
      const rule: Rule = ({ channels: after }) => {
        at(after, index).balance += amount;
        return undefined;
      };
      return { from: "stranger", functionName: "deposit", args: await signDeposit(channel, amount), rule };
    }
    if (kind < 5) return chooseClaim();
    if (kind === 5) {
      const receiver = choices.index(receivers.length);
      const rule: Rule = ({ accounts }) => {
        at(accounts, receiver).settled = at(accounts, receiver).claimed;
        return undefined;
      };
      const args = [at(receivers, receiver).address, settlement.token.address];
      return { from: "payer", functionName: "settle", args, rule };
    }
    if (kind === 6) return chooseRefund(index);
    if (kind < 9) {
      const amount = choices.upTo(state.balance - state.claimed + 3n);
      const args = [channel.config, amount];
      return { from: "payer", functionName: "initiateWithdraw", args, rule: initiateRule(index, amount) };
    }
    return {
      from: "payer",
      functionName: "finalizeWithdraw",
      args: [channel.config],
      rule: finalizeRule(index),
    };
  }

  async function readAll() {
    const [states, pending, nonces, accounts, held] = await Promise.all([
      Promise.all(channels.map((channel) => settlement.readChannel(channel))),
      Promise.all(channels.map(({ id }) => read<[bigint, number]>("pendingWithdrawals", [id]))),
      Promise.all(channels.map(({ id }) => read<bigint>("refundNonce", [id]))),
      Promise.all(receivers.map(({ address }) => settlement.readReceiver(address))),
      settlement.readTokens(settlement.address),
    ]);
    return {
      channels: states.map(({ balance, totalClaimed }, index) => {
        const [amount, initiatedAt] = at(pending, index);
        return {
          balance,
          claimed: totalClaimed,
          pending: amount,
          nonce: at(nonces, index),
          isPending: initiatedAt > 0,
        };
      }),
      accounts: accounts.map(({ totalClaimed, totalSettled }) => ({
        claimed: totalClaimed,
        settled: totalSettled,
      })),
      held,
    };
  }

  const seen = new Map<string, number>();
  for (let step = 0; step < STEPS; step += 1) {
    if (choices.chance(0.1)) {
      await local.devnet.request("evm_increaseTime", [PAUSE]);
      await local.devnet.mine();
      model.now += PAUSE;
    }
    const { from, functionName, args, rule } = await chooseStep();
    const after = structuredClone(model);
    const error = rule(after);
    const label = `step ${step} of seed ${SEED}: ${functionName}`;
    if (error === undefined) {
      await send(settlement[from].address, functionName, args);
      model = after;
    } else {
      await expect(attempt(settlement[from].address, functionName, args), label).rejects.toThrow(error);
    }
    const outcome = `${functionName} ${error ?? "done"}`;
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    const owed =
      model.channels.reduce((sum, { balance, claimed }) => sum + balance - claimed, 0n) +
      model.accounts.reduce((sum, { claimed, settled }) => sum + claimed - settled, 0n);
    const expected = model.channels.map(({ balance, claimed, pending, nonce }) => {
      return { balance, claimed, pending, nonce, isPending: pending > 0n };
    });
    expect(await readAll(), label).toEqual({ channels: expected, accounts: model.accounts, held: owed });
  }
  // A walk that never did or never refused something would show nothing about it.
  expect([...seen.keys()].sort()).toEqual([
    "claimWithSignature AboveBalance",
    "claimWithSignature AboveCeiling",
    "claimWithSignature InvalidAuthorizerSignature",
    "claimWithSignature InvalidVoucherSignature",
    "claimWithSignature done",
    "deposit done",
    "finalizeWithdraw NoWithdrawal",
    "finalizeWithdraw WithdrawalTooEarly",
    "finalizeWithdraw done",
    "initiateWithdraw AboveBalance",
    "initiateWithdraw WithdrawalPending",
    "initiateWithdraw ZeroAmount",
    "initiateWithdraw done",
    "refund ZeroAmount",
    "refund done",
    "refundWithSignature InvalidRefundNonce",
    "refundWithSignature ZeroAmount",
    "refundWithSignature done",
    "settle done",
  ]);
});

test("a claim of a hundred channels costs little for each", async () => {
  const { fundChannel, signVoucher, signClaims, send, receiver, stranger, token } = openSettlement(
    local.devnet,
  );
  const channels: Channel[] = [];
  for (let count = 0; count < 100; count += 1)
    channels.push(await fundChannel(1_000_000n, { salt: toHex(BigInt(count) << 240n, { size: 32 }) }));
  const claim = async (count: number, total: bigint) => {
    const claims = await Promise.all(channels.slice(0, count).map((channel) => signVoucher(channel, total)));
    const receipt = await send(stranger.address, "claimWithSignature", [claims, await signClaims(claims)]);
    return Number(receipt.gasUsed);
  };
  const settle = async () =>
    Number((await send(stranger.address, "settle", [receiver.address, token.address])).gasUsed);
  // The first claim and the first settlement of a receiver write slots that were empty.
  expect(await claim(100, 10n)).toBeLessThan(2_000_000);
  expect(await settle()).toBeLessThan(90_000);
  // A transaction costs 21,000 by itself. Of the rest, 14,000 for each channel cannot be saved: its part of the calldata (4,100),
  // the recovery of its signer (3,100), one slot read and written (5,100) and one event (1,600).
  expect(await claim(1, 20n)).toBeLessThan(58_000);
  expect(await claim(10, 30n)).toBeLessThan(10 * 23_500);
  expect(await claim(100, 40n)).toBeLessThan(100 * 20_000);
  expect(await settle()).toBeLessThan(50_000);
});
