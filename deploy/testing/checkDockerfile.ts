import {
  DockerfileParser,
  type Instruction,
  type JSONInstruction,
  type ModifiableInstruction,
} from "dockerfile-ast";
import { validate } from "dockerfile-utils";

interface Stage {
  readonly image: string;
  readonly name: string | null;
  readonly steps: readonly Instruction[];
}

const listStages = (text: string): Stage[] => {
  const stages: { image: string; name: string | null; steps: Instruction[] }[] = [];
  const file = DockerfileParser.parse(text);
  const froms = file.getFROMs();
  for (const step of file.getInstructions()) {
    const from = froms.find((one) => one.getRange().start.line === step.getRange().start.line);
    if (from) stages.push({ image: from.getImage() ?? "", name: from.getBuildStage(), steps: [] });
    else stages.at(-1)?.steps.push(step);
  }
  return stages;
};

const keyword = (step: Instruction) => step.getKeyword();
const content = (step: Instruction) => step.getArgumentsContent() ?? "";
const last = (steps: readonly Instruction[], name: string) =>
  steps.findLast((step) => keyword(step) === name);

const sourceOf = (copy: Instruction) =>
  (copy as ModifiableInstruction)
    .getFlags()
    .find((flag) => flag.getName() === "from")
    ?.getValue();

/** A rule says what is wrong, by the numbers under which hadolint has it where it has it. */
type Rule = (stages: readonly Stage[]) => (string | false | undefined)[];

const eachStep =
  (judge: (step: Instruction, stages: readonly Stage[]) => string | false | undefined): Rule =>
  (stages) =>
    stages.flatMap(({ steps }) => steps.map((step) => judge(step, stages)));

const rules: Rule[] = [
  (stages) =>
    stages.map(({ image }) => {
      const isStage = stages.some(({ name }) => name === image);
      const tag = /(?::([^:/@]+))?(@sha256:[0-9a-f]{64})?$/.exec(image);
      return !isStage && !tag?.[2] && (!tag?.[1] || tag[1] === "latest")
        ? `DL3006, DL3007: ${image} has no tag of its own`
        : undefined;
    }),
  (stages) => {
    const user = last(stages.at(-1)?.steps ?? [], "USER");
    const name = user && content(user).split(":")[0];
    return [(!name || name === "root" || name === "0") && "DL3002: the last user is root"];
  },
  eachStep((step) => keyword(step) === "RUN" && /\bsudo\b/.test(content(step)) && "DL3004: sudo"),
  eachStep((step) => {
    if (keyword(step) !== "RUN" || !/\bapt(-get)? +(-\S+ +)*install\b/.test(content(step))) return undefined;
    const isTidy =
      /--no-install-recommends/.test(content(step)) && /rm -rf \/var\/lib\/apt\/lists/.test(content(step));
    return !isTidy && "DL3009, DL3015: packages that nobody asked for, or lists that stay";
  }),
  eachStep(
    (step) =>
      keyword(step) === "RUN" &&
      /\bnpm +(i|install)\b/.test(content(step)) &&
      "DL3016: what is installed is not that of the lock file",
  ),
  eachStep(
    (step) =>
      keyword(step) === "ADD" && !/^(https?:|\S+\.tar)/.test(content(step)) && "DL3020: COPY copies files",
  ),
  eachStep((step, stages) => {
    if (keyword(step) !== "COPY") return undefined;
    const from = sourceOf(step);
    return (
      typeof from === "string" && !stages.some(({ name }) => name === from) && `DL3022: no stage ${from}`
    );
  }),
  eachStep(
    (step) =>
      (keyword(step) === "CMD" || keyword(step) === "ENTRYPOINT") &&
      !(step as JSONInstruction).getOpeningBracket() &&
      `DL3025: a shell stands between ${keyword(step)} and its signals`,
  ),
  eachStep(
    (step) =>
      keyword(step) === "RUN" &&
      /[^|]\|[^|]/.test(content(step)) &&
      !/pipefail/.test(content(step)) &&
      "DL4006: only the last program of a pipe may fail",
  ),
  (stages) => [!last(stages.at(-1)?.steps ?? [], "HEALTHCHECK") && "DL3057: no health check"],
  // Ours: what builds does not run, and nobody can change the program that runs.
  (stages) => {
    const final = stages.at(-1);
    const copies = final?.steps.filter((step) => keyword(step) === "COPY") ?? [];
    return [
      !/(-slim|-alpine)(@|$)|distroless/.test(final?.image ?? "") && `${final?.image} has a compiler`,
      ...copies.map((step) => !sourceOf(step) && `${content(step)} was not made by an earlier stage`),
      ...copies.map(
        (step) => !/--chown=root:root/.test(step.toString()) && `${content(step)} may belong to who runs it`,
      ),
      final?.steps.some(
        (step) => keyword(step) === "RUN" && /\b(apt|apk|npm|gcc|make)\b/.test(content(step)),
      ) && "the last stage installs something",
    ];
  },
];

/** What is wrong with a Dockerfile: its form, by `dockerfile-utils`, and what goes wrong later, by rules over the parsed file. */
export function checkDockerfile(text: string): string[] {
  const form = validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`);
  const stages = listStages(text);
  const found = rules.flatMap((rule) => rule(stages)).filter((fault) => typeof fault === "string");
  return [...form, ...found];
}
