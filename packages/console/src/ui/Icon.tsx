const paths = {
  copy: "M9 9h10v10H9zM15 9V5H5v10h4",
  done: "M5 12.5l4.5 4.5L19 7.5",
  failed: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  warning: "M12 4l9 16H3zM12 10v4.5M12 17.2v.2",
  doubt: "M6 12h12",
  becomes: "M4 12h15M13 6l6 6-6 6",
} as const;

/** A small picture in the colour of the text: not every font has the signs. */
export function Icon({ name }: { readonly name: keyof typeof paths }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
