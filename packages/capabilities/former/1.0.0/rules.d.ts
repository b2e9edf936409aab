/** By capability id; `FrozenRule` in src/formerRules.ts says what each is. */
export declare function loadRules(): Promise<Readonly<Record<string, unknown>>>;
