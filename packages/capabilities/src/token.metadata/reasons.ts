import type { CodeFormCode } from "../shared/code/noteCodeForm.js";
import { codeSentences } from "../shared/code/sentences.js";
import type { LabelCode } from "../shared/labels/judgeTokenLabel.js";
import { labelSentences } from "../shared/labels/sentences.js";
import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";

type NumberCode = "METADATA_UNREAD" | "NOT_A_FUNGIBLE_TOKEN" | "DECIMALS_IMPLAUSIBLE" | "ZERO_SUPPLY";
export type TokenMetadataCode = CodeFormCode | NumberCode | LabelCode | "METADATA_READ" | "CANONICAL_TOKEN";

/**
 * What each reason means for the verdict; the most severe one decides. Nothing blocks: a label, however false,
 * does not make a transaction fail.
 */
export const tokenMetadataReasons: Reasons<TokenMetadataCode> = defineReasons({
  allow: {
    CODE_PRESENT: codeSentences.CODE_PRESENT,
    MINIMAL_PROXY: codeSentences.MINIMAL_PROXY,
    // Calls read its fields, and the node answers them for a native token as for any other.
    NATIVE_TOKEN_CODE: codeSentences.NATIVE_TOKEN_CODE,
    METADATA_READ: "Name, symbol, decimals and total supply were read and are well-formed.",
    CANONICAL_TOKEN: "The address is that of a well-known token.",
    ZERO_SUPPLY: labelSentences.ZERO_SUPPLY,
  },
  review: {
    NO_CODE: codeSentences.NO_CODE,
    DELEGATED_ACCOUNT: codeSentences.DELEGATED_ACCOUNT,
    NOT_A_FUNGIBLE_TOKEN: labelSentences.NOT_A_FUNGIBLE_TOKEN,
    DECIMALS_IMPLAUSIBLE: "The contract answers decimals() with more than 36 or with no uint8.",
    LABEL_MISSING: labelSentences.LABEL_MISSING,
    LABEL_MALFORMED: labelSentences.LABEL_MALFORMED,
    LABEL_TOO_LONG: labelSentences.LABEL_TOO_LONG,
    // The label may be meant to imitate another.
    LABEL_HIDDEN_CHARACTERS: labelSentences.LABEL_HIDDEN_CHARACTERS,
    CANONICAL_SYMBOL_ELSEWHERE: labelSentences.CANONICAL_SYMBOL_ELSEWHERE,
    LOOKALIKE_SYMBOL: labelSentences.LOOKALIKE_SYMBOL,
    CANONICAL_NAME_ELSEWHERE: labelSentences.CANONICAL_NAME_ELSEWHERE,
    LOOKALIKE_NAME: labelSentences.LOOKALIKE_NAME,
    // Asked, but no answer came.
    CODE_UNREAD: codeSentences.CODE_UNREAD,
    METADATA_UNREAD: labelSentences.METADATA_UNREAD,
  },
});
