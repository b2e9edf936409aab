const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const NAME =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(\\d{4})";
const DAY_FIRST = new RegExp(`\\b${DAY}(?: of)? ${NAME}\\b\\.?(?:,? ${YEAR}\\b)?`, "gi");
const MONTH_FIRST = new RegExp(`\\b${NAME}\\.? ${DAY}\\b(?!:)(?:,? ${YEAR}\\b)?`, "gi");
const MONTH_AND_YEAR = new RegExp(`\\b${NAME}\\.?,? ${YEAR}\\b`, "gi");
const ISO = /\b(\d{4})-(\d\d)-(\d\d)\b/g;

/** "May" alone is more often a verb. */
const MAY = "maymonth";
const MAY_ALONE =
  /(?<=\b(?:in|since|until|till|of|by|early|late|mid|last|next|every|each)) may\b(?! (?:be|have|not|only)\b)/gi;

/** The text with each date as "3 june 2022", however it was written. A date of figures alone is understood in ISO order. */
export function writeDates(text: string): string {
  return text
    .replaceAll(ISO, (all, year: string, month: string, day: string) => {
      const name = MONTHS[Number(month) - 1];
      return name === undefined ? all : join(day, fullName(name), year);
    })
    .replaceAll(DAY_FIRST, (_, day: string, name: string, year?: string) => join(day, fullName(name), year))
    .replaceAll(MONTH_FIRST, (_, name: string, day: string, year?: string) => join(day, fullName(name), year))
    .replaceAll(MONTH_AND_YEAR, (_, name: string, year: string) => `${fullName(name)} ${year}`)
    .replaceAll(MAY_ALONE, ` ${MAY}`);
}

const join = (day: string, month: string, year?: string) =>
  [String(Number(day)), month, year].filter((part) => part !== undefined).join(" ");
const fullName = (name: string) => (/^may/i.test(name) ? MAY : monthOf(name));
const monthOf = (name: string) =>
  MONTHS.find((month) => month.startsWith(name.toLowerCase().slice(0, 3))) ?? name;
