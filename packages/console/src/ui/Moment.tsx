/** A point in time as people here write it; the exact one is its title. */
export function Moment({ at }: { readonly at: string }) {
  const text = new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  );
}
