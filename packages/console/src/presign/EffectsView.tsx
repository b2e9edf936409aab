import type { CapabilityResult } from "@assay/protocol";
import { formatAmount } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { BeforeAfter } from "./BeforeAfter.js";
import { type AllowanceRow, type BalanceRow, changeOf, findEffects } from "./findEffects.js";
import { SenderNotice } from "./SenderNotice.js";
import { useTokenNames } from "./useTokenNames.js";

const bounds: Record<string, string> = { exact: "exactly", at_least: "at least", at_most: "at most" };

/** What a transaction would change: measured in a simulation, reported by the node's trace, inferred from calldata. */
export function EffectsView({ answer }: { readonly answer: CapabilityResult }) {
  const { findings, input } = answer.result.evidence;
  const { from } = input as { readonly from: string };
  const { balances, allowances, isMeasured } = findEffects(findings);
  return (
    <section className="effects">
      <h3>What it would change</h3>
      <SenderNotice from={from} />
      <p className="soft legend">
        <span className="tag measured">measured</span> by running it at the stated block ·{" "}
        <span className="tag traced">traced</span> by the node ·{" "}
        <span className="tag inferred">inferred</span> from calldata alone
      </p>
      {!isMeasured && <p className="warn">Nothing was measured: the transaction did not run to its end.</p>}
      <h4>Balances</h4>
      {balances.length === 0 && <p className="soft">None of the balances that were checked changes.</p>}
      <ul className="effect-list">
        {balances.map((row) => (
          <Balance key={`${row.holder} ${row.token} ${row.id}`} row={row} from={from} />
        ))}
      </ul>
      <h4>Allowances</h4>
      {allowances.length === 0 && <p className="soft">No allowance is given.</p>}
      <ul className="effect-list">
        {allowances.map((row) => (
          <Allowance key={`${row.owner} ${row.token} ${row.spender} ${row.form}`} row={row} from={from} />
        ))}
      </ul>
    </section>
  );
}

function Balance({ row, from }: { readonly row: BalanceRow; readonly from: string }) {
  const { holder, token, id, measured, inferred, traced } = row;
  const { name, decimals } = useTokenNames()(token);
  const change = changeOf(row);
  const signed = (amount: bigint) => `${amount > 0n ? "+" : ""}${formatAmount(amount, decimals)}`;
  return (
    <li className="card effect">
      <p className="effect-head">
        <Holder address={holder} from={from} />
        <strong className={change < 0n ? "mono loss" : "mono gain"}>
          {signed(change)} {name}
          {id !== null && ` #${id}`}
        </strong>
      </p>
      {measured && (
        <BeforeAfter {...measured} decimals={decimals} label={`${name} before and after, measured`} />
      )}
      <ul className="ways">
        {measured && (
          <li>
            <span className="tag measured">measured</span>{" "}
            <span className="mono">{signed(measured.after - measured.before)}</span>
          </li>
        )}
        {traced !== undefined && (
          <li>
            <span className="tag traced">traced</span> <span className="mono">{signed(traced)}</span>
          </li>
        )}
        {inferred && (
          <li>
            <span className="tag inferred">inferred</span> {bounds[inferred.bound] ?? inferred.bound}{" "}
            <span className="mono">{signed(inferred.change)}</span>
          </li>
        )}
      </ul>
      {decimals === undefined && <p className="soft small-print">In the token's smallest unit.</p>}
    </li>
  );
}

function Allowance({ row, from }: { readonly row: AllowanceRow; readonly from: string }) {
  const { owner, token, spender, form, measured, inferred } = row;
  const { name, decimals } = useTokenNames()(token);
  return (
    <li className="card effect">
      <p className="effect-head">
        <span>
          <Hash value={spender} label="spender" /> may take {name} of <Holder address={owner} from={from} />
        </span>
        <span className="tag soft">{form}</span>
      </p>
      {measured && <BeforeAfter {...measured} decimals={decimals} label={`Allowance of ${name}, measured`} />}
      <ul className="ways">
        {measured && (
          <li>
            <span className="tag measured">measured</span> before and after
          </li>
        )}
        {inferred !== undefined && (
          <li>
            <span className="tag inferred">inferred</span>{" "}
            <span className="mono">
              {inferred === null || inferred >= 2n ** 159n ? (
                <strong className="warn">unlimited</strong>
              ) : (
                formatAmount(inferred, decimals)
              )}
            </span>
          </li>
        )}
      </ul>
    </li>
  );
}

function Holder({ address, from }: { readonly address: string; readonly from: string }) {
  return (
    <span>
      {address.toLowerCase() === from.toLowerCase() && <strong>sender </strong>}
      <Hash value={address} label="holder" />
    </span>
  );
}
