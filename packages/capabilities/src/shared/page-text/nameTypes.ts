/** What manuals put before or behind a name to say what kind of thing it is. */
const KINDS =
  "functions?|methods?|procedures?|macros?|routines?|class|type|struct|structure|interface|signal|property|attribute|parameter|argument|option|switch|flag|command|subcommand|variable|field|constant|keyword|directive|setting|module|package|program|tool|utility|operator|predicate|event|element|tag|object";
/** A name as programs have it: in quotation marks, with signs or digits inside, with capitals inside, or of capitals alone. */
const NAME =
  "(?:['‘“`\"][\\w.:$@%/*+!?-]{1,60}['’”`\"]|-{1,2}[A-Za-z][\\w=-]{0,40}|[$@%][A-Za-z]\\w{0,40}|_{0,2}[^\\W_]{1,40}(?:(?:::|[_.-])[^\\W_]{1,40}){1,8}(?:\\(\\))?|\\w{1,40}\\(\\)|[a-z]{1,40}[A-Z]\\w{0,40}|[A-Z]{1,20}[a-z]{1,40}[A-Z]\\w{0,40}|[A-Z]{3,40}\\d{0,4})(?![\\w-])";
const BEFORE = new RegExp(`(?<![\\w-])(?:[Tt]he )?(?:${KINDS}) (?=${NAME})`, "gu");
const BEHIND = new RegExp(
  `(?<![\\w-])(?:[Tt]he )?(${NAME}) (?:${KINDS})(?=[ ,.;:]|$)(?! (?:${KINDS})\\b)(?! [a-z]*(?:name|list|type)s?\\b)`,
  "gu",
);

/** "The function read_all()" and "the read_all() function" as "read_all": which kind of thing it is, its name shows anyway. */
export const leaveOutKinds = (text: string): string =>
  text
    .replaceAll(BEFORE, "")
    .replaceAll(BEHIND, "$1")
    .replaceAll(/(?<=[\w])\(\)/g, "");
