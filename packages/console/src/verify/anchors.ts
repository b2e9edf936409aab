import type { Hex } from "@assay/protocol";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { isAddress } from "../form/isAddress.js";
import { assay, useDescription } from "../service/assay.js";
import { findInBrowser, keepInBrowser } from "../service/keepInBrowser.js";

/** The keys that this browser trusts. */
export interface Anchors {
  readonly signer: Hex;
  /** Ed25519, 32 bytes in base64. */
  readonly logKey: string;
  /** ISO 8601. */
  readonly since: string;
  /** Stated by the service at the first visit, or entered by the visitor. */
  readonly source: "first visit" | "you";
}

export interface ChangedKey {
  readonly name: string;
  readonly known: string;
  readonly stated: string;
}

export interface Trust {
  /** Undefined until the service was reached once, or keys were pasted. */
  readonly anchors: Anchors | undefined;
  /** Where the service now states another key than the one this browser knows. */
  readonly changed: readonly ChangedKey[];
  acceptStated(): void;
}

const PLACE = "assay.anchors";
const CHANGED = "assay:anchors";
const BASE64_KEY = /^[A-Za-z0-9+/]{43}=$/;

export const isLogKey = (text: string): boolean => BASE64_KEY.test(text);

const readText = () => findInBrowser(PLACE);

function parse(text: string | null): Anchors | undefined {
  try {
    const value = JSON.parse(text ?? "null") as Anchors | null;
    return value && isAddress(value.signer) && isLogKey(value.logKey) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function keepAnchors(keys: Pick<Anchors, "signer" | "logKey" | "source">): void {
  const anchors: Anchors = { ...keys, since: new Date().toISOString() };
  keepInBrowser(PLACE, JSON.stringify(anchors));
  window.dispatchEvent(new Event(CHANGED));
}

/** The known keys, asked for where a check comes before the page has learned them. Undefined without a network. */
export async function learnAnchors(): Promise<Anchors | undefined> {
  const stated = parse(readText()) ? undefined : await assay.describe().catch(() => undefined);
  if (stated && !parse(readText()))
    keepAnchors({ signer: stated.signingAddress, logKey: stated.log.publicKey, source: "first visit" });
  return parse(readText());
}

function subscribe(listener: () => void): () => void {
  // Another window of this browser may have learned them.
  window.addEventListener("storage", listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener("storage", listener);
    window.removeEventListener(CHANGED, listener);
  };
}

/**
 * The keys to check with: those the service stated when this browser first came (trust on first use), or those that were
 * pasted. What the service states later changes nothing; it is compared.
 */
export function useTrust(): Trust {
  const text = useSyncExternalStore(subscribe, readText);
  const anchors = useMemo(() => parse(text), [text]);
  const { data } = useDescription();
  const stated = useMemo(() => data && { signer: data.signingAddress, logKey: data.log.publicKey }, [data]);
  useEffect(() => {
    if (stated && !parse(readText())) keepAnchors({ ...stated, source: "first visit" });
  }, [stated]);
  return {
    anchors,
    changed: anchors && stated ? compare(anchors, stated) : [],
    acceptStated: () => stated && keepAnchors({ ...stated, source: "you" }),
  };
}

function compare(known: Anchors, stated: Pick<Anchors, "signer" | "logKey">): ChangedKey[] {
  const keys: ChangedKey[] = [
    { name: "Signer of answers", known: known.signer, stated: stated.signer },
    { name: "Key of the log", known: known.logKey, stated: stated.logKey },
  ];
  return keys.filter((key) => key.known.toLowerCase() !== key.stated.toLowerCase() || isOtherKey(key));
}

/** Base64 distinguishes capital letters, addresses do not. */
const isOtherKey = ({ known, stated }: ChangedKey) => !known.startsWith("0x") && known !== stated;
