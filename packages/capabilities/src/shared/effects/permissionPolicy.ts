import { line, type PolicyLine } from "./policyLine.js";

/** Who may take what afterwards, who commands what, and whether a party is what it was. */
export const permissionPolicy = {
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
  SPENDER_HAS_NO_CODE: line(
    "a permission",
    "the published address of a contract that is not there yet",
    "allow",
    "No contract is at the published address yet, so nothing can be spent before it is.",
  ),
  APPROVAL_TO_VAULT: line(
    "a permission for at most 100 dollars",
    "an unknown vault of that token that gives back what it takes",
    "allow",
    "The transaction lets a vault of the token spend a small amount; a simulated deposit came back.",
  ),
  APPROVAL_TO_SELF: line(
    "a permission",
    "an account of the sender's",
    "allow",
    "The transaction gives a permission to an account of the sender's.",
  ),
  SPENDER_UNKNOWN: line(
    "a limited permission",
    "an unknown contract, also a vault that gives back what it takes now",
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
    "a published contract that spends nothing, of items also a router",
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
    "an account of the sender's, or a published contract that is made to command accounts",
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
  CONTROL_UNSUITABLE: line(
    "command or code of a contract or account changes",
    "a published contract that is not made to command accounts",
    "review",
    "The transaction gives command to a published contract that is not made for it.",
  ),
  CONTROL_TO_ANYBODY: line(
    "command or code of a contract or account changes",
    "a contract that makes any call for anybody",
    "block",
    "The transaction gives command to a contract that makes any call for anybody, so anybody has it.",
  ),
  HANDLER_UNKNOWN: line(
    "calls of an account are passed on, or its transactions are asked about",
    "anything but Safe's published handlers",
    "block",
    "The account passes calls on to, or obeys, a contract that is no published handler of a Safe.",
  ),
  CONTROL_HANDED_OVER: line(
    "storage that named the sender names another",
    "any",
    "block",
    "A storage slot that named the sender names another address after the transaction.",
  ),
  HASH_APPROVED: line(
    "consent to a hash",
    "a Safe or an exchange",
    "review",
    "The transaction consents to another transaction, a message or an order, of which only the hash is known.",
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
