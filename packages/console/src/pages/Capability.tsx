import { type CapabilityId, findCapability, findCapabilityByAnyName } from "@assay/client";

import { useEffect, useState } from "react";
import "../styles/capability.css";
import { PageText } from "../answer/PageText.js";
import { checkInput, type InputValues } from "../form/checkInput.js";
import { InputForm } from "../form/InputForm.js";
import { refusalsOf } from "../form/refusalsOf.js";
import type { Sample } from "../form/sampleInputs.js";
import { needsReference, useSamples } from "../form/useSamples.js";
import { BoughtAnswer } from "../purchase/BoughtAnswer.js";
import { PurchasePanel } from "../purchase/PurchasePanel.js";
import { usePrice } from "../purchase/usePrice.js";
import { usePurchase } from "../purchase/usePurchase.js";
import { Link, replaceAddress, useLocation } from "../routing/router.js";
import type { PageProps } from "../routing/routes.js";
import { useCatalog, useLocalChain } from "../service/assay.js";
import { formatDuration } from "../ui/format.js";
import { Empty, Loading } from "../ui/Status.js";
import { Words } from "../ui/Words.js";

export default function Capability({ params: { id = "" } }: PageProps) {
  const spec = findCapability(id);
  const localChain = useLocalChain();
  // A name it had before; links to it are still about.
  const successor = spec ? undefined : findCapabilityByAnyName(id)?.id;
  useEffect(() => {
    if (successor) replaceAddress(`/capabilities/${successor}`);
  }, [successor]);
  if (successor) return <Loading what="the form" lines={8} />;
  if (!spec)
    return (
      <Empty title={`No capability is called ${id}`}>
        <p>
          <Link href="/">The catalog</Link> lists all of them.
        </p>
      </Empty>
    );
  // What the form begins with depends on the chain, which is known a moment after the page.
  if (localChain.isPending) return <Loading what="the form" lines={8} />;
  return <CapabilityCall id={spec.id} />;
}

function CapabilityCall({ id }: { readonly id: CapabilityId }) {
  const { query } = useLocation();
  const samples = useSamples(id);
  const catalog = useCatalog();
  const entry = catalog.data?.capabilities.find((one) => one.id === id);
  const spec = findCapability(id);
  const asked = Object.fromEntries(query);
  const [values, setValues] = useState<InputValues>(
    query.size > 0 ? asked : needsReference(id) ? {} : (samples[0]?.values ?? {}),
  );
  const checked = checkInput(id, values);
  const price = usePrice(id, checked);
  const purchase = usePurchase(id);
  const errors = checked.ok ? refusalsOf(price.error, purchase.failure) : checked.errors;
  useAddressOf(id, values);
  return (
    <>
      <header className="capability-head">
        <p className="crumbs">
          <Link href="/">Capabilities</Link>
        </p>
        <h1 className="mono">{id}</h1>
        <p className="lead">
          <Words text={entry?.summary ?? spec?.summary ?? ""} />
        </p>
        <ul className="tags">
          <li className="tag" title={statusWords[spec?.status ?? "candidate"]}>
            {spec?.status}
          </li>
          <li className="tag" title={reuseWords[spec?.reuse ?? "private"]}>
            {spec?.reuse === "shared" ? "shared answer" : "private answer"}
          </li>
          <li className="tag">holds for at most {formatDuration(spec?.ttlSeconds ?? 0)}</li>
        </ul>
      </header>
      <div className="capability-columns">
        <section className="card" aria-label="Input">
          <InputForm
            id={id}
            values={values}
            errors={errors}
            onChange={setValues}
            onSubmit={() => void price.refetch()}
          />
          <Samples id={id} samples={samples} choose={setValues} />
        </section>
        <PurchasePanel id={id} entry={entry} checked={checked} price={price} purchase={purchase} />
      </div>
      {purchase.bought && (
        <BoughtAnswer id={id} bought={purchase.bought} checked={checked}>
          {id === "web.compile" && <PageText evidence={purchase.bought.answer.result.evidence} />}
        </BoughtAnswer>
      )}
    </>
  );
}

const statusWords = {
  active: "Keeps its rules until its version changes",
  candidate: "Newer: works the same way, and may still change or go",
};
const reuseWords = {
  shared: "The answer is sold on to others at a lower price, without saying who paid first",
  private: "The answer is yours alone and never sold on",
};

interface SamplesProps {
  readonly id: CapabilityId;
  readonly samples: readonly Sample[];
  choose(values: InputValues): void;
}

function Samples({ id, samples, choose }: SamplesProps) {
  if (samples.length === 0)
    return id === "obligation.verdict" ? (
      <p className="soft">
        The service asserts nothing right now. Its <Link href="/obligations">obligations</Link> would be
        offered here.
      </p>
    ) : (
      <p className="soft">
        Every shared answer names its artifact id. <Link href="/capabilities/contract.guard">Buy one</Link> in
        this tab first; it is then offered here.
      </p>
    );
  return (
    <p className="samples">
      <span className="soft">Try</span>
      {samples.map(({ name, values }) => (
        <button key={name} type="button" className="quiet small" onClick={() => choose(values)}>
          {name}
        </button>
      ))}
    </p>
  );
}

/** The address names the input, so that it can be sent to somebody; of a private call nothing is told. */
function useAddressOf(id: CapabilityId, values: InputValues): void {
  const isShared = findCapability(id)?.reuse === "shared";
  useEffect(() => {
    if (!isShared) return;
    const given = Object.entries(values).filter(([, value]) => value !== "");
    const query = new URLSearchParams(given).toString();
    window.history.replaceState(null, "", `/capabilities/${id}${query ? `?${query}` : ""}`);
  }, [id, values, isShared]);
}
