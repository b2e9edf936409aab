import { type CapabilityId, getCapability } from "@assay/client";
import type { FieldError } from "@assay/protocol";
import { type FormEvent, Fragment, useId, useState } from "react";
import "../styles/choice.css";
import "../styles/form.css";
import { spellWord } from "../ui/format.js";
import type { InputValues } from "./checkInput.js";
import { isMistyped } from "./isMistyped.js";
import { type InputField, listInputFields } from "./listInputFields.js";

interface Props {
  readonly id: CapabilityId;
  readonly values: InputValues;
  readonly errors: readonly FieldError[];
  onChange(values: InputValues): void;
  onSubmit(): void;
}

/** The form of any capability, built from its schema. A field shows its error once it was left, all of them once sent. */
export function InputForm({ id, values, errors, onChange, onSubmit }: Props) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [wasSent, setWasSent] = useState(false);
  const all = listInputFields(id);
  const { alternatives } = getCapability(id);
  const [picked, setPicked] = useState(alternatives[0]);
  // A sample, or a link, fills another one.
  const chosen = alternatives.find((name) => values[name]) ?? picked;
  const fields = all.filter(({ name }) => name === chosen || !alternatives.includes(name));
  const choose = (name: string) => {
    setPicked(name);
    // What is no longer shown must not be sent.
    onChange({ ...values, ...Object.fromEntries(alternatives.map((other) => [other, ""])) });
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    setWasSent(true);
    onSubmit();
  };
  const ruleOf = (name: string) => errors.find(({ field }) => field === name)?.rule;
  if (fields.length === 0) return <p className="soft">This call takes no input.</p>;
  return (
    <form className="fields" noValidate onSubmit={send}>
      {fields.map((field) => {
        const isChosen = field.name === chosen;
        const isShown = wasSent || left.has(field.name);
        const rule = isChosen && !values[field.name] ? "is required" : ruleOf(field.name);
        return (
          <Fragment key={field.name}>
            {isChosen && <Choice names={alternatives} chosen={chosen} onChoose={choose} />}
            <Field
              field={isChosen ? { ...field, isRequired: true } : field}
              value={values[field.name] ?? ""}
              error={isShown && rule ? `${spellWord(field.name)} ${rule}` : undefined}
              onChange={(value) => onChange({ ...values, [field.name]: value })}
              onLeave={() => setLeft(new Set([...left, field.name]))}
            />
          </Fragment>
        );
      })}
      {/* Enter in a field asks for the price at once. */}
      <button type="submit" className="visually-hidden" tabIndex={-1}>
        Check the input
      </button>
    </form>
  );
}

interface ChoiceProps {
  readonly names: readonly string[];
  readonly chosen: string;
  onChoose(name: string): void;
}

/** Of fields that exclude each other one is shown at a time. */
function Choice({ names, chosen, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <fieldset className="choice">
      <legend>Choose one</legend>
      {names.map((name) => (
        <label key={name}>
          <input type="radio" name={id} checked={name === chosen} onChange={() => onChoose(name)} />
          <span title={name}>{spellWord(name)}</span>
        </label>
      ))}
    </fieldset>
  );
}

const MISTYPED =
  "The capital letters do not match the checksum of this address (EIP-55): check for a mistyped digit. The call uses the address as typed.";

interface FieldProps {
  readonly field: InputField;
  readonly value: string;
  readonly error: string | undefined;
  onChange(value: string): void;
  onLeave(): void;
}

function Field({ field, value, error, onChange, onLeave }: FieldProps) {
  const { name, description, isRequired, whenEmpty, maxLength, isLong, isCode } = field;
  const id = useId();
  const shared = {
    id,
    name,
    value,
    maxLength,
    spellCheck: isCode ? false : undefined,
    autoComplete: "off",
    className: isCode ? "mono" : undefined,
    placeholder: whenEmpty,
    "aria-required": isRequired,
    "aria-invalid": error !== undefined,
    "aria-describedby": `${id}-hint ${id}-error`,
    onBlur: onLeave,
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        <span title={name}>{spellWord(name)}</span>
        {!isRequired && <span className="soft optional">optional</span>}
      </label>
      {isLong ? (
        <textarea {...shared} rows={4} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input {...shared} onChange={(event) => onChange(event.target.value)} />
      )}
      <p className="field-note" id={`${id}-hint`}>
        {description}
        {whenEmpty !== undefined && (
          <>
            ; <code>{whenEmpty}</code> when left empty
          </>
        )}
      </p>
      <p className={error ? "field-error" : "field-error field-doubt"} id={`${id}-error`} role="alert">
        {error ?? (isMistyped(value.trim()) && MISTYPED)}
      </p>
    </div>
  );
}
