import type { ClaimTerms, PreparedClaim } from "@assay/client";
import {
  CLAIM_PRICE_MICRO_USD,
  type Hex,
  MAX_CLAIM_WINDOW_DAYS,
  maxClaimWindowBlocks,
  usdFromMicro,
} from "@assay/protocol";
import { type FormEvent, useState } from "react";
import { getContractCapability } from "../form/getContractCapability.js";
import { isAddress } from "../form/isAddress.js";
import { linkToForm } from "../form/linkToForm.js";
import { DoubtfulPayment } from "../purchase/DoubtfulPayment.js";
import { requirePayee } from "../purchase/previewPayment.js";
import { useKeptPayment } from "../purchase/useKeptPayment.js";
import { usePayee } from "../purchase/usePreview.js";
import { Link, navigate } from "../routing/router.js";
import { assay, useFirstHead, useHealth } from "../service/assay.js";
import "../styles/choice.css";
import { count, formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { useTrust } from "../verify/anchors.js";
import { KeyWarning } from "../verify/KeyWarning.js";
import { usePayer } from "../wallet/Payer.js";
import { SignedSubmit } from "../wallet/SignedSubmit.js";

const PRICE_USD = usdFromMicro(CLAIM_PRICE_MICRO_USD);
const HOUR_MS = 3_600_000;
const DEFAULT_WINDOW_BLOCKS = 20;
/** Reads which implementation a contract runs. */
const reader = getContractCapability().id;

/** Opens a claim about a contract's implementation, after stating what it costs and what the opener promises. */
export function OpenClaimForm() {
  const head = useFirstHead();
  const payee = usePayee();
  const trust = useTrust();
  return (
    <section className="card stack">
      <h2>Open a claim</h2>
      <KeyWarning trust={trust} />
      <ul>
        <li>
          Opening costs <strong>{formatUsd(PRICE_USD)}</strong>, paid now to this service, and nothing if the
          claim is already false at its last block.
        </li>
        <li className="claim-payee">
          {payee.data ? (
            <>
              It goes to <Hash value={payee.data} label="payee" />, as offered under the service's key.
            </>
          ) : payee.error ? (
            <span className="bad">{payee.error.message}</span>
          ) : (
            "Asking who is paid…"
          )}
        </li>
        <li>
          The reward is your promise: <strong>you</strong> pay it directly to the wallet that proves you
          wrong. The service never holds it.
        </li>
      </ul>
      {head === undefined ? (
        <p role="status">Waiting for the chain's head…</p>
      ) : (
        <Terms head={head} payTo={payee.data} />
      )}
    </section>
  );
}

function Terms({ head, payTo }: { readonly head: number; readonly payTo: Hex | undefined }) {
  const [problem, setProblem] = useState<string>();
  const [hasNone, setHasNone] = useState(false);
  const { payer } = usePayer();
  const payment = useKeptPayment<PreparedClaim>({
    place: "assay.payment.claim",
    async send(prepared, options) {
      const { record } = await assay.sendClaim(prepared, options);
      navigate(`/claims/${record.claimId}`);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const terms = readTerms(new FormData(event.currentTarget), hasNone);
    setProblem(typeof terms === "string" ? terms : undefined);
    if (typeof terms === "string" || !payer) return;
    if (!payTo) return setProblem("The payee is not known yet. Try again in a moment.");
    void payment.pay(async () =>
      requirePayee(await payer.client.prepareClaim(terms, { maxPriceUsd: PRICE_USD }), payTo),
    );
  };
  const isBusy = payment.step !== "idle";
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <TermFields head={head} hasNone={hasNone} setHasNone={setHasNone} />
      <p className="soft">
        Not sure of the implementation? <Link href={linkToForm(reader)}>{reader}</Link> reads it with proofs.
      </p>
      {problem && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      {payment.doubtful && !isBusy ? (
        <DoubtfulPayment payment={payment.doubtful} purchase={payment} failure={payment.failure} />
      ) : (
        <SignedSubmit
          label={`Pay ${formatUsd(PRICE_USD)} and open`}
          mutation={{ isPending: isBusy, error: (payment.failure as Error | undefined) ?? null }}
        />
      )}
    </form>
  );
}

interface FieldProps {
  readonly head: number;
  readonly hasNone: boolean;
  setHasNone(hasNone: boolean): void;
}

function TermFields({ head, hasNone, setHasNone }: FieldProps) {
  return (
    <>
      <div className="field-row">
        <label>
          Contract
          <input name="address" className="mono" placeholder="0x…" spellCheck={false} autoComplete="off" />
        </label>
        <label>
          Its implementation
          <input
            name="implementation"
            className="mono"
            placeholder={hasNone ? "none" : "0x…"}
            disabled={hasNone}
            spellCheck={false}
            autoComplete="off"
          />
        </label>
      </div>
      <label className="check-line">
        <input type="checkbox" checked={hasNone} onChange={(event) => setHasNone(event.target.checked)} />
        It has none: it is no proxy
      </label>
      <div className="field-row">
        <label>
          From block
          <input
            name="fromBlock"
            className="mono"
            inputMode="numeric"
            defaultValue={Math.max(0, head - DEFAULT_WINDOW_BLOCKS)}
          />
        </label>
        <label>
          To block, at most the head
          <input name="toBlock" className="mono" inputMode="numeric" defaultValue={head} />
        </label>
        <label>
          Reward in USD, 0.01 to 10000
          <input name="rewardUsd" className="mono" inputMode="decimal" defaultValue="1" />
        </label>
        <label>
          Open for hours, 2 to 720
          <input name="hours" className="mono" inputMode="numeric" defaultValue="24" />
        </label>
      </div>
      <LongestWindow />
    </>
  );
}

function LongestWindow() {
  const blockTimeMs = useHealth().data?.blockTimeMs;
  return (
    <p className="soft">
      A window is at most {MAX_CLAIM_WINDOW_DAYS} days long
      {blockTimeMs ? `, which are ${count(maxClaimWindowBlocks(blockTimeMs), "block")} now` : ""}.
    </p>
  );
}

/** The typed terms, or the problem with them. */
function readTerms(form: FormData, hasNone: boolean): ClaimTerms | string {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const address = text("address");
  const implementation = hasNone ? null : text("implementation");
  if (!isAddress(address)) return "The contract must be 0x followed by 40 hex digits.";
  if (implementation !== null && !isAddress(implementation))
    return "The implementation must be 0x followed by 40 hex digits, or say that there is none.";
  const [fromBlock, toBlock] = [text("fromBlock"), text("toBlock")].map(Number);
  const isWindow = /^\d+$/.test(text("fromBlock")) && /^\d+$/.test(text("toBlock"));
  if (!isWindow || fromBlock === undefined || toBlock === undefined || fromBlock > toBlock)
    return "The window must be two block numbers, the first not above the second.";
  const rewardUsd = Number(text("rewardUsd"));
  if (!(rewardUsd >= 0.01 && rewardUsd <= 10_000)) return "The reward must be from 0.01 to 10000.";
  const hours = Number(text("hours"));
  if (!(hours >= 2 && hours <= 720)) return "It must stay open for 2 to 720 hours.";
  const deadline = new Date(Date.now() + hours * HOUR_MS);
  return { address, implementation, fromBlock, toBlock, rewardUsd, deadline };
}
