// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Asks a beacon for its implementation, or another contract a question whose answer is an address, and copies the code at
/// that address in one `eth_call` without a recipient: the node runs this constructor and answers with what it returns.
/// It is never deployed.
///
/// Answer: the address, its code hash and code size (one word each), then the code.
contract BeaconLens {
    /// EIP-170 limits what creation code may return, so a very large implementation is cut here.
    uint256 private constant MAX_CODE_BYTES = 24_000;
    /// Enough of a revert to recognise it, and a bound on what a hostile beacon can return.
    uint256 private constant MAX_REVERT_BYTES = 256;

    constructor(address beacon, bytes4 question) {
        assembly {
            mstore(0, question)
            if iszero(staticcall(gas(), beacon, 0, 4, 0, 32)) {
                let length := returndatasize()
                if gt(length, MAX_REVERT_BYTES) { length := MAX_REVERT_BYTES }
                returndatacopy(0, 0, length)
                revert(0, length)
            }
            let implementation := mload(0)
            // No word, or a word that is not an address: the beacon gives no implementation, so none is returned.
            if or(lt(returndatasize(), 32), shr(160, implementation)) { return(0, 0) }
            let size := extcodesize(implementation)
            let copied := size
            if gt(copied, MAX_CODE_BYTES) { copied := MAX_CODE_BYTES }
            mstore(32, extcodehash(implementation))
            mstore(64, size)
            extcodecopy(implementation, 96, 0, copied)
            return(0, add(96, copied))
        }
    }
}
