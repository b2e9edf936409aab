/** A configured node serves another chain. No retry helps, so start-up must stop on it. */
export class WrongChainError extends Error {
  override readonly name = "WrongChainError";
  readonly host: string;
  readonly expectedChainId: number;
  readonly actualChainId: number;

  constructor(facts: { host: string; expectedChainId: number; actualChainId: number }) {
    super(
      `The node at ${facts.host} serves chain ${facts.actualChainId}, not chain ${facts.expectedChainId}.`,
    );
    this.host = facts.host;
    this.expectedChainId = facts.expectedChainId;
    this.actualChainId = facts.actualChainId;
  }
}
