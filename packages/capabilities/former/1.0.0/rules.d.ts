/** By capability id; `FrozenRule` in src/formerRules.ts says what each is. */
export declare const rules: Readonly<Record<string, unknown>>;
