// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Returns in one call what a conditional-token contract answers about a condition: the number of its outcome slots, the
/// denominator, then the numerators of the first sixteen. It runs as creation code and is never deployed. It reverts where
/// an answer is missing, so that a partial answer is never taken for a complete one.
contract ConditionLens {
    uint256 private constant MOST = 16;
    /// Ample for one warm or cold slot behind a proxy, and a bound for a contract that burns its gas.
    uint256 private constant GAS_EACH = 100_000;

    constructor(address tokens, bytes32 conditionId) {
        uint256 count = _ask(tokens, abi.encodeWithSignature("getOutcomeSlotCount(bytes32)", conditionId));
        uint256 shown = count < MOST ? count : MOST;
        uint256[] memory words = new uint256[](shown + 2);
        words[0] = count;
        words[1] = _ask(tokens, abi.encodeWithSignature("payoutDenominator(bytes32)", conditionId));
        for (uint256 i = 0; i < shown; i++) {
            words[i + 2] = _ask(tokens, abi.encodeWithSignature("payoutNumerators(bytes32,uint256)", conditionId, i));
        }
        assembly {
            return(add(words, 32), mul(mload(words), 32))
        }
    }

    /// Copies one word of the answer, whatever its length.
    function _ask(address to, bytes memory data) private view returns (uint256 word) {
        assembly {
            if iszero(staticcall(GAS_EACH, to, add(data, 32), mload(data), 0, 32)) { revert(0, 0) }
            if iszero(eq(returndatasize(), 32)) { revert(0, 0) }
            word := mload(0)
        }
    }
}
