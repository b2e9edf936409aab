import { describe, expect, test } from "vitest";
import { checkClaim } from "./checkClaim.js";

const resultOf = (page: string, claim: string) => checkClaim(claim, page).result;

describe("a claim that says less than the page, in nearly its words, is supported", () => {
  test.each([
    ["SQLite uses no configuration files.", "SQLite doesn't use any configuration files"],
    [
      "No actions are required after a crash or power failure.",
      "No action is required after a power failure",
    ],
    ["The tower (built by Ann Lee) is 45 metres high.", "The tower is 45 metres high"],
    ["The engine is 35% faster¹ than the disk.", "The engine is 35% faster than the disk"],
    ["The ferry sank in the lake in 1990.[12]", "The ferry sank in the lake in 1990"],
    ["MAME is a multi-purpose emulation framework.", "MAME is a multipurpose emulation framework"],
    ["The tool stores the filename of each letter.", "The tool stores the file name of every letter"],
    [
      "Over 60 translations are already included in the box.",
      "More than 60 translations are included in the box",
    ],
    ["MAME is a registered trademark of Ann Lee.", "MAME is a trademark of Ann Lee"],
    ["The language is old and boring for all.", "The language is boring and old for all"],
    ["Nearly all systems have the ability to call C.", "Nearly all systems can call C"],
    [
      "Strong programs are capable of playing at the highest level.",
      "Strong programs can play at the highest level",
    ],
    ["The letters ‘a.c’ and ‘b.c’ are in the box.", "The letters a.c and b.c are in the box"],
    ["The cache takes 8 Megabytes of the disk.", "The cache takes 8 MB of the disk"],
    ["The archives are updated twice every day.", "The archives are updated twice a day"],
    ["Debian was begun in 1993 by Ian Lee, then a student.", "Ian Lee began Debian in 1993"],
    [
      "In May, Ann Lee started the first port for Debian.",
      "The first port for Debian was started by Ann Lee",
    ],
    ["Ann Lee founded Debian in 1993 and left it in 1996.", "Debian was founded by Ann Lee in 1993"],
    ["The test compares it against Ant, Bee Two, and Cow.", "The test compares it against Bee Two"],
    ["The data analysis in Gri is limited by the disk.", "Gri's data analysis is limited by the disk"],
    ["Gri is a language for graphs. It is not driven by mice.", "Gri is not driven by mice"],
    ["The service is made available at no cost.", "The service is available free of charge"],
    ["The tool has a bell, so that only members hear it.", "The tool has a bell"],
    ["You cannot use the tools of Ann, or those of Bert.", "You cannot use the tools of Ann"],
    ["The tool--a small box--holds nine keys.", "The tool holds nine keys"],
    ["The files of the box are open and documented.", "The files of the box are documented"],
    ["The box holds three options which you may choose.", "The box holds three options that you may choose"],
  ])("%s — %s", (page, claim) => expect(resultOf(page, claim)).toBe("supported"));
});

describe("and one that leaves out a limit or exchanges how words hang together is not", () => {
  test.each([
    ["Ann sold the mill of Bert in 1990.", "Ann sold the mill to Bert in 1990"],
    ["The train goes from Oban to Pell every day.", "The train goes to Oban from Pell every day"],
    ["The book by Ann Lee was sold in May.", "The book for Ann Lee was sold in May"],
    ["The ferry sails from Oban at nine every day.", "The ferry sails to Oban at nine every day"],
    ["The mill stands on the lake in Pell.", "The mill stands in the lake in Pell"],
    ["The letter was sent by Ann Lee in May.", "The letter was sent to Ann Lee in May"],
    ["Users who can read the file can vote.", "Users can read the file"],
    ["Tickets are free (for members).", "Tickets are free"],
    ["The shop sells eggs (in winter) at the gate.", "The shop sells eggs at the gate"],
    ["The mill was (allegedly) sold in 1990.", "The mill was sold in 1990"],
    ["The mill (not the barn) was sold in 1990.", "The barn was sold in 1990"],
    ["By default, each write to the disk is late.", "Each write to the disk is late"],
    ["The gate rarely opens at nine on Mondays.", "The gate opens at nine on Mondays"],
    ["The engine is partly built by Ann Lee.", "The engine is built by Ann Lee"],
    ["The road does not run straight at night.", "The road does not run at night"],
    ["The tank holds 5 km² of water in May.", "The tank holds 5 km of water in May"],
    ["Ann Lee is a poet from Oban. It has nine mills.", "Ann Lee has nine mills"],
    ["Marrin is a town. Pell is a port. It has nine mills.", "Marrin has nine mills"],
    ["Ann met Bert in 1990 and left it in 1991.", "Ann left Bert in 1991"],
    ["The clerk sent keys to Ann, maps to Bert, and pens to Carl.", "The clerk sent keys to Carl"],
    ["He lived in Oban, wrote books and died.", "He lived in books"],
    ["The brother of Ann's friend sold the mill in 1990.", "Ann's brother sold the mill in 1990"],
    ["The company sold the ferry division.", "The company sold the ferry"],
    ["The firm sold the ferry building in 1990.", "The firm sold the ferry"],
    ["Formerly, the tool could be used in Oban.", "The tool could be used in Oban"],
    ["Various kinds are sold to one extent or another.", "Various kinds are sold"],
    ["The house is a former school in Oban.", "The house is a school in Oban"],
    ["It is the only digital clock in Oban.", "It is the only clock in Oban"],
    ["Every registered user can vote in May.", "Every user can vote in May"],
    ["Another firm sold the mill in 1990.", "The firm sold the mill in 1990"],
    ["The plan was adopted and may be dropped in 2030.", "The plan was dropped in 2030"],
  ])("%s — %s", (page, claim) => expect(resultOf(page, claim)).not.toBe("supported"));
});

test('a "no" before several things denies each of them', () => {
  const page = "There is no fee or payment required at the gate.";
  expect(resultOf(page, "A payment is required at the gate")).toBe("contradicted_wording_absent");
});
