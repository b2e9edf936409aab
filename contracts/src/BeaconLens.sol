// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Asks a beacon for its implementation, or another contract a question that an address answers, and copies the code of
/// who is named in one `eth_call` that names no recipient: the node runs this constructor and answers with what it
/// returns. It is never deployed.
///
/// Answer: the address named, code hash, code size (one word each), then the code.
contract BeaconLens {
    /// EIP-170 bounds what creation code may return, so a very large implementation is cut here.
    uint256 private constant MAX_CODE_BYTES = 24_000;
    /// Enough of a refusal to recognise it, and no more than a hostile beacon may make us carry.
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
            // No word, or a word that is no address: the beacon names nothing, and neither do we.
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
