/** Every state change of a paid call has a moment before and after it at which a process may die. */
export const paidCallFailpoints = [
  "after_reserve",
  "after_verify_and_answer",
  "after_settling",
  "after_settle",
  "inside_settled",
  "after_settled",
  "inside_void",
  "inside_failed",
  "after_unknown",
] as const;

/** The same for a call that is paid by voucher. */
export const voucherFailpoints = [
  "after_deposit_sent",
  "after_deposit",
  "after_lease",
  "before_charge",
  "inside_charge",
  "after_charge",
] as const;

/** Moments of the job that claims and sweeps: a transaction is mined, and nobody has written that down. */
export const claimFailpoints = ["after_claim_sent", "after_sweep_sent"] as const;

/** A refund is announced and not sent, sent and not recorded, recorded and not answered. */
export const refundFailpoints = ["before_refund_sent", "after_refund_sent", "after_refund_recorded"] as const;

/** Also the moments inside signed actions, which are free, and inside jobs. */
export const failpointNames = [
  ...paidCallFailpoints,
  ...voucherFailpoints,
  ...claimFailpoints,
  ...refundFailpoints,
  "inside_challenge",
  "inside_survived",
  "before_breadcrumb",
  "after_breadcrumb",
] as const;

export type Failpoint = (typeof failpointNames)[number];

/** Lets a test kill the process at a named moment. Does nothing unless armed at start-up. */
export interface Failpoints {
  reach(name: Failpoint): void;
}

export const noFailpoints: Failpoints = { reach: () => {} };

/** Armed as `name` or `name:n`, the n-th time it is reached: the process dies there, as by `kill -9`. */
export function createFailpoints(armed: string): Failpoints {
  const [name, turn = "1"] = armed.split(":");
  let left = Number(turn);
  return {
    reach(reached) {
      if (reached !== name) return;
      left -= 1;
      if (left > 0) return;
      process.kill(process.pid, "SIGKILL");
      // The signal may need a moment to arrive; nothing more may happen meanwhile.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
    },
  };
}
