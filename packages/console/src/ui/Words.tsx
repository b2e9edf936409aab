/** A sentence with names in backticks, which are shown as code. */
export function Words({ text }: { readonly text: string }) {
  return text.split("`").map((part, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have a place and no name
    place % 2 === 1 ? <code key={place}>{part}</code> : part,
  );
}
