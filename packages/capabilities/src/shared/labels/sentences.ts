/** What reasons about what a token says of itself say, for the capabilities that share them. */
export const labelSentences = {
  METADATA_UNREAD: "Name, symbol, decimals or total supply could not be read.",
  NOT_A_FUNGIBLE_TOKEN: "The contract does not answer decimals() and totalSupply() as a token does.",
  ZERO_SUPPLY: "The token's total supply is zero.",
  LABEL_MISSING: "The contract gives no name or no symbol.",
  LABEL_MALFORMED: "The name or the symbol is no readable text.",
  LABEL_TOO_LONG: "The name or the symbol is longer than any token needs.",
  LABEL_HIDDEN_CHARACTERS: "The name or the symbol holds control, invisible or bidirectional characters.",
  CANONICAL_SYMBOL_ELSEWHERE: "The symbol is that of a well-known token, which is not at this address.",
  LOOKALIKE_SYMBOL: "The symbol is written to pass for that of a well-known token.",
  CANONICAL_NAME_ELSEWHERE: "The name is that of a well-known token, which is not at this address.",
  LOOKALIKE_NAME: "The name is written to pass for that of a well-known token.",
} as const;
