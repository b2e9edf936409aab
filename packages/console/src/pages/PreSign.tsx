import { type CapabilityId, findCapabilitySpec } from "@assay/protocol";
import { useState } from "react";
import "../styles/capability.css";
import "../styles/presign.css";
import { AnswerView } from "../answer/AnswerView.js";
import { checkInput, type InputValues } from "../form/checkInput.js";
import { InputForm } from "../form/InputForm.js";
import { refusalsOf } from "../form/refusalsOf.js";
import { listSamples } from "../form/sampleInputs.js";
import { CallTree } from "../presign/CallTree.js";
import { EffectsView } from "../presign/EffectsView.js";
import { PasteBox } from "../presign/PasteBox.js";
import { SwapView } from "../presign/SwapView.js";
import { useDecoded } from "../presign/useDecoded.js";
import { PurchasePanel } from "../purchase/PurchasePanel.js";
import { usePrice } from "../purchase/usePrice.js";
import { type Bought, usePurchase } from "../purchase/usePurchase.js";
import { useCatalog, useLocalChain } from "../service/assay.js";
import { usePayer } from "../wallet/Payer.js";

const guards = {
  "transaction.intent.guard": "Any transaction: what it does, and what it changes",
  "amm.swap.guard": "A swap on a known router: its limit against the outcome",
} as const satisfies Partial<Record<CapabilityId, string>>;

type GuardId = keyof typeof guards;

export default function PreSign() {
  const [id, setId] = useState<GuardId>("transaction.intent.guard");
  const [values, setValues] = useState<InputValues>({});
  return (
    <>
      <header className="capability-head">
        <h1>Before you sign</h1>
        <p className="lead">
          Paste what a site asks you to sign. It is taken apart here at once; for a verdict it is run on the
          newest block.
        </p>
      </header>
      <fieldset className="guards">
        <legend className="visually-hidden">Guard</legend>
        {(Object.keys(guards) as GuardId[]).map((guard) => (
          <label key={guard} className="card guard">
            <input type="radio" name="guard" checked={guard === id} onChange={() => setId(guard)} />
            <span>
              <strong className="mono">{guard}</strong>
              <span className="soft">{guards[guard]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Guarded key={id} id={id} values={values} onChange={setValues} />
    </>
  );
}

interface GuardedProps {
  readonly id: GuardId;
  readonly values: InputValues;
  onChange(values: InputValues): void;
}

function Guarded({ id, values, onChange }: GuardedProps) {
  const { payer } = usePayer();
  const samples = listSamples(id, useLocalChain().data ?? null);
  const catalog = useCatalog();
  const entry = catalog.data?.capabilities.find((one) => one.id === id);
  const checked = checkInput(id, values);
  const price = usePrice(id, checked);
  const purchase = usePurchase(id);
  const decoded = useDecoded(values);
  // Who signs is mostly who pays; a transaction that says otherwise is left as it is.
  const take = (read: InputValues) =>
    onChange({ ...values, ...read, from: read.from || values.from || payer?.address || "" });
  return (
    <>
      <div className="capability-columns">
        <section className="card" aria-label="Transaction">
          <PasteBox onRead={take} />
          <p className="samples">
            <span className="soft">Try</span>
            {samples.map((sample) => (
              <button
                key={sample.name}
                type="button"
                className="quiet small"
                onClick={() => take(sample.values)}
              >
                {findCapabilitySpec(id)?.id === "amm.swap.guard" ? "a swap" : "an approval"}
              </button>
            ))}
          </p>
          <InputForm
            id={id}
            values={values}
            errors={checked.ok ? refusalsOf(price.error, purchase.failure) : checked.errors}
            onChange={onChange}
            onSubmit={() => void price.refetch()}
          />
        </section>
        <div className="side">
          <PurchasePanel id={id} entry={entry} checked={checked} price={price} purchase={purchase} />
          <section className="card" aria-label="Decoded calls">
            <h2 className="side-title">What the calldata says</h2>
            {decoded.data ? (
              <CallTree decoded={decoded.data} data={values.data ?? "0x"} />
            ) : (
              <p className="soft">No calldata: a plain transfer of the value, or nothing pasted yet.</p>
            )}
          </section>
        </div>
      </div>
      {purchase.bought && <GuardAnswer bought={purchase.bought} />}
    </>
  );
}

function GuardAnswer({ bought: { answer, settlement, isNew } }: { readonly bought: Bought }) {
  const { findings, input } = answer.result.evidence as {
    findings: unknown;
    input: { readonly from: string };
  };
  return (
    <AnswerView key={answer.invocationId} answer={answer} settlement={settlement} isNew={isNew}>
      {answer.capabilityId === "amm.swap.guard" ? (
        <SwapView findings={findings} />
      ) : (
        <EffectsView findings={findings} from={input.from} />
      )}
    </AnswerView>
  );
}
