import { describeWrongChecksum, hasWrongChecksum } from "../recognize/findWrongChecksum.js";
import {
  address,
  amount,
  fields,
  list,
  mapOf,
  one,
  oneOf,
  type Read,
  readSettings,
  type SettingsFault,
} from "../settings/readFields.js";

/** What happens to a request: it is forwarded, a person decides, or it is refused. */
export type Action = "allow" | "ask" | "refuse";
export const actions = ["allow", "ask", "refuse"] as const;

/** What the proxy does with a judged request. Every rule that applies is counted, and the strictest one wins. */
export interface Policy {
  /** By verdict. A block is asked about at most. */
  readonly verdicts: {
    readonly allow: Action;
    readonly review: Action;
    readonly block: "ask" | "refuse";
  };
  /**
   * By reason code. `ask` and `refuse` count whatever the verdict is. `allow` accepts a code that asks for a review: where all
   * such codes of an answer are accepted, the answer counts as an allow.
   */
  readonly reasons: Readonly<Record<string, Action>>;
  readonly parties: {
    /** Those to which a review is forwarded, where nobody else gets anything. */
    readonly allow: readonly string[];
    /** Those that are named anywhere in what is signed, or that get anything. */
    readonly ask: readonly string[];
    readonly refuse: readonly string[];
  };
  /** What one request sends away, and what all of one day (UTC) send away. */
  readonly value: {
    readonly askAboveUsd?: number | undefined;
    readonly refuseAboveUsd?: number | undefined;
    readonly askAboveEther?: number | undefined;
    readonly refuseAboveEther?: number | undefined;
    readonly perDayUsd?: number | undefined;
    readonly perDayEther?: number | undefined;
  };
  /** What Assay itself is paid. */
  readonly price: { readonly perCallUsd?: number | undefined; readonly perDayUsd?: number | undefined };
  /** The most that gas may cost, gas × price, in ether. */
  readonly maxFeeEther: number;
  /** Transactions that create a contract, which no guard judges. */
  readonly contractCreation: Action;
  /** Methods that this proxy does not know, by name. */
  readonly methods: Readonly<Record<string, "pass" | "refuse">>;
  /** Whether a request is forwarded that could not be judged. */
  readonly onFailure: "closed" | "open";
  /** How long a person has to decide, in seconds; 0 refuses at once where no terminal can ask. */
  readonly askSeconds: number;
}

/** Without a policy file. */
export const defaultPolicy: Policy = {
  verdicts: { allow: "allow", review: "ask", block: "refuse" },
  reasons: {},
  parties: { allow: [], ask: [], refuse: [] },
  value: {},
  price: {},
  maxFeeEther: 0.005,
  contractCreation: "refuse",
  methods: {},
  onFailure: "closed",
  askSeconds: 0,
};

/** What `assay init` writes: the defaults, and limits that a person may want to change. */
export const examplePolicy = {
  verdicts: defaultPolicy.verdicts,
  reasons: {},
  parties: { allow: [], ask: [], refuse: [] },
  value: { askAboveUsd: 500, refuseAboveUsd: 5_000, perDayUsd: 10_000 },
  maxFeeEther: defaultPolicy.maxFeeEther,
  contractCreation: defaultPolicy.contractCreation,
  onFailure: defaultPolicy.onFailure,
  askSeconds: 60,
} as const;

const action = oneOf(...actions);
const seconds = one("must be a whole number of seconds from 0 to 3600", (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 3_600 ? value : undefined,
);

/** A mistyped address would let through, or stop, somebody else. */
const party: Read<string> = (value, field, faults) => {
  if (typeof value !== "string" || !hasWrongChecksum(value)) return address(value, field, faults);
  faults.push({ field, rule: `is mistyped: ${describeWrongChecksum(value)}` });
  return undefined;
};

const shape = fields({
  verdicts: fields({ allow: action, review: action, block: oneOf("ask", "refuse") }),
  reasons: mapOf(/^[A-Z][A-Z0-9_]+$/, "is not a reason code: they are in capital letters", action),
  parties: fields({ allow: list(party), ask: list(party), refuse: list(party) }),
  value: fields({
    askAboveUsd: amount,
    refuseAboveUsd: amount,
    askAboveEther: amount,
    refuseAboveEther: amount,
    perDayUsd: amount,
    perDayEther: amount,
  }),
  price: fields({ perCallUsd: amount, perDayUsd: amount }),
  maxFeeEther: amount,
  contractCreation: action,
  methods: mapOf(/^[A-Za-z0-9_]+$/, "is not the name of a method", oneOf("pass", "refuse")),
  onFailure: oneOf("closed", "open"),
  askSeconds: seconds,
});

/** Throws SettingsError, naming every field at fault and its rule. */
export function readPolicy(file: string, content: string): Policy {
  const found = readSettings(file, content, (value, field, faults) => {
    const read = shape(value, field, faults);
    if (read) findConflicts(read, faults);
    return read;
  });
  return {
    ...defaultPolicy,
    ...found,
    verdicts: { ...defaultPolicy.verdicts, ...found.verdicts },
    parties: { ...defaultPolicy.parties, ...found.parties },
  };
}

function findConflicts(
  read: { readonly value?: Policy["value"]; readonly parties?: Partial<Policy["parties"]> },
  faults: SettingsFault[],
): void {
  for (const [ask, refuse] of [
    ["askAboveUsd", "refuseAboveUsd"],
    ["askAboveEther", "refuseAboveEther"],
  ] as const)
    if ((read.value?.[ask] ?? 0) > (read.value?.[refuse] ?? Number.POSITIVE_INFINITY))
      faults.push({ field: `value.${ask}`, rule: `must not be above ${refuse}` });
  const seen = new Map<string, string>();
  for (const name of actions)
    for (const party of read.parties?.[name] ?? []) {
      const before = seen.get(party);
      if (before !== undefined && before !== name)
        faults.push({ field: `parties.${name}`, rule: `has ${party}, which is also in parties.${before}` });
      seen.set(party, name);
    }
}
