/** What reasons about what stands at an address say, for the capabilities that share them. */
export const codeSentences = {
  CODE_PRESENT: "The address holds executable code.",
  NO_CODE: "The address holds no code: it is a plain account, or nothing at all.",
  CODE_UNREAD: "The code of the address could not be read.",
  NATIVE_TOKEN_CODE:
    "The code is a native token's marker byte; its logic is in the node and cannot be scanned.",
  DELEGATED_ACCOUNT: "The address is a plain account that runs another contract's code (EIP-7702).",
  MINIMAL_PROXY: "The code is a minimal clone that always runs one fixed contract (EIP-1167).",
} as const;
