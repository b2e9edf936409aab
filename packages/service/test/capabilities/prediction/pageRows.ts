import { type PredictionRow, QUESTION } from "./predictionRow.js";
import type { PredictionWorld } from "./predictionWorld.js";

const page =
  (path: string, question = QUESTION) =>
  async (world: PredictionWorld) => ({
    question,
    market: world.files.urlOf(path),
  });
export const pageRows: readonly PredictionRow[] = [
  {
    name: "page with question, rules and decider",
    hostile: false,
    verdict: "allow",
    reasons: ["PAGE_COMPILED", "QUESTION_ON_PAGE", "RESOLUTION_TEXT_QUOTED", "DECIDER_NAMED_ON_PAGE"],
    prepare: page("market.html"),
  },
  {
    name: "page about another question",
    hostile: false,
    verdict: "review",
    reasons: ["QUESTION_NOT_FOUND", "RESOLUTION_TEXT_QUOTED"],
    prepare: page("market.html", "Will it snow on Gull Rock?"),
  },
  {
    name: "page that lists the question among others",
    hostile: true,
    verdict: "review",
    reasons: ["QUESTION_NOT_TITLE"],
    prepare: page("list.html"),
  },
  {
    name: "page without a word on resolution",
    hostile: false,
    verdict: "review",
    reasons: ["RESOLUTION_TEXT_MISSING", "DECIDER_UNKNOWN"],
    prepare: page("bare.html"),
  },
  {
    name: "page with hidden commands",
    hostile: true,
    verdict: "block",
    reasons: ["HIDDEN_TEXT_ADDRESSES_AGENT"],
    prepare: page("hidden.html"),
  },
  {
    name: "page drawn by scripts",
    hostile: false,
    verdict: "web_page_unsupported",
    reasons: [],
    prepare: page("script-only.html"),
  },
  {
    name: "page that is not there",
    hostile: false,
    verdict: "web_page_unavailable",
    reasons: [],
    prepare: page("missing.html"),
  },
  {
    name: "page of a private network",
    hostile: true,
    verdict: "web_target_forbidden",
    reasons: [],
    prepare: async () => ({ question: QUESTION, market: "http://169.254.169.254/latest" }),
  },
];
