import { removeInvisible } from "./invisibleCharacters.js";

const MAX_TITLE_CHARACTERS = 300;

/** Null for a title without words. */
export function cleanTitle(found: string): string | null {
  const title = removeInvisible(found).replaceAll(/\s+/g, " ").trim();
  return title === "" ? null : removeInvisible(title.slice(0, MAX_TITLE_CHARACTERS));
}

/** Null for anything but a language tag (RFC 5646). */
export function readLanguage(tag: string | null): string | null {
  const [language] = /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,4}$/i.exec(tag?.trim() ?? "") ?? [];
  return language ?? null;
}
