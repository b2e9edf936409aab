import type { Verdict } from "@assay/protocol";
import type { Reasons } from "../verdict/reasons.js";

/** One line of the policy: an effect, whom it concerns, and what follows. */
export interface PolicyLine {
  readonly effect: string;
  readonly party: string;
  readonly verdict: Verdict;
  readonly why: string;
}

/**
 * What each effect of a transaction means, by the party it concerns. Guards judge by these lines and by nothing else
 * that concerns assets, permissions or control; reasons and the page about the policy are made from the same lines.
 */
export const policy = {
  // Nothing leaves
  NO_LOSS_MEASURED: line(
    "nothing leaves, or something arrives",
    "any",
    "allow",
    "Nothing of the sender's leaves.",
  ),
  // Declared transfers
  PLAIN_TRANSFER: line("transfer, as the calldata says", "any", "allow", "The transaction only transfers."),
  PAYS_KNOWN_RECIPIENT: line(
    "transfer",
    "an account that was paid before",
    "allow",
    "The recipient was paid by the sender before.",
  ),
  FIRST_PAYMENT: line(
    "transfer",
    "an account that was not paid lately",
    "allow",
    "No earlier payment to the recipient was found.",
  ),
  PAYS_SMART_ACCOUNT: line(
    "transfer",
    "an account with published wallet code",
    "allow",
    "The recipient runs the published code of a wallet.",
  ),
  MOST_TO_NEW_ACCOUNT: line(
    "transfer of at least half of what is held",
    "an account that was never used",
    "review",
    "At least half of what the sender holds goes to an account that was never used and never paid.",
  ),
  POSITION_TO_STRANGER: line(
    "transfer of a receipt for a deposit",
    "an account that was not paid lately",
    "review",
    "A receipt for a deposit, which stands for the deposit itself, goes to an account that was not paid before.",
  ),
  LOOK_ALIKE_RECIPIENT: line(
    "transfer",
    "an account that looks like another",
    "block",
    "The recipient has the first and last characters of another address that the sender dealt with.",
  ),
  RECIPIENT_KEEPS: line(
    "transfer",
    "a token, router, pool or other contract that gives nothing back",
    "block",
    "The recipient is a contract that cannot give back what is sent to it.",
  ),
  RECIPIENT_BURNS: line(
    "transfer",
    "a burn address or a precompiled contract",
    "block",
    "Nobody has a key to the recipient: what is sent there is lost.",
  ),
  RECIPIENT_IS_CONTRACT: line(
    "transfer",
    "an unknown contract",
    "review",
    "The recipient is a contract that is not known, which may not be able to give anything back.",
  ),
  RECIPIENT_IS_KNOWN_CONTRACT: line(
    "transfer",
    "a published contract that can give back",
    "review",
    "The recipient is a published contract, which is usually called instead of paid.",
  ),
  RECIPIENT_DELEGATED: line(
    "transfer",
    "an account that runs unknown code",
    "review",
    "The recipient runs code that is not a published wallet's (EIP-7702).",
  ),
  RECIPIENT_PASSES_ON: line(
    "transfer",
    "an account whose code passes it on",
    "block",
    "The recipient's code passes on at once what it receives.",
  ),
  // More than a transfer
  SWAP_RETURNS: line(
    "leaves, and the bought asset arrives",
    "a published router",
    "allow",
    "The swap brings in what it is for.",
  ),
  RETURN_AT_KNOWN_PARTY: line(
    "leaves, and something arrives",
    "a published contract",
    "allow",
    "What arrives comes from a published contract for what leaves.",
  ),
  DEPOSIT_AT_KNOWN_PARTY: line(
    "leaves into a position of the sender's",
    "a published contract",
    "allow",
    "What leaves is credited to the sender at a published contract.",
  ),
  DEBT_REPAID: line(
    "leaves, and a debt of the sender's shrinks",
    "a published contract",
    "allow",
    "What leaves pays a debt of the sender's.",
  ),
  BALANCED_RETURN: line(
    "leaves, and as much arrives by price or unit",
    "any",
    "allow",
    "As much arrives as leaves.",
  ),
  EXIT_MEASURED: line(
    "leaves, and can be taken back",
    "any",
    "allow",
    "What leaves could be taken back in a simulated call after the transaction.",
  ),
  ITEM_BOUGHT: line(
    "at most 100 dollars leave, and an item arrives",
    "any",
    "allow",
    "A small amount leaves and an item arrives.",
  ),
  UNPRICED_SOLD: line(
    "an unpriced asset leaves, and a priced one arrives",
    "any",
    "allow",
    "An asset without a price leaves and one with a price arrives.",
  ),
  RETURN_UNVALUED: line(
    "leaves, and only something without a price arrives",
    "an unknown contract",
    "review",
    "What arrives has no known price and comes from an unknown contract.",
  ),
  DEPOSIT_AT_UNKNOWN_PARTY: line(
    "leaves by a function that deposits",
    "an unknown contract",
    "review",
    "What leaves is deposited in an unknown contract, and nothing shows that it can be taken back.",
  ),
  LEAVES_TO_KNOWN_PARTY: line(
    "leaves, and nothing arrives",
    "a published contract",
    "review",
    "Something leaves to a published contract and nothing arrives.",
  ),
  CREDITED_TO_ANOTHER: line(
    "leaves into a position of another account",
    "a published contract, for an account paid before",
    "review",
    "What leaves is credited to another account that was paid before.",
  ),
  CREDITED_TO_STRANGER: line(
    "leaves into a position of another account",
    "a published contract, for an account that was not paid lately",
    "block",
    "What leaves is credited to an account that is not the sender's.",
  ),
  PROCEEDS_TO_ANOTHER: line(
    "a position of the sender's is paid out to another account",
    "an account paid before",
    "review",
    "What the sender owns is paid out to another account that was paid before.",
  ),
  PROCEEDS_TO_STRANGER: line(
    "a position of the sender's is paid out to another account",
    "an account that was not paid lately",
    "block",
    "What the sender owns is paid out to an account that is not the sender's.",
  ),
  PORTION_TO_ANOTHER: line(
    "more than a twentieth of what is bought goes to another account",
    "any",
    "block",
    "A large part of what the transaction brings in goes to another account.",
  ),
  VALUE_REDUCED: line(
    "leaves, and between half and nine tenths arrive by price",
    "any",
    "review",
    "Noticeably less value arrives than leaves.",
  ),
  VALUE_LOST: line(
    "leaves, and less than half arrives by price",
    "any",
    "block",
    "Less than half of the value that leaves comes back.",
  ),
  LEAVES_WITHOUT_RETURN: line(
    "leaves, and nothing arrives",
    "an unknown contract",
    "block",
    "Something leaves to an unknown contract and nothing comes back.",
  ),
  ENDS_WITH_ANOTHER: line(
    "leaves, and an account has it at the end",
    "an account, by a call that is no transfer",
    "block",
    "What leaves ends with another account although the call is no transfer.",
  ),
  DRAINS_BALANCE: line(
    "all of an asset leaves, and nothing priced arrives",
    "an unknown contract",
    "block",
    "All of an asset leaves to an unknown contract.",
  ),
  UNDECLARED_OUTFLOW: line(
    "more leaves than the decoded calldata says",
    "any",
    "block",
    "More leaves than the calldata says.",
  ),
  ORDER_GIVES_AWAY: line(
    "an offer to sell for nothing",
    "a marketplace",
    "block",
    "The order offers what the sender owns for nothing or almost nothing.",
  ),
  // Other people's assets
  TAKES_ALLOWANCE: line(
    "assets of another account arrive by an allowance",
    "an account that allowed it",
    "allow",
    "The transaction takes what another account allows the sender to take.",
  ),
  SIGNED_BY_OWNER: line(
    "assets of another account move by its signature",
    "an account that signed it",
    "allow",
    "The transaction carries out a transfer that its owner signed.",
  ),
  THIRD_PARTY_FUNDS: line(
    "assets of another account move to a third one",
    "an account that takes no part",
    "review",
    "A transfer moves assets of an account that takes no part in the transaction.",
  ),
  TAKES_FROM_ANOTHER: line(
    "assets of another account leave it",
    "an account that allowed nothing by this calldata",
    "block",
    "The transaction empties an account that is not the sender's.",
  ),
  // Permissions
  APPROVAL_REVOKED: line("a permission ends", "any", "allow", "The transaction takes a permission back."),
  APPROVAL_SPENT: line(
    "a permission is given and used up",
    "any",
    "allow",
    "The transaction uses up the permission that it gives.",
  ),
  EXACT_APPROVAL: line(
    "a limited permission",
    "a published contract",
    "allow",
    "The transaction lets a published contract spend a limited amount.",
  ),
  UNLIMITED_APPROVAL: line(
    "an unlimited permission",
    "a published contract",
    "allow",
    "The transaction lets a published contract spend without limit.",
  ),
  OPERATOR_APPROVAL: line(
    "command over all items or positions",
    "a published contract",
    "allow",
    "The transaction gives a published contract command over everything of one kind that the owner holds.",
  ),
  APPROVAL_TO_VAULT: line(
    "a limited permission",
    "a vault of that token that gives back what it takes",
    "allow",
    "The transaction lets a vault of the token spend a limited amount; a simulated deposit came back.",
  ),
  APPROVAL_TO_SELF: line(
    "a permission",
    "an account of the sender's",
    "allow",
    "The transaction gives a permission to an account of the sender's.",
  ),
  SPENDER_UNKNOWN: line(
    "a limited permission",
    "an unknown contract",
    "review",
    "The contract that is given an allowance is not one that is known.",
  ),
  APPROVAL_TO_ACCOUNT: line(
    "a limited permission",
    "a plain account or a wallet",
    "review",
    "The transaction lets a plain account, not a contract, spend.",
  ),
  SPENDER_UNSUITABLE: line(
    "a permission",
    "a published contract that spends nothing",
    "review",
    "The published contract that is given an allowance has no use for one.",
  ),
  SPENDER_IS_ANYBODY: line(
    "a permission",
    "a contract that makes any call for anybody",
    "block",
    "The contract that is given an allowance makes any call for anybody, so anybody can take what is allowed.",
  ),
  UNLIMITED_APPROVAL_TO_UNKNOWN: line(
    "an unlimited permission",
    "an unknown contract",
    "block",
    "The transaction lets an unknown contract spend without limit.",
  ),
  OPERATOR_UNKNOWN: line(
    "command over all items or positions",
    "an unknown contract",
    "block",
    "The transaction gives an unknown contract command over everything of one kind that the owner holds.",
  ),
  UNLIMITED_APPROVAL_TO_ACCOUNT: line(
    "an unlimited permission",
    "a plain account or a wallet",
    "block",
    "The transaction lets a plain account, not a contract, spend without limit.",
  ),
  OPERATOR_IS_ACCOUNT: line(
    "command over all items or positions",
    "a plain account or a wallet",
    "block",
    "The transaction gives a plain account command over everything of one kind that the owner holds.",
  ),
  ITEM_APPROVAL_TO_ACCOUNT: line(
    "one item",
    "a plain account or a wallet",
    "block",
    "The transaction lets a plain account, not a contract, take an item.",
  ),
  CREDIT_TO_ACCOUNT: line(
    "a debt that another may take up",
    "a plain account, a wallet or an unknown contract",
    "block",
    "The transaction lets another borrow against the sender's collateral.",
  ),
  UNDECLARED_APPROVAL: line(
    "a permission that the calldata does not mention",
    "a party that is not published",
    "block",
    "An account gets a permission that the calldata does not mention.",
  ),
  // Control
  CONTROL_REDUCED: line(
    "fewer may command an account",
    "an account of the sender's",
    "allow",
    "The transaction takes command away from somebody.",
  ),
  CONTROL_SHARED: line(
    "one more may command an account",
    "an account paid before, or published code",
    "allow",
    "The transaction gives command to a party that is known.",
  ),
  CONTROL_CALL: line(
    "command or code of a contract changes",
    "a contract that is no account, or an account in use",
    "review",
    "The transaction changes who controls a contract or which code it runs.",
  ),
  CONTROL_TO_STRANGER: line(
    "command or code of a contract or account changes",
    "an unknown contract or an account that was not paid lately",
    "block",
    "The transaction gives command over a contract or an account to a party that is not known.",
  ),
  CONTROL_HANDED_OVER: line(
    "storage that named the sender names another",
    "any",
    "block",
    "A storage slot that named the sender names another address after the transaction.",
  ),
  KNOWN_DELEGATECALL: line(
    "code runs with an account's own storage",
    "a published batching contract",
    "allow",
    "The transaction runs a known batching contract with an account's own storage and assets (delegatecall).",
  ),
  FOREIGN_DELEGATECALL: line(
    "code runs with an account's own storage",
    "any other contract",
    "block",
    "The transaction runs unknown code with an account's own storage and assets (delegatecall).",
  ),
  // Parties
  KNOWN_PARTY_CHANGED: line(
    "any",
    "a published address whose code is another",
    "block",
    "The code at a published address is not the published code.",
  ),
  COUNTERPARTY_UNREAD: line(
    "any",
    "a party that could not be read",
    "review",
    "The code of a spender, an operator or a recipient could not be read.",
  ),
} as const satisfies Readonly<Record<string, PolicyLine>>;

export type PolicyCode = keyof typeof policy;

/** The same lines as reasons of a rule. */
export const policyReasons = Object.fromEntries(
  Object.entries(policy).map(([code, { verdict, why }]) => [code, { verdict, sentence: why }]),
) as Reasons<PolicyCode>;

function line<const V extends Verdict>(effect: string, party: string, verdict: V, why: string) {
  return { effect, party, verdict, why } as const;
}
