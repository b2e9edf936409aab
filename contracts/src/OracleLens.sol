// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Follows an oracle of conditional tokens to the contract it takes its answers from, and returns the state of the question
/// there: separate calls would cost a round trip each. It runs as creation code and is never deployed.
/// Answer: the kind (0 none known, 1 optimistic oracle, 2 Reality.eth), the contract, its code hash and the state:
/// UMA's numbers for the first, 1 open, 4 in arbitration or 6 finalized for the second, 255 where it could not be read.
contract OracleLens {
    uint256 private constant UNREADABLE = 255;
    uint256 private constant GAS_EACH = 200_000;
    /// UMA stores at most 8,139 bytes of text, which are about 260 cold slots.
    uint256 private constant GAS_FOR_TEXT = 1_500_000;
    uint256 private constant MOST_TEXT = 9_000;

    constructor(address oracle, bytes32 questionId) {
        uint256 kind = 1;
        uint256 state = UNREADABLE;
        address source = _name(oracle, "optimisticOracle()");
        if (source != address(0)) {
            state = _askOptimistic(source, oracle, questionId);
        } else {
            source = _name(oracle, "realitio()");
            kind = source == address(0) ? 0 : 2;
            if (kind == 2) state = _askReality(source, questionId);
        }
        bytes memory answer = abi.encode(kind, source, source.codehash, state);
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }

    function _askOptimistic(address source, address oracle, bytes32 questionId) private view returns (uint256) {
        (uint256 timestamp, bytes memory text) = _readQuestion(oracle, questionId);
        if (text.length == 0) return UNREADABLE;
        bytes memory data = abi.encodeWithSignature(
            "getState(address,bytes32,uint256,bytes)", oracle, bytes32("YES_OR_NO_QUERY"), timestamp, text
        );
        (bool answered, uint256 state) = _ask(source, data);
        return answered && state <= 6 ? state : UNREADABLE;
    }

    function _askReality(address source, bytes32 questionId) private view returns (uint256) {
        (bool one, uint256 finalized) = _ask(source, abi.encodeWithSignature("isFinalized(bytes32)", questionId));
        (bool two, uint256 pending) =
            _ask(source, abi.encodeWithSignature("isPendingArbitration(bytes32)", questionId));
        if (!one || !two || finalized > 1 || pending > 1) return UNREADABLE;
        return finalized == 1 ? 6 : pending == 1 ? 4 : 1;
    }

    /// The adapter's record begins with the time of its request and ends with the text. The fields between differ from
    /// version to version, so the text is found by its offset, which is the length of the fields before it.
    function _readQuestion(address oracle, bytes32 questionId) private view returns (uint256, bytes memory) {
        bytes memory data = abi.encodeWithSignature("getQuestion(bytes32)", questionId);
        bytes memory record;
        uint256 size;
        assembly {
            let answered := staticcall(GAS_FOR_TEXT, oracle, add(data, 32), mload(data), 0, 0)
            size := mul(answered, returndatasize())
            if gt(size, MOST_TEXT) { size := 0 }
            record := mload(0x40)
            mstore(record, size)
            returndatacopy(add(record, 32), 0, size)
            mstore(0x40, and(add(add(record, 95), size), not(31)))
        }
        for (uint256 head = 9; head <= 12; head++) {
            // The offset of the record, the record's words, the text's length.
            uint256 before = (head + 2) * 32;
            if (size < before || _word(record, 0) != 32 || _word(record, head) != head * 32) continue;
            uint256 length = _word(record, head + 1);
            if (length == 0 || length > size - before) continue;
            bytes memory text = new bytes(length);
            assembly {
                mcopy(add(text, 32), add(add(record, 32), before), length)
            }
            return (_word(record, 1), text);
        }
        return (0, "");
    }

    function _word(bytes memory bytes_, uint256 index) private pure returns (uint256 word) {
        assembly {
            word := mload(add(add(bytes_, 32), mul(index, 32)))
        }
    }

    function _name(address oracle, string memory signature) private view returns (address) {
        (bool answered, uint256 word) = _ask(oracle, abi.encodeWithSignature(signature));
        return answered && word <= type(uint160).max ? address(uint160(word)) : address(0);
    }

    /// Copies one word of the answer, whatever its length.
    function _ask(address to, bytes memory data) private view returns (bool answered, uint256 word) {
        assembly {
            answered := staticcall(GAS_EACH, to, add(data, 32), mload(data), 0, 32)
            if iszero(eq(returndatasize(), 32)) { answered := 0 }
            word := mload(0)
        }
    }
}
