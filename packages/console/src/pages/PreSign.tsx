import type { CapabilityId } from "@assay/client";
import type { CapabilityResult } from "@assay/protocol";
import { useState } from "react";
import "../styles/capability.css";
import "../styles/presign.css";
import { checkInput, type InputValues } from "../form/checkInput.js";
import { InputForm } from "../form/InputForm.js";
import { refusalsOf } from "../form/refusalsOf.js";
import { listSamples } from "../form/sampleInputs.js";
import { CallTree } from "../presign/CallTree.js";
import { EffectsView } from "../presign/EffectsView.js";
import { PasteBox } from "../presign/PasteBox.js";
import { SenderNotice } from "../presign/SenderNotice.js";
import { SwapView } from "../presign/SwapView.js";
import { useDecoded } from "../presign/useDecoded.js";
import { BoughtAnswer } from "../purchase/BoughtAnswer.js";
import { PurchasePanel } from "../purchase/PurchasePanel.js";
import { usePrice } from "../purchase/usePrice.js";
import { usePurchase } from "../purchase/usePurchase.js";
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
    onChange(read.to ? { ...read, from: read.from || payer?.address || "" } : read);
  const { bought } = purchase;
  return (
    <>
      <div className="capability-columns">
        <div className="presign-parts">
          <section className="card" aria-label="Paste">
            {/* A refused paste leaves nothing of an earlier one that could be taken for it and paid. */}
            <PasteBox onPaste={(pasted) => take(pasted.ok ? pasted.values : {})} />
            <p className="samples">
              <span className="soft">Try</span>
              {samples.map((sample) => (
                <button
                  key={sample.name}
                  type="button"
                  className="quiet small"
                  onClick={() => take(sample.values)}
                >
                  {sample.name}
                </button>
              ))}
            </p>
          </section>
          <section className="card" aria-label="Decoded calls">
            <h2 className="part-title">What the calldata says</h2>
            {decoded.data ? (
              <CallTree decoded={decoded.data} data={values.data ?? "0x"} hasTarget={Boolean(values.to)} />
            ) : (
              <p className="soft">No calldata: a plain transfer of the value, or nothing pasted yet.</p>
            )}
          </section>
          <section className="card" aria-label="Transaction">
            <InputForm
              id={id}
              values={values}
              errors={checked.ok ? refusalsOf(price.error, purchase.failure) : checked.errors}
              onChange={onChange}
              onSubmit={() => void price.refetch()}
            />
            <SenderNotice from={values.from ?? ""} />
          </section>
        </div>
        <PurchasePanel id={id} entry={entry} checked={checked} price={price} purchase={purchase} />
      </div>
      {bought && (
        <BoughtAnswer id={id} bought={bought} checked={checked}>
          <Differences answer={bought.answer} />
        </BoughtAnswer>
      )}
    </>
  );
}

function Differences({ answer: { capabilityId, result } }: { readonly answer: CapabilityResult }) {
  const { findings, input } = result.evidence as { findings: unknown; input: { readonly from: string } };
  if (capabilityId === "amm.swap.guard") return <SwapView findings={findings} from={input.from} />;
  return <EffectsView findings={findings} from={input.from} />;
}
