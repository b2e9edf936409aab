// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Placed at a sender's address by state override and called there, it makes the sender's calls as the sender and returns
/// what they changed: native balances, and one word from each probe (a balance, an allowance), before the first call
/// and after each one. It is never deployed.
contract SimulationRunner {
    struct Step {
        address to;
        uint256 value;
        bytes data;
    }

    struct Probe {
        address target;
        bytes data;
    }

    struct Word {
        bool isRead;
        uint256 value;
    }

    struct Outcome {
        bool success;
        uint256 gasUsed;
        bytes returned;
        uint256[] native;
        Word[] words;
    }

    /// Contracts decide how much they return; longer data holds no further information.
    uint256 private constant MAX_RETURNED = 4096;
    /// A probe that needs more gas is not a balance.
    uint256 private constant PROBE_GAS = 500_000;

    receive() external payable {}

    /// Outcome 0 is the state before; outcome n follows step n - 1. Later steps run even if one fails.
    function run(Step[] calldata steps, address[] calldata accounts, Probe[] calldata probes)
        external
        payable
        returns (Outcome[] memory outcomes)
    {
        outcomes = new Outcome[](steps.length + 1);
        measure(outcomes[0], accounts, probes);
        outcomes[0].success = true;
        for (uint256 i = 0; i < steps.length; i++) {
            Outcome memory outcome = outcomes[i + 1];
            uint256 before = gasleft();
            (outcome.success, outcome.returned) = callBounded(steps[i]);
            outcome.gasUsed = before - gasleft();
            measure(outcome, accounts, probes);
        }
    }

    function callBounded(Step calldata step) private returns (bool success, bytes memory returned) {
        address to = step.to;
        uint256 value = step.value;
        bytes memory data = step.data;
        uint256 size;
        assembly ("memory-safe") {
            success := call(gas(), to, value, add(data, 0x20), mload(data), 0, 0)
            size := returndatasize()
        }
        if (size > MAX_RETURNED) size = MAX_RETURNED;
        returned = new bytes(size);
        assembly ("memory-safe") {
            returndatacopy(add(returned, 0x20), 0, size)
        }
    }

    function measure(Outcome memory outcome, address[] calldata accounts, Probe[] calldata probes) private view {
        outcome.native = new uint256[](accounts.length);
        for (uint256 i = 0; i < accounts.length; i++) outcome.native[i] = accounts[i].balance;
        outcome.words = new Word[](probes.length);
        for (uint256 i = 0; i < probes.length; i++) outcome.words[i] = read(probes[i]);
    }

    function read(Probe calldata probe) private view returns (Word memory word) {
        address target = probe.target;
        bytes memory data = probe.data;
        bool success;
        uint256 value;
        assembly ("memory-safe") {
            success := staticcall(PROBE_GAS, target, add(data, 0x20), mload(data), 0, 0x20)
            if and(success, gt(returndatasize(), 0x1f)) { value := mload(0) }
            success := and(success, gt(returndatasize(), 0x1f))
        }
        word.isRead = success;
        word.value = value;
    }

    // Tokens do not call these on an account without code; with the runner's code at that account they must be accepted.
    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return this.onERC1155BatchReceived.selector;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x4e2312e0 || id == 0x150b7a02;
    }
}
