import {
  type TransactionIntentCode,
  transactionIntentReasons,
} from "../shared/intents/transactionReasons.js";
import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";

const own = defineReasons({
  allow: {
    // Domain
    DOMAIN_CONFIRMED: "The verifying contract states the domain that is signed.",
    DOMAIN_UNSTATED: "The verifying contract does not state its domain.",
    VERIFIER_KNOWN: "The verifying contract is a published one that accepts this form.",
    // Time and use
    LASTS_LONG: "The signature can be used for more than a year, or for ever.",
    NONCE_CURRENT: "The contract takes the nonce now.",
    NONCE_LATER: "The nonce is a later one: the signature waits until those before it are used.",
    NO_END: "The signature has no end that is stated in it.",
    // Payments and permissions
    SMALL_PAYMENT: "At most 100 dollars are paid to parties that were not paid as much before.",
    PERMISSION_ENDS: "The signature revokes an earlier one.",
    SPENDER_CARRIES_OUT: "The spender is the contract that carries out the order.",
    VOUCHER_SMALL:
      "The voucher adds at most 100 dollars to what was claimed, in every token that the channel may be in.",
    DEPOSIT_SMALL: "At most 100 dollars are deposited, for services that are paid from there.",
    SPENDING_BOUNDED: "The permission names an amount and the period in which it may be taken.",
    DELEGATION_BOUNDED: "Known enforcers bound what the delegate may take.",
    DELEGATION_ENDS: "The account ends its delegation (EIP-7702).",
    DELEGATE_KNOWN:
      "The account will run published code that is made for it and obeys the account's own key.",
    VOTES_TO_SELF: "The signer keeps the votes.",
    VOTE_ONLY: "The signature casts a vote and moves nothing.",
    SPEAKS_TO_SERVER: "The signature speaks to a server; no contract accepts it.",
    OPERATION_OF_ENTRY_POINT: "The calls are made through an entry point of ERC-4337.",
    PAYMASTER_PAYS: "A paymaster pays the fee.",
    ACCOUNT_COMMANDED: "The account names the signer as one of its owners.",
    // Texts
    SIGN_IN: "The sign-in is bound to its site, account, chain and nonce.",
    SIGN_IN_OTHER_CHAIN: "The sign-in is for another chain; it moves nothing on this one.",
    TEXT_READABLE: "The message is a readable text that gives nothing away.",
  },
  review: {
    TYPE_UNKNOWN: "What a contract does with a message of this type is not known.",
    VERIFIER_UNKNOWN: "The verifying contract is not one that is known to accept this form.",
    VERIFIER_HAS_NO_CODE: "There is no contract at the address that is to verify the signature.",
    VERIFIER_MISSING: "The domain names no verifying contract, so any contract may accept the signature.",
    CHAIN_MISSING: "The domain names no chain, so the signature may be used on every chain.",
    DOMAIN_DIFFERS: "The verifying contract states another domain than the one that is signed.",
    DOMAIN_UNREAD: "What the verifying contract says of its domain could not be read.",
    OWNER_NOT_SIGNER: "The message is about an account that is not the signer's.",
    SIGNATURE_ENDED: "The signature could not be used any more.",
    NOT_YET_VALID: "The signature becomes usable only after more than a day.",
    NONCE_USED: "The nonce is used, or is not the one that the contract takes now.",
    NONCE_UNREAD: "Whether the nonce is used could not be read.",
    NONCE_UNSTATED: "The contract does not say which nonce it takes, so it may take no such signature.",
    LARGE_PAYMENT:
      "More than 100 dollars, or an amount without a price, are paid to parties that were not paid as much before.",
    VOUCHER_LARGE:
      "The voucher adds more than 100 dollars to what was claimed, if the channel is in dollars.",
    VOUCHER_TOKEN_UNKNOWN:
      "The voucher is in units of a token that it does not name, and the channel may be in one of which they are worth much.",
    DEPOSIT_LARGE: "More than 100 dollars are deposited, or an amount without a price.",
    TERMS_UNKNOWN:
      "The transfer is bound to terms of a type that is not known, by which the spender may send it to anybody.",
    ORDER_CALLS_OUT:
      "The order makes other calls when it is filled, which were not judged and may change its amounts.",
    PROCEEDS_INSIDE_VAULT:
      "What comes for the order stays in the exchange's vault, as a balance there, and is not paid to the account.",
    PRICE_LOW: "The order asks for less than five dollars for each thing that it gives.",
    RECEIPT_SOLD:
      "The order sells a receipt for a deposit, which is worth what was deposited; that was not set against the price.",
    ORDER_WITHOUT_END: "The order can be filled for more than a year, or for ever, at today's price.",
    PRICE_UNKNOWN: "What the order gives has no price, so whether enough comes for it was not judged.",
    ORDER_TO_ANYBODY: "The order asks for any item of a collection.",
    FEE_TO_RELAYER: "A relayer may take a fee.",
    REFUND_SMALL:
      "The account pays the sender of its transaction for gas, at most ten dollars or 0.01 ether.",
    FEE_HIGH: "The operation may cost more than 0.005 ether.",
    DELEGATION_LOOSE: "The delegate is kept to some calls, but no amount bounds what it may take.",
    DELEGATION_OPEN:
      "The delegation has no end, or may take more than 100 dollars in a day or 1,000 dollars in all.",
    ENFORCER_UNKNOWN: "A limit of the delegation is kept by a contract that is not known.",
    EVERY_CHAIN: "The authorization holds on every chain.",
    VOTES_TO_ANOTHER: "Another account will vote with the signer's tokens.",
    ACCOUNT_UNCONFIRMED: "The account does not name the signer as one of its owners, or could not be asked.",
    ACCOUNT_WITHOUT_CODE:
      "The account has no code yet, so the calls were judged by their calldata and could not be run.",
    ACCOUNT_CALL_UNKNOWN:
      "The account has no code yet, and its calldata is of a form that is not known: what it does is not known either.",
    FACTORY_UNKNOWN: "The account is made by a factory that is not known.",
    SIGN_IN_URI_DIFFERS: "The sign-in's URI is not of the domain that it names.",
    SIGN_IN_REPLAYABLE: "The sign-in has no nonce of at least eight characters, so it can be used again.",
    SIGN_IN_MALFORMED: "The sign-in lacks something that the standard asks for.",
    SIGN_IN_GRANTS_MORE: "The sign-in also grants permissions at other services.",
    SIGN_IN_DOMAIN_DOUBTFUL:
      "The sign-in's domain is an address, has no dot, or is written in letters that imitate others.",
    SIGN_IN_FOR_SISTER_SITE: "The sign-in is for another host of the site that asks for it.",
    TEXT_MAKES_KEYS: "Programs derive keys from the signature of such a text.",
    SIGN_IN_UNPROTECTED: "The sign-in, or the site that asks for it, is not protected by https.",
    TEXT_SPEAKS_OF_ASSETS:
      "The text speaks of giving something away, of letting others act, or of changing who has command.",
    TEXT_LANGUAGE_UNKNOWN: "The text, or a part of it, is in a language or a script that was not judged.",
    TEXT_NAMES_ANOTHER_SITE: "The text names other sites, and not the one that asks for the signature.",
    TEXT_NOT_UNDERSTOOD:
      "A sentence of the text is none that a login needs, so what the signature is taken for is not known.",
    TEXT_WITHOUT_PURPOSE: "The text does not say that it is for logging in or for proving who signs.",
    TEXT_NAMES_ANOTHER: "The text names an address that is not the signer's.",
    TEXT_HOLDS_DATA: "The text is, or holds, data for a program.",
    TEXT_WITHOUT_WORDS: "The text has no words that say what it is for.",
    MESSAGE_CUT: "The message holds more than was judged.",
    RUN_NOT_JUDGED: "What the signature does could not be run.",
  },
  block: {
    OTHER_CHAIN: "The signature is for another chain, about which nothing is known here.",
    VERIFIER_IMITATES: "The domain has the name of a published contract and the address of another.",
    HASH_HIDES_CONTENT: "A hash or bytes are signed that hide what they stand for.",
    ORDER_UNLIKE_PERMIT: "What the permit lets the spender take is not what the order says.",
    MOST_BY_SIGNATURE: "At least half of what the signer holds can be taken by parties that are not known.",
    DELEGATES_EVERYTHING: "Another account may do everything in this account's name.",
    DELEGATE_UNKNOWN:
      "The account will run code that is not a published wallet's, with everything that it holds.",
    DELEGATE_UNINITIALISED:
      "The account will run a wallet's code that has to be set up first: the first to call its set-up owns the account.",
    DELEGATE_TAKES: "The account will run code that takes what the account holds.",
    DELEGATE_HAS_NO_CODE: "There is no code at the address whose code the account is to run.",
    ENTRY_POINT_UNKNOWN: "The operation goes through a contract that is no published entry point.",
    ACCOUNT_CALL_HIDES_TRANSFER:
      "The account has no code yet, and its calldata holds a transfer or an approval in a form that is not known.",
    FEE_EXCESSIVE: "The operation may cost more than 0.05 ether.",
    REFUND_UNBOUNDED: "The sender of the transaction may take much out of the account as a refund for gas.",
    SIGN_IN_FOR_ANOTHER_SITE: "The sign-in is for another site than the one that asks for it.",
    SIGN_IN_OF_ANOTHER: "The sign-in names another account than the signer's.",
    TEXT_OBSCURED:
      "The text holds characters that people do not see, or gaps that push a part of it out of sight.",
  },
});

type OwnCode = keyof typeof own;

/** What the form of a message shows by itself. */
export type FormCode = OwnCode;
export type MessageIntentCode = OwnCode | TransactionIntentCode;

/** What a failed run means: nothing happens now, but the signature may be used later. */
const softened: ReadonlySet<string> = new Set(["TX_REVERTS", "NATIVE_BALANCE_TOO_LOW", "CONTRACT_PAUSED"]);

/** What the signature makes happen is judged as a transaction's effects are, by the same lines of the policy. */
const fromRuns = Object.fromEntries(
  Object.entries(transactionIntentReasons).map(([code, { verdict, sentence }]) => [
    code,
    { verdict: softened.has(code) && verdict === "block" ? "review" : verdict, sentence },
  ]),
) as Reasons<TransactionIntentCode>;

export const messageIntentReasons: Reasons<MessageIntentCode> = { ...fromRuns, ...own };
