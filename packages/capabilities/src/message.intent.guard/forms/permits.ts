import { maxUint256 } from "viem";
import { type Meaning, mean } from "../meaning.js";
import { isAddressValue } from "../typedDocument.js";
import { address, approveCall, encodeCall, type Forms, runAsOwner, text } from "./form.js";

const nonces = (target: `0x${string}`, owner: `0x${string}`, expected: string): Meaning["nonce"] => ({
  target,
  data: encodeCall("nonces(address owner)", [owner]),
  kind: "next",
  expected,
});

/** Allowances that a token takes from a signature: EIP-2612, and DAI's form before it. */
export const permitForms: Forms = {
  "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)": ({
    verifier,
    message: { owner: from, spender, value, nonce, deadline },
  }) => {
    const owner = address(from);
    if (verifier === null) return undefined;
    return mean({
      form: "erc20.permit",
      title: "a token's permit (EIP-2612)",
      owner,
      until: text(deadline),
      canEnd: true,
      nonce: nonces(verifier, owner, text(nonce)),
      run: runAsOwner(owner, [approveCall(verifier, address(spender), text(value))]),
      parties: [address(spender)],
    });
  },
  "Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)": ({
    verifier,
    message: { holder, spender, nonce, expiry, allowed },
  }) => {
    const owner = address(holder);
    if (verifier === null) return undefined;
    return mean({
      form: "dai.permit",
      title: "a token's permit (DAI's form)",
      owner,
      // Zero means that it never ends.
      until: text(expiry) === "0" ? maxUint256.toString() : text(expiry),
      canEnd: true,
      nonce: nonces(verifier, owner, text(nonce)),
      run: runAsOwner(owner, [approveCall(verifier, address(spender), allowed === true ? maxUint256 : 0n)]),
      parties: [address(spender)],
    });
  },
  // ERC-721's permit names an item, and no owner.
  "Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)": ({
    signer,
    verifier,
    message: { spender, tokenId, deadline },
  }) =>
    isAddressValue(verifier)
      ? mean({
          form: "erc721.permit",
          title: "an item's permit (ERC-4494)",
          owner: signer,
          until: text(deadline),
          canEnd: true,
          run: runAsOwner(signer, [approveCall(verifier, address(spender), text(tokenId))]),
          parties: [address(spender)],
        })
      : undefined,
  "PermitForAll(address operator,bool approved,uint256 nonce,uint256 deadline)": ({
    signer,
    verifier,
    message: { operator, approved, deadline },
  }) =>
    isAddressValue(verifier)
      ? mean({
          form: "erc721.permitForAll",
          title: "command over all items of a collection",
          owner: signer,
          until: text(deadline),
          canEnd: true,
          run: runAsOwner(signer, [
            {
              to: verifier,
              data: encodeCall("setApprovalForAll(address operator, bool approved)", [operator, approved]),
              value: "0",
            },
          ]),
          parties: [address(operator)],
        })
      : undefined,
};
