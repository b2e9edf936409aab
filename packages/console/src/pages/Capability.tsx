import { type CapabilityId, findCapabilitySpec } from "@assay/protocol";
import { useEffect, useState } from "react";
import "../styles/capability.css";
import { checkInput, type InputValues } from "../form/checkInput.js";
import { InputForm } from "../form/InputForm.js";
import { refusalsOf } from "../form/refusalsOf.js";
import { listSamples } from "../form/sampleInputs.js";
import { BoughtAnswer } from "../purchase/BoughtAnswer.js";
import { PurchasePanel } from "../purchase/PurchasePanel.js";
import { usePrice } from "../purchase/usePrice.js";
import { usePurchase } from "../purchase/usePurchase.js";
import { Link, useLocation } from "../routing/router.js";
import type { PageProps } from "../routing/routes.js";
import { useCatalog, useLocalChain } from "../service/assay.js";
import { formatDuration } from "../ui/format.js";
import { Empty, Loading } from "../ui/Status.js";

export default function Capability({ params: { id = "" } }: PageProps) {
  const spec = findCapabilitySpec(id);
  const localChain = useLocalChain();
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
  const samples = listSamples(id, useLocalChain().data ?? null);
  const catalog = useCatalog();
  const entry = catalog.data?.capabilities.find((one) => one.id === id);
  const spec = findCapabilitySpec(id);
  const asked = Object.fromEntries(query);
  const [values, setValues] = useState<InputValues>(
    query.size > 0 ? asked : (needsReference(id) ?? samples[0]?.values ?? {}),
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
        <p className="lead">{entry?.summary ?? spec?.summary}</p>
        <ul className="tags">
          <li className="tag">{spec?.status}</li>
          <li className="tag">{spec?.reuse === "shared" ? "shared answer" : "private answer"}</li>
          <li className="tag">holds for {formatDuration(spec?.ttlSeconds ?? 0)}</li>
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
      {purchase.bought && <BoughtAnswer id={id} bought={purchase.bought} checked={checked} />}
    </>
  );
}

function Samples({
  id,
  samples,
  choose,
}: {
  readonly id: CapabilityId;
  readonly samples: ReturnType<typeof listSamples>;
  choose(values: InputValues): void;
}) {
  if (id === "obligation.verdict")
    return (
      <p className="soft">
        An id stands beside each of the <Link href="/obligations">published obligations</Link>.
      </p>
    );
  if (id === "evidence.artifact")
    return (
      <p className="soft">Every shared answer names its artifact id; buy one of a shared capability first.</p>
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

/** These are about something that was published before, of which no example can know. */
const needsReference = (id: CapabilityId): InputValues | undefined =>
  id === "obligation.verdict" || id === "evidence.artifact" ? {} : undefined;

/** The address names the input, so that it can be sent to somebody; of a private call nothing is told. */
function useAddressOf(id: CapabilityId, values: InputValues): void {
  const isShared = findCapabilitySpec(id)?.reuse === "shared";
  useEffect(() => {
    if (!isShared) return;
    const given = Object.entries(values).filter(([, value]) => value !== "");
    const query = new URLSearchParams(given).toString();
    window.history.replaceState(null, "", `/capabilities/${id}${query ? `?${query}` : ""}`);
  }, [id, values, isShared]);
}
