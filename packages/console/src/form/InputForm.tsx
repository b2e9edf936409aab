import type { CapabilityId } from "@assay/client";
import type { FieldError } from "@assay/protocol";
import { type FormEvent, useId, useState } from "react";
import "../styles/form.css";
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
  const fields = listInputFields(id);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setWasSent(true);
    onSubmit();
  };
  if (fields.length === 0) return <p className="soft">This call takes no input.</p>;
  return (
    <form className="fields" noValidate onSubmit={send}>
      {fields.map((field) => {
        const rule = errors.find((error) => error.field === field.name)?.rule;
        const isShown = wasSent || left.has(field.name);
        return (
          <Field
            key={field.name}
            field={field}
            value={values[field.name] ?? ""}
            error={isShown && rule ? `${field.name} ${rule}` : undefined}
            onChange={(value) => onChange({ ...values, [field.name]: value })}
            onLeave={() => setLeft(new Set([...left, field.name]))}
          />
        );
      })}
      {/* Enter in a field asks for the price at once. */}
      <button type="submit" className="visually-hidden" tabIndex={-1}>
        Check the input
      </button>
    </form>
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
        <code>{name}</code>
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
