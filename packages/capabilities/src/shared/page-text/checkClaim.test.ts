import { describe, expect, test } from "vitest";
import { checkClaim } from "./checkClaim.js";
import { readWords } from "./listSentences.js";

const page = [
  "The bridge opened in 1998 and carries 12,500 cars a day.",
  "It is not true that the bridge has a toll. Is the bridge safe in storms? The council doesn't own the ferry.",
  "If the river floods, the lower road is closed. The upper road is icy unless salt was spread.",
  "橋は一九九八年に開通しました。通行料はかかりません。",
  "The tower is 45 metres high. Others say the tower is 54 metres high.",
  "Nobody lives on the island in winter. No one has seen the northern lynx since spring.",
  "It is a lie that the mayor sold the quarry. We doubt that the old mill burned twice.",
  "A leaflet claims the well water cures gout, which is wrong. That the harbour froze in June is false.",
  "The story about the silver mine is untrue. Contrary to the rumour that the school will close, lessons go on.",
  "Contrary to many maps, the path to Skerry leads over the moor.",
  "The ferry runs every hour without stopping at the mole. The museum sells tickets, but not on Mondays.",
  "The council did not object, and the chapel was restored in 2004. The chapel opened in May, not in April.",
  "Critics deny the reservoir leaks into the valley. It is a myth that swans mate for life.",
  "Nobody denies that the canal needs repair. There is no doubt that the lock gates are rotten.",
  "The baker sells rye bread. This is false. The smith forges iron gates. This is well known.",
  "The night train to Oban no longer stops here. The quarry office is not open to visitors.",
  "Reportedly the duke bought two castles. The garden might flood in autumn.",
  "The rumour that the bank failed last year has been refuted. Wrong: the post office moves to Leith.",
  "The tea room serves soup except on feast days. Far from being a rich house, the abbey owed money to Rome.",
  "The guide not only speaks Gaelic but also sings. Rather than build a dam, the town dug wells.",
  "Copper fell by -5 percent last week. Parking at the quay costs $5 an hour. The levy is 0.30% of sales.",
  "The brewery opens at noon. Wrong! Fake: the lighthouse keeper won the lottery.",
  "The hotel charges ~~twelve pounds a night. Breakfast is free~~ nine pounds.",
  "The council house keeps the records of the town. The dam cost 2.1 million crowns and took seven years.",
  "The price of peat fell by two thirds in a year. Shepherds say the moor is haunted by hares.",
  "The moat holds forty carp, according to the warden. Divers believe that the vault holds nine chests of coins.",
  'A poster reads: "Our cellar never floods in spring". Children under six ride free on the tram.',
  "In winter the cable car stops when the wind rises. Rain stopped all flights within five minutes, while wind did not.",
  "The kiln burns about 40 logs a night. Visitors may photograph the frescoes without flash.",
  "The signal box is staffed. The observatory failed to record the eclipse.",
].join("\n\n");

const resultOf = (claim: string) => checkClaim(claim, page).result;

describe("a claim compared with a page's wording", () => {
  test.each([
    ["the same words", "The bridge opened in 1998"],
    ["the same words in other case and punctuation", "the bridge opened, in 1998!"],
    ["a number with other separators", "carries 12500 cars a day"],
    ["a script without spaces", "一九九八年に開通しました"],
    ["two sentences that both stand there", "The bridge opened in 1998. The council does not own the ferry."],
    ["a negation that the claim has too", "The council doesn't own the ferry"],
    ["a subject that is nobody in both", "Nobody lives on the island in winter"],
    ['words before a later "without"', "The ferry runs every hour"],
    ['words before a later "but not"', "The museum sells tickets"],
    ["words after a negation in another part", "the chapel was restored in 2004"],
    ["words before what is contrasted with them", "The chapel opened in May"],
    ["what stands contrary to something else", "the path to Skerry leads over the moor"],
    ["what goes on contrary to a rumour", "lessons go on"],
    ["what a sentence after it confirms", "The smith forges iron gates"],
    ['"not only", which negates nothing', "speaks Gaelic but also sings"],
    ["a noun before the one it belongs to", "The council house keeps town records"],
    ["an amount in another notation", "The dam cost 2,100,000 crowns and took 7 years"],
    ["another tense of having", "The smith had forged iron gates"],
    ["two content words", "signal box"],
    ["what follows something far from the case", "the abbey owed money to Rome"],
    ["what was done rather than something else", "the town dug wells"],
    ["an amount with another zero", "The levy is 0.3% of sales"],
    ["an amount without its currency", "Parking at the quay costs 5 an hour"],
    ["a denial quoted as it stands", "It is a myth that swans mate for life"],
  ])("%s support it", (_, claim) => expect(resultOf(claim)).toBe("supported"));

  test.each([
    ["another number", "The bridge opened in 1989"],
    ["a negation around the wording", "the bridge has a toll"],
    ["a negation in other words", "The council owns the ferry"],
    ["nobody", "lives on the island in winter"],
    ["nobody against somebody", "Somebody lives on the island in winter"],
    ["no one against people", "People have seen the northern lynx"],
    ["a lie", "the mayor sold the quarry"],
    ["a doubt", "the old mill burned twice"],
    ["what is wrong after it", "the well water cures gout"],
    ["what is false after it", "the harbour froze in June"],
    ["what is untrue after it", "The story about the silver mine"],
    ["what is contrary to the case", "the school will close"],
    ["a denial", "the reservoir leaks into the valley"],
    ["a myth", "swans mate for life"],
    ["the sentence after it", "The baker sells rye bread"],
    ["what is no longer so", "The night train to Oban"],
    ["a negation right after it", "The quarry office"],
    ["a refutation after it", "the bank failed last year"],
    ["a word that announces it as wrong", "the post office moves to Leith"],
    ["a negation on the claim's side only", "The bridge never opened in 1998 and carries cars"],
    ["a toll denied in other endings", "The council did own the ferry"],
    ["what was far from the case", "being a rich house"],
    ["what was not done but something else", "build a dam"],
    ["a failure to do it", "record the eclipse"],
    ["another sign", "Copper fell by 5 percent last week"],
    ["another scale of a number", "The dam cost 2.1 billion crowns and took seven years"],
    ["another number in words", "The dam cost 2.1 million crowns and took seventeen years"],
    ["another fraction", "The price of peat fell by one third in a year"],
    ["another month", "The chapel opened in June"],
    ["an opposite", "The price of peat rose by two thirds in a year"],
    ["what only others say, where the page says another number", "the tower is 54 metres high"],
    ["another currency", "Parking at the quay costs €5 an hour"],
    ["one word after it", "The brewery opens at noon"],
    ["one word before it", "the lighthouse keeper won the lottery"],
  ])("%s contradicts it", (_, claim) => expect(resultOf(claim)).toBe("contradicted_wording_absent"));

  test.each([
    ["nothing about it", "The bridge is painted green"],
    ["what is struck out", "Breakfast is free"],
    ["a question", "the bridge safe in storms"],
    ["a condition before it", "the lower road is closed"],
    ["a condition that is it", "the river floods"],
    ["a condition after it", "The upper road is icy"],
    ["words over the end of a sentence", "12,500 cars a day it is"],
    ["hearsay", "the duke bought two castles"],
    ["what somebody says", "the moor is haunted by hares"],
    ["what somebody is said to say after it", "the moat holds forty carp"],
    ["what somebody expects", "the vault holds nine chests of coins"],
    ["what stands in quotation marks", "our cellar never floods in spring"],
    ["a part without what restricts it", "Children ride free on the tram"],
    ["a time at which it holds", "In winter the cable car stops"],
    ["the subject of another part", "Wind stopped all flights within five minutes"],
    ["an exact number where the page has a rough one", "The kiln burns 40 logs a night"],
    ["another modal", "Visitors photograph the frescoes without flash"],
    ["a possibility", "flood in autumn"],
    ["an exception", "The tea room serves soup"],
    ["two denials that cancel", "the canal needs repair"],
    ["doubt that is denied", "the lock gates are rotten"],
    ["a word in another order", "opened the bridge in 1998"],
    ["the same in other words", "Vehicles first crossed the bridge in 1998"],
    ["one of two sentences only", "The bridge opened in 1998. Its colour is green."],
  ])("%s is no finding", (_, claim) => {
    expect(checkClaim(claim, page)).toMatchObject({ result: "not_found", isTooShort: false });
  });

  test.each([
    ["no words at all", "…"],
    ["one common word", "the"],
    ["common words only", "it is not so"],
    ["one word", "bridge"],
    ["one word among common ones", "The bridge is"],
    ["one word twice", "bridge, bridge"],
    ["one number", "1998"],
    ["two characters of a script without spaces", "開通"],
  ])("%s is too short to search for", (_, claim) => {
    expect(checkClaim(claim, page)).toMatchObject({ result: "not_found", isTooShort: true, passages: [] });
  });

  test.each([
    [
      "dates in other forms",
      "The mill was sold to Ann on 3 June 2022 for $9.",
      "The mill was sold to Ann on June 3, 2022",
    ],
    [
      "an ISO date",
      "The mill was sold to Ann on 3 June 2022 for $9.",
      "The mill was sold to Ann on 2022-06-03",
    ],
    ["a part of a date", "The mill was sold to Ann on 3 June 2022 for $9.", "The mill was sold in June 2022"],
    [
      "a date in front",
      "On 4 May 1902 the first stone was laid.",
      "The first stone was laid on May 4th, 1902",
    ],
    ["a short scale", "The port earned $4.2 billion in 2023.", "The port earned $4.2bn in 2023"],
    ["another unit", "The tunnel is 3.5 km long.", "The tunnel is 3,500 metres long"],
    ["thousands in points", "The port handled 1.250.000 boxes.", "The port handled 1,250,000 boxes"],
    ["the passive voice", "The dam was built in 1931 by the army.", "The army built the dam"],
    [
      "phrases in another order",
      "The firm was founded in 1974 by Lars Hove.",
      "The firm was founded by Lars Hove in 1974",
    ],
    [
      "words around an aside",
      "The firm, founded by Lars Hove, employs nine people.",
      "The firm employs 9 people",
    ],
    [
      "an aside itself",
      "The firm, founded in 1974 by Lars Hove, employs nine.",
      "Lars Hove founded the firm in 1974",
    ],
    [
      "a name with an aside",
      "Maria Sol, a chemist, discovered it in 1987 in Lima.",
      "Maria Sol discovered it in 1987",
    ],
    [
      "a second verb",
      "Each box holds nine cups and weighs 300 g when empty.",
      "Each box weighs 300 grams when empty",
    ],
    [
      "the place of a single thing",
      "The chapel at Skerry was restored in 2004.",
      "The chapel was restored in 2004",
    ],
    [
      "the same bound",
      "More than 40 people were hurt in the crash.",
      "More than forty people were hurt in the crash",
    ],
  ])("%s support it", (_, text, claim) => expect(checkClaim(claim, text).result).toBe("supported"));

  test.each([
    [
      "another object of another verb",
      "The hall was sold to Ann and the barn to Bert.",
      "The hall was sold to Bert",
    ],
    [
      "the owner of the subject",
      "The owner of the ferry sank the rival boat.",
      "The ferry sank the rival boat",
    ],
    ["a longer name", "The company sold the ferry division in 2020.", "The company sold the ferry in 2020"],
    [
      "a state at certain times",
      "Admission to the park is free on Sundays.",
      "Admission to the park is free",
    ],
    ["a past state for some", "The pool was open to members in 2010.", "The pool was open in 2010"],
    ["a habit in the past", "The bridge was closed on Sundays in 2019.", "The bridge was closed in 2019"],
    [
      "a plural subject with a place",
      "Visitors from abroad paid 5 euros at the gate.",
      "Visitors paid 5 euros at the gate",
    ],
    ["what was to be", "The firm was to be sold to Berg in 2021.", "The firm was sold to Berg in 2021"],
    ["a lower bound", "At least 40 people were hurt in the crash.", "40 people were hurt in the crash"],
    [
      "an upper bound after it",
      "Emissions were cut by 5 percent in 2010 at most.",
      "Emissions were cut by 5 percent in 2010",
    ],
    [
      "a story",
      "In the novel, the city was destroyed by a flood in 1755.",
      "The city was destroyed by a flood in 1755",
    ],
    [
      "the object of one verb as subject of the next",
      "Ann asked Bert and paid the bill in 2010.",
      "Bert paid the bill in 2010",
    ],
    ["the passive turned round", "Spain was beaten by France in 1998.", "Spain beat France in 1998"],
    [
      "an approval on condition",
      "The regulator approved the merger on condition that it closes.",
      "The regulator approved the merger",
    ],
    [
      "a brother of the agent",
      "The firm was founded in 1974 by the brother of Lars Hove.",
      "The firm was founded by Lars Hove in 1974",
    ],
    [
      "another voice by hearsay",
      "The dam was built in 1931 by the army, according to one book.",
      "The army built the dam",
    ],
    [
      "another voice with a hedge",
      "Perhaps the dam was built in 1931 by the army.",
      "The army built the dam",
    ],
    [
      "another voice, denied next",
      "The dam was built in 1931 by the army. This is false.",
      "The army built the dam",
    ],
    [
      "another voice under a condition",
      "The dam was built in 1931 by the army unless the books err.",
      "The army built the dam",
    ],
    ["a season", "The village shop sells fresh milk in summer.", "The village shop sells fresh milk"],
  ])("%s does not support it", (_, text, claim) =>
    expect(checkClaim(claim, text).result).not.toBe("supported"),
  );

  test("a year says nothing against a day", () => {
    const text = "The ferry line to Skerry was sold to Alta on 3 June 2022.";
    expect(checkClaim("The ferry line to Skerry was given up in 1990", text).result).toBe("not_found");
  });

  test("where nothing says the claim, the passage with the most of its words is shown", () => {
    const { result, passages } = checkClaim("Vehicles first crossed the bridge in 1998", page);
    expect(result).toBe("not_found");
    expect(passages).toMatchObject([
      { relation: "nearest", quote: "The bridge opened in 1998 and carries 12,500 cars a day." },
    ]);
  });

  test("passages are quoted where they stand, those for and those against", () => {
    const { result, passages } = checkClaim("The tower is 45 metres high", page);
    expect(result).toBe("supported");
    expect(passages.map(({ relation }) => relation)).toEqual(["supports", "contradicts"]);
    for (const { start, end, quote } of passages) expect(page.slice(start, end)).toBe(quote);
  });

  test("words are taken without case, style and punctuation", () => {
    expect(readWords("Ｆull-wi\u00addth CAN’T, 1,234.5 % 東京")).toEqual([
      "full",
      "width",
      "can",
      "not",
      "1234.5%",
      "東",
      "京",
    ]);
  });
});
