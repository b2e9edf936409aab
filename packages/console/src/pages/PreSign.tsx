import type { CapabilityId } from "@assay/client";
import { useState } from "react";
import "../styles/capability.css";
import "../styles/presign.css";
import { checkInput, type InputValues } from "../form/checkInput.js";
import { InputForm } from "../form/InputForm.js";
import { refusalsOf } from "../form/refusalsOf.js";
import { listSamples } from "../form/sampleInputs.js";
import { CallTree } from "../presign/CallTree.js";
import { PasteBox } from "../presign/PasteBox.js";
import { SenderNotice } from "../presign/SenderNotice.js";
import { transactionGuards } from "../presign/transactionGuards.js";
import { useDecoded } from "../presign/useDecoded.js";
import { BoughtAnswer } from "../purchase/BoughtAnswer.js";
import { isAnswered } from "../purchase/isAbout.js";
import { PurchasePanel } from "../purchase/PurchasePanel.js";
import { usePrice } from "../purchase/usePrice.js";
import { usePurchase } from "../purchase/usePurchase.js";
import { useCatalog, useLocalChain } from "../service/assay.js";
import { FoldOnPhone } from "../ui/FoldOnPhone.js";
import { usePayer } from "../wallet/Payer.js";

export default function PreSign() {
  const [id, setId] = useState(transactionGuards[0]?.id);
  const [values, setValues] = useState<InputValues>({});
  return (
    <>
      <header className="capability-head">
        <h1>Before you sign</h1>
        <p className="lead">
          Paste what a site asks you to sign. This page decodes it at once; for a verdict the service
          simulates it on the newest block.
        </p>
      </header>
      <fieldset className="guards">
        <legend className="visually-hidden">Guard</legend>
        {transactionGuards.map((guard) => (
          <label key={guard.id} className="card guard">
            <input type="radio" name="guard" checked={guard.id === id} onChange={() => setId(guard.id)} />
            <span>
              <strong>{guard.title}</strong>
              <small className="soft mono">{guard.id}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {id && <Guarded key={id} id={id} values={values} onChange={setValues} />}
    </>
  );
}

interface GuardedProps {
  readonly id: CapabilityId;
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
  const refusals = refusalsOf(price.error, purchase.failure);
  // The signer is mostly the payer; a sender that the transaction names is kept.
  const take = (read: InputValues) =>
    onChange(read.to ? { ...read, from: read.from || payer?.address || "" } : read);
  const { bought } = purchase;
  return (
    <>
      <FoldOnPhone
        isFolded={isAnswered(id, bought, checked)}
        title="The transaction, and what an answer costs"
      >
        <div className="capability-columns">
          <div className="presign-parts">
            <section className="card" aria-label="Paste">
              {/* A refused paste clears the form, so that nobody pays for an earlier paste by mistake. */}
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
              <FoldOnPhone
                isFolded={checked.ok && refusals.length === 0}
                title="The transaction, field by field"
              >
                <InputForm
                  id={id}
                  values={values}
                  errors={checked.ok ? refusals : checked.errors}
                  onChange={onChange}
                  onSubmit={() => void price.refetch()}
                />
              </FoldOnPhone>
              <SenderNotice from={values.from ?? ""} />
            </section>
          </div>
          <PurchasePanel id={id} entry={entry} checked={checked} price={price} purchase={purchase} />
        </div>
      </FoldOnPhone>
      {bought && <BoughtAnswer id={id} bought={bought} checked={checked} />}
    </>
  );
}
