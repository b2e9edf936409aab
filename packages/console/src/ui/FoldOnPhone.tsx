import "../styles/phoneFold.css";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";

const NARROW = "(max-width: 40rem)";

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(NARROW);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

interface Props {
  /** Whether something more important stands below it now. */
  readonly isFolded: boolean;
  readonly title: string;
  readonly children: ReactNode;
}

/** Lies folded on a phone, where what stands below it is what the visitor came for; elsewhere nothing of it shows. */
export function FoldOnPhone({ isFolded, title, children }: Props) {
  const isNarrow = useSyncExternalStore(subscribe, () => window.matchMedia(NARROW).matches);
  const [isOpen, setIsOpen] = useState(false);
  const canFold = isNarrow && isFolded;
  useEffect(() => {
    if (!canFold) setIsOpen(false);
  }, [canFold]);
  return (
    <details
      className={canFold ? "phone-fold" : "phone-fold phone-fold-off"}
      open={!canFold || isOpen}
      onToggle={({ currentTarget }) => canFold && setIsOpen(currentTarget.open)}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}
