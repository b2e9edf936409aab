import { findCapability, findCapabilityByAnyName, type ListedCapability } from "@assay/client";
import { useEffect, useState } from "react";
import "../styles/capability.css";
import { checkInput, type InputValues } from "../form/checkInput.js";
import { getContractCapability } from "../form/getContractCapability.js";
import { dropHanded, findHanded } from "../form/handedInput.js";
import { InputForm } from "../form/InputForm.js";
import { linkToForm } from "../form/linkToForm.js";
import { refusalsOf } from "../form/refusalsOf.js";
import type { Sample } from "../form/sampleInputs.js";
import { useSamples } from "../form/useSamples.js";
import { BoughtAnswer } from "../purchase/BoughtAnswer.js";
import { isAnswered } from "../purchase/isAbout.js";
import { PurchasePanel } from "../purchase/PurchasePanel.js";
import { usePrice } from "../purchase/usePrice.js";
import { usePurchase } from "../purchase/usePurchase.js";
import { RecordedList } from "../recorded/RecordedList.js";
import { Link, replaceAddress, useLocation } from "../routing/router.js";
import type { PageProps } from "../routing/routes.js";
import { useCatalog, useLocalChain } from "../service/assay.js";
import { FoldOnPhone } from "../ui/FoldOnPhone.js";
import { formatDuration } from "../ui/format.js";
import { Empty, Loading } from "../ui/Status.js";
import { Words } from "../ui/Words.js";

export default function Capability({ params: { id = "" } }: PageProps) {
  const capability = findCapability(id);
  const localChain = useLocalChain();
  // Links to a former name still exist.
  const successor = capability ? undefined : findCapabilityByAnyName(id)?.id;
  useEffect(() => {
    if (successor) replaceAddress(linkToForm(successor));
  }, [successor]);
  if (successor) return <Loading what="the form" lines={8} />;
  if (!capability)
    return (
      <Empty title={`No capability is called ${id}`}>
        <p>
          <Link href="/">The catalog</Link> lists all of them.
        </p>
      </Empty>
    );
  // The first values of the form depend on the chain, which is known a moment after the page.
  if (localChain.isPending) return <Loading what="the form" lines={8} />;
  return <CapabilityCall capability={capability} />;
}

function CapabilityCall({ capability }: { readonly capability: ListedCapability }) {
  const { id, record, status, reuse, ttlSeconds } = capability;
  const { query } = useLocation();
  const samples = useSamples(id);
  const catalog = useCatalog();
  const entry = catalog.data?.capabilities.find((one) => one.id === id);
  const asked = Object.fromEntries(query);
  const [values, setValues] = useState<InputValues>(
    // A record is chosen by the visitor: no example can name one.
    query.size > 0 ? asked : (findHanded(id) ?? (record ? {} : (samples[0]?.values ?? {}))),
  );
  useEffect(() => dropHanded(id), [id]);
  const checked = checkInput(id, values);
  const price = usePrice(id, checked);
  const purchase = usePurchase(id);
  const errors = checked.ok ? refusalsOf(price.error, purchase.failure) : checked.errors;
  useAddressOf(capability, values);
  return (
    <>
      <header className="capability-head">
        <p className="crumbs">
          <Link href="/">Capabilities</Link>
        </p>
        <h1>{capability.title}</h1>
      </header>
      <FoldOnPhone isFolded={isAnswered(id, purchase.bought, checked)} title="The question, and its price">
        <p className="lead">
          <Words text={entry?.summary ?? capability.summary} />
        </p>
        <ul className="tags">
          <li className="tag mono">{id}</li>
          <li className="tag" title={statusWords[status]}>
            {status}
          </li>
          <li className="tag" title={reuseWords[reuse]}>
            {reuse} answer
          </li>
          <li className="tag">holds for at most {formatDuration(ttlSeconds)}</li>
        </ul>
        <div className="capability-columns">
          <section className="card" aria-label="Input">
            <InputForm
              id={id}
              values={values}
              errors={errors}
              onChange={setValues}
              onSubmit={() => void price.refetch()}
            />
            <Samples record={record} samples={samples} choose={setValues} />
            <RecordedList of={id} />
          </section>
          <PurchasePanel id={id} entry={entry} checked={checked} price={price} purchase={purchase} />
        </div>
      </FoldOnPhone>
      {purchase.bought && <BoughtAnswer id={id} bought={purchase.bought} checked={checked} />}
    </>
  );
}

const statusWords = {
  active: "Keeps its rules until its version changes",
  candidate: "Newer: works the same way, and may still change or be withdrawn",
};
const reuseWords = {
  shared: "The answer is sold on to others at a lower price, without saying who paid first",
  private: "The answer is yours alone and never sold on",
};

interface SamplesProps extends Pick<ListedCapability, "record"> {
  readonly samples: readonly Sample[];
  choose(values: InputValues): void;
}

function Samples({ record, samples, choose }: SamplesProps) {
  if (samples.length === 0) return record ? noRecords[record.kind] : null;
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

const noRecords = {
  obligation: (
    <p className="soft">
      The service has no obligations right now. This form offers them as soon as{" "}
      <Link href="/obligations">some are open</Link>.
    </p>
  ),
  artifact: (
    <p className="soft">
      Every shared answer names its artifact id.{" "}
      <Link href={linkToForm(getContractCapability().id)}>Buy one</Link> in this tab first; this form then
      offers it.
    </p>
  ),
};

/** Writes the input into the page's address, so that it can be sent to somebody; not for a private call. */
function useAddressOf({ id, reuse }: ListedCapability, values: InputValues): void {
  const isShared = reuse === "shared";
  useEffect(() => {
    if (!isShared) return;
    const given = Object.entries(values).filter(([, value]) => value !== "");
    window.history.replaceState(null, "", linkToForm(id, Object.fromEntries(given)));
  }, [id, values, isShared]);
}
