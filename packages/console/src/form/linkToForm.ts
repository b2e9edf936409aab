import { capabilities, type ListedCapability } from "@assay/client";

/** The form of a capability, filled with these values. */
export function linkToForm(id: string, values: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(values).toString();
  return `/capabilities/${id}${query && `?${query}`}`;
}

/** The form that asks about one record of the service. */
export function linkToRecordForm(kind: NonNullable<ListedCapability["record"]>["kind"], key: string): string {
  const capability = capabilities.find(({ record }) => record?.kind === kind);
  if (!capability?.record) throw new RangeError(`no capability is about records of the kind ${kind}`);
  return linkToForm(capability.id, { [capability.record.field]: key });
}
