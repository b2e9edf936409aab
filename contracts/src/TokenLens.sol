// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

interface INamesCode {
    function implementation() external view returns (address);
}

/// Placed at a token's own address by state override, where it sees the token's storage: it reads words of it, finds the program
/// behind a proxy and returns its code, and reads the words that this code names as constants. A beacon is asked in the token's
/// name. All of it is one call, so that what a proxy runs is known as early as the token itself. It is never deployed.
contract TokenLens {
    struct Word {
        bytes32 slot;
        bytes32 value;
    }

    /// What a proxy may run is no larger (EIP-170); the answer is bounded by this.
    uint256 private constant MAX_CODE = 24_576;
    uint256 private constant MAX_CONSTANTS = 96;
    /// A structure's first members.
    uint256 private constant MEMBERS = 3;
    uint256 private constant BEACON_GAS = 1_000_000;
    uint256 private constant PUSH1 = 0x60;
    uint256 private constant PUSH32 = 0x7f;

    /// `slots` name the program in this order; the one at `beaconAt` names a beacon instead. `first` words from slot zero on, and
    /// those of `others`, are read in any case.
    function read(bytes32[] calldata slots, uint256 beaconAt, uint256 first, bytes32[] calldata others)
        external
        view
        returns (address target, bytes memory code, Word[] memory words)
    {
        target = findTarget(slots, beaconAt);
        if (target.code.length <= MAX_CODE) code = target.code;
        words = new Word[](first + (others.length + MAX_CONSTANTS) * MEMBERS);
        uint256 count;
        for (uint256 i = 0; i < first; i++) words[count++] = load(bytes32(i));
        for (uint256 i = 0; i < others.length; i++) count = addMembers(words, count, others[i]);
        count = addConstants(words, count, code);
        assembly ("memory-safe") {
            mstore(words, count)
        }
    }

    function findTarget(bytes32[] calldata slots, uint256 beaconAt) private view returns (address) {
        for (uint256 i = 0; i < slots.length; i++) {
            address named = address(uint160(uint256(load(slots[i]).value)));
            if (named == address(0)) continue;
            return i == beaconAt ? askBeacon(named) : named;
        }
        return address(0);
    }

    function askBeacon(address beacon) private view returns (address) {
        bytes memory question = abi.encodeCall(INamesCode.implementation, ());
        bool success;
        uint256 word;
        uint256 size;
        assembly ("memory-safe") {
            success := staticcall(BEACON_GAS, beacon, add(question, 32), mload(question), 0, 32)
            word := mload(0)
            size := returndatasize()
        }
        return success && size >= 32 && word <= type(uint160).max ? address(uint160(word)) : address(0);
    }

    /// Words that the code pushes whole: among them are the places of storage that compilers computed.
    function addConstants(Word[] memory words, uint256 count, bytes memory code) private view returns (uint256) {
        uint256 found;
        for (uint256 i = 0; i < code.length && found < MAX_CONSTANTS; i++) {
            uint256 opcode = uint8(code[i]);
            if (opcode < PUSH1 || opcode > PUSH32) continue;
            if (opcode == PUSH32 && i + 32 < code.length) {
                bytes32 word;
                assembly ("memory-safe") {
                    word := mload(add(add(code, 33), i))
                }
                // Numbers and addresses are no places that a compiler computed.
                if (uint256(word) > type(uint192).max && ~uint256(word) > type(uint192).max) {
                    count = addMembers(words, count, word);
                    found++;
                }
            }
            i += opcode - PUSH1 + 1;
        }
        return count;
    }

    function addMembers(Word[] memory words, uint256 count, bytes32 slot) private view returns (uint256) {
        for (uint256 i = 0; i < MEMBERS; i++) {
            unchecked {
                words[count++] = load(bytes32(uint256(slot) + i));
            }
        }
        return count;
    }

    function load(bytes32 slot) private view returns (Word memory word) {
        word.slot = slot;
        assembly ("memory-safe") {
            mstore(add(word, 32), sload(slot))
        }
    }
}
