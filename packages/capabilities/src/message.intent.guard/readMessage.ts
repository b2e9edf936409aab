import type { Hex } from "@assay/protocol";
import { accountForms, readNested } from "./forms/accounts.js";
import { delegationForms, plainForms } from "./forms/delegations.js";
import type { Forms, KnownDocument } from "./forms/form.js";
import { operationForms, readAuthorization, readCalls, readUserOperation } from "./forms/operations.js";
import { orderForms, readBulkOrder, seaportForms } from "./forms/orders.js";
import { permit2Forms, readWitnessForm } from "./forms/permit2.js";
import { permitForms } from "./forms/permits.js";
import { readPersonalText } from "./forms/texts.js";
import { transferForms } from "./forms/transfers.js";
import type { MessageIntentInput } from "./input.js";
import { type Meaning, mean } from "./meaning.js";
import { encodeTypeOf, isAddressValue, type TypedDocument } from "./typedDocument.js";
import type { Venues } from "./venues.js";

const forms: Forms = {
  ...permitForms,
  ...permit2Forms,
  ...transferForms,
  ...orderForms,
  ...seaportForms,
  ...accountForms,
  ...delegationForms,
  ...plainForms,
  ...operationForms,
};

/** Wrappers inside wrappers are no honest message. */
const MAX_DEPTH = 4;

/** What the message means, as far as it shows by itself. Pure, and never throws. */
export function readMessage(input: MessageIntentInput, venues: Venues): Meaning {
  const { signer } = input;
  if (input.typedData)
    return readDocument(input.typedData, signer, { origin: input.origin ?? null, venues, depth: 0 });
  if (input.authorization) return readAuthorization(input.authorization, signer);
  if (input.userOperation) return readUserOperation(input.userOperation, signer);
  if (input.calls) return readCalls(input.calls, signer);
  return readPersonalText(input.personalMessage ?? "", signer, input.origin ?? null);
}

interface Reader {
  readonly origin: string | null;
  readonly venues: Venues;
  readonly depth: number;
}

function readDocument(document: TypedDocument, signer: Hex, reader: Reader): Meaning {
  const { origin, venues, depth } = reader;
  const type = encodeTypeOf(document.types, document.primaryType);
  const verifier = isAddressValue(document.domain.verifyingContract)
    ? document.domain.verifyingContract
    : null;
  const known: KnownDocument = {
    signer,
    document,
    verifier,
    message: document.message,
    venues,
    readInner: (inner, owner) =>
      depth >= MAX_DEPTH ? readUnknown(inner) : readDocument(inner, owner, { ...reader, depth: depth + 1 }),
    readText: (text, owner) => readPersonalText(text, owner, origin),
  };
  return (
    forms[type]?.(known) ??
    readWitnessForm(type, known) ??
    readBulkOrder(type, known) ??
    readNested(known) ??
    readUnknown(document)
  );
}

const readUnknown = ({ primaryType }: TypedDocument): Meaning =>
  mean({
    form: "unknown",
    title: `a message of the unknown type "${primaryType}"`,
    notes: [{ code: "TYPE_UNKNOWN" }],
  });
