// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Calls untrusted contracts: with bounded gas, and copying no more of their answer than requested.
abstract contract BoundedCaller {
    /// Reverts a step whose state changes must not persist, and carries its result.
    error Undone(bytes outcome);

    uint256 private constant VIEW_GAS = 500_000;

    /// Calls a function that ends in `Undone`: its state changes are reverted, its result is kept. Empty when it ended otherwise.
    function undone(address target, bytes memory data, uint256 gasLimit) internal returns (bytes memory) {
        return undone(target, data, gasLimit, 16_384);
    }

    function undone(address target, bytes memory data, uint256 gasLimit, uint256 maxReturned)
        internal
        returns (bytes memory outcome)
    {
        (bool success, bytes memory answer) = callBounded(target, 0, data, gasLimit, maxReturned);
        return success ? bytes("") : outcomeOf(answer);
    }

    /// What `Undone` carries; empty where the answer is something else.
    function outcomeOf(bytes memory answer) internal pure returns (bytes memory outcome) {
        if (answer.length < 68 || bytes4(answer) != Undone.selector) return "";
        assembly ("memory-safe") {
            // After the selector comes the offset of the only argument, which is always 32.
            outcome := add(answer, 0x44)
        }
    }

    function readWord(address target, bytes memory data) internal view returns (bool success, uint256 value) {
        assembly ("memory-safe") {
            success := staticcall(VIEW_GAS, target, add(data, 0x20), mload(data), 0, 0x20)
            success := and(success, gt(returndatasize(), 0x1f))
            if success { value := mload(0) }
        }
    }

    function callBounded(address to, uint256 value, bytes memory data, uint256 gasLimit, uint256 maxReturned)
        internal
        returns (bool success, bytes memory returned)
    {
        uint256 size;
        assembly ("memory-safe") {
            success := call(gasLimit, to, value, add(data, 0x20), mload(data), 0, 0)
            size := returndatasize()
        }
        if (size > maxReturned) size = maxReturned;
        returned = new bytes(size);
        assembly ("memory-safe") {
            returndatacopy(add(returned, 0x20), 0, size)
        }
    }

    function difference(uint256 greater, uint256 smaller) internal pure returns (uint256) {
        return greater > smaller ? greater - smaller : 0;
    }
}
