import type { ContractFingerprint } from "@assay/client";
import { addressSchema, type Published } from "@assay/protocol";
import { type FormEvent, useState } from "react";
import { Link } from "../routing/router.js";
import { useFirstHead } from "../service/assay.js";
import { formatUsd } from "../ui/format.js";
import { Moment } from "../ui/Moment.js";
import { SignedSubmit, useSigned } from "../wallet/SignedSubmit.js";
import { CodeCommand } from "./CodeCommand.js";
import { CodeInput, type CodeReading } from "./CodeInput.js";
import { NodeWords } from "./NodeWords.js";
import { useNode } from "./useNode.js";

interface Props {
  /** The first value of the address field. */
  readonly address: string;
  onPublished(): void;
}

/** Publishes a contract's fingerprint from code that the publisher's own node returned. */
export function PublishForm(props: Props) {
  const head = useFirstHead();
  return (
    <section className="card stack">
      <h2>Publish a fingerprint</h2>
      <p>
        A fingerprint is the hash and the length of a contract's code. Read the code with a node of your own:
        this page asks none. The service reads it too, and a publication that the chain contradicts stays on
        your public record.
      </p>
      {head === undefined ? (
        <p role="status">Waiting for the chain's head…</p>
      ) : (
        <Fields {...props} head={head} />
      )}
    </section>
  );
}

function Fields({ address: initial, onPublished, head }: Props & { readonly head: number }) {
  const [address, setAddress] = useState(initial);
  const [block, setBlock] = useState(String(head));
  const [code, setCode] = useState<CodeReading | string>("Paste the code, or 0x if there is none.");
  const [problem, setProblem] = useState<string>();
  const mutation = useSigned<ContractFingerprint, Published>((client, fingerprint) =>
    client.publish(fingerprint),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fingerprint = readFingerprint(address.trim(), block.trim(), code);
    setProblem(typeof fingerprint === "string" ? fingerprint : undefined);
    if (typeof fingerprint !== "string") mutation.mutate(fingerprint, { onSuccess: onPublished });
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <div className="field-row">
        <label>
          Contract
          <input
            className="mono"
            value={address}
            placeholder="0x…"
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setAddress(event.target.value)}
          />
        </label>
        <label>
          Read at block
          <input
            className="mono"
            inputMode="numeric"
            value={block}
            onChange={(event) => setBlock(event.target.value)}
          />
        </label>
      </div>
      <Commands address={address.trim() || "0x…"} block={block.trim()} />
      <CodeInput what={`this contract at block ${block.trim()}`} onReading={setCode} />
      {problem && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      <SignedSubmit label="Sign and publish" mutation={mutation} />
      {mutation.data && <Done published={mutation.data} />}
    </form>
  );
}

function readFingerprint(
  address: string,
  block: string,
  code: CodeReading | string,
): ContractFingerprint | string {
  const contract = addressSchema.safeParse(address);
  if (!contract.success) return "The contract must be 0x followed by 40 hex digits.";
  if (!/^\d{1,15}$/.test(block)) return "The block must be a number.";
  if (typeof code === "string") return code;
  return { address: contract.data, computedAtBlock: Number(block), ...code };
}

/** The commands that read the code. */
function Commands({ address, block }: { readonly address: string; readonly block: string }) {
  const node = useNode();
  return (
    <>
      <CodeCommand address={address} block={block} />
      <p className="soft">
        <NodeWords />
        Or let the command line do all of it:{" "}
        <code>
          npx assay publish {address} --rpc {node} --url {window.location.origin}
        </code>
      </p>
    </>
  );
}

function Done({ published: { seeder } }: { readonly published: Published }) {
  const { economics } = seeder;
  return (
    <div className="standing standing-good" role="status">
      <p className="standing-title">Published: the slot is yours</p>
      <p>
        Until <Moment at={seeder.freshUntil} /> every reuse by another wallet earns{" "}
        {formatUsd(economics.dividendPerSettledReuseUsd)} in credits, at most{" "}
        {formatUsd(economics.lifetimeCapUsd)}. The first of them makes that thirty days and enters the log.
        See <Link href={`/publishers/${seeder.wallet}`}>your public record</Link>.
      </p>
    </div>
  );
}
