import type { Hex } from "@assay/protocol";

export interface StandardInterface {
  /** ERC-165 id: the selectors of its functions combined by exclusive or. Null where the standard asks for no claim. */
  readonly interfaceId: Hex | null;
  /** Every function the standard makes mandatory, by its signature. */
  readonly functions: Readonly<Record<string, Hex>>;
}

/** The standards that are detected; the test beside this file derives every number. */
export const standardInterfaces = {
  erc165: {
    interfaceId: "0x01ffc9a7",
    functions: { "supportsInterface(bytes4)": "0x01ffc9a7" },
  },
  /** Older than ERC-165, so that tokens need not claim it. Name, symbol and decimals are optional. */
  erc20: {
    interfaceId: null,
    functions: {
      "totalSupply()": "0x18160ddd",
      "balanceOf(address)": "0x70a08231",
      "transfer(address,uint256)": "0xa9059cbb",
      "transferFrom(address,address,uint256)": "0x23b872dd",
      "approve(address,uint256)": "0x095ea7b3",
      "allowance(address,address)": "0xdd62ed3e",
    },
  },
  erc721: {
    interfaceId: "0x80ac58cd",
    functions: {
      "balanceOf(address)": "0x70a08231",
      "ownerOf(uint256)": "0x6352211e",
      "safeTransferFrom(address,address,uint256)": "0x42842e0e",
      "safeTransferFrom(address,address,uint256,bytes)": "0xb88d4fde",
      "transferFrom(address,address,uint256)": "0x23b872dd",
      "approve(address,uint256)": "0x095ea7b3",
      "setApprovalForAll(address,bool)": "0xa22cb465",
      "getApproved(uint256)": "0x081812fc",
      "isApprovedForAll(address,address)": "0xe985e9c5",
    },
  },
  erc721Metadata: {
    interfaceId: "0x5b5e139f",
    functions: {
      "name()": "0x06fdde03",
      "symbol()": "0x95d89b41",
      "tokenURI(uint256)": "0xc87b56dd",
    },
  },
  erc1155: {
    interfaceId: "0xd9b67a26",
    functions: {
      "balanceOf(address,uint256)": "0x00fdd58e",
      "balanceOfBatch(address[],uint256[])": "0x4e1273f4",
      "setApprovalForAll(address,bool)": "0xa22cb465",
      "isApprovedForAll(address,address)": "0xe985e9c5",
      "safeTransferFrom(address,address,uint256,uint256,bytes)": "0xf242432a",
      "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)": "0x2eb2c2d6",
    },
  },
} as const satisfies Record<string, StandardInterface>;

/** No contract may claim this id; one that does answers yes to everything (ERC-165). */
export const INVALID_INTERFACE_ID = "0xffffffff";

export const DECIMALS_SELECTOR = "0x313ce567";
