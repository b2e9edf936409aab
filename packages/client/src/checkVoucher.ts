import { channelIdOf, type Hex, type Receipt } from "@assay/protocol";
import { recoverSigner } from "./recoverSigner.js";
import { fail, leaveOut, pass, type VerificationStep } from "./verification.js";

const name = "voucher";

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/**
 * Checks a payment by voucher without the service or the chain: that the payer of the receipt signed that the payee may claim so
 * much from this very channel, and that it covers the price. No step for a payment that a transaction made.
 */
export async function checkVoucher({ payment, charged }: Receipt): Promise<VerificationStep[]> {
  const { channel, transaction } = payment;
  if (!channel)
    return charged && transaction === null
      ? [fail(name, "It says that it was charged, and names neither a transaction nor a voucher.")]
      : [];
  const { config, voucher, isClaimed, claimTransaction } = channel;
  const id = channelIdOf(config);
  if (!isSame(id, voucher.channelId))
    return [fail(name, `The channel's parts hash to ${id}; the voucher is of ${voucher.channelId}.`)];
  for (const [part, stated, expected] of [
    ["payer", config.payer, payment.payer],
    ["receiver", config.receiver, payment.payTo],
    ["token", config.token, payment.asset],
  ] as const)
    if (!isSame(stated, expected))
      return [fail(name, `The channel's ${part} is ${stated}; the receipt is of ${expected}.`)];
  const ceiling = BigInt(voucher.maxClaimableAmount);
  if (!/^[0-9]{1,39}$/.test(payment.amount) || ceiling < BigInt(payment.amount))
    return [fail(name, `The voucher is over ${ceiling} units, which do not cover ${payment.amount}.`)];
  if (!isClaimed && claimTransaction)
    return [fail(name, "It names the transaction of a claim, and says that there was none.")];
  if (voucher.signature === undefined)
    return isClaimed
      ? [fail(name, "The voucher is claimed, and its signature is missing.")]
      : [leaveOut(name, "the receipt shows the voucher's signature once it is claimed.")];
  const signer = await recoverSigner(voucher.channelId, ceiling, voucher.signature as Hex);
  if (!signer || !isSame(signer, config.payerAuthorizer))
    return [fail(name, `Signed by ${signer ?? "nobody"}, not by the channel's ${config.payerAuthorizer}.`)];
  return [
    pass(name, `${signer} lets the payee claim ${ceiling} units from ${id}, for this call and earlier ones.`),
  ];
}
