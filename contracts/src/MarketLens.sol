// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BoundedCaller} from "./BoundedCaller.sol";

/// Asks exchanges what they would give, each with bounded gas. It is placed at an address of its own by state override, and
/// never deployed.
contract MarketLens is BoundedCaller {
    struct Question {
        address target;
        bytes data;
        /// Which word of the answer is the amount.
        uint256 place;
    }

    /// Far more than a quote of a pool that can fill the amount needs; one that cannot walks through all its prices.
    uint256 private constant QUOTE_GAS = 1_000_000;
    /// Left for what is simulated after the quotes.
    uint256 private constant RESERVE = 4_000_000;
    uint256 private constant MAX_RETURNED = 256;

    /// Zero where there is no such pool, the greatest number where no gas was left to ask.
    function ask(Question[] calldata questions) external returns (uint256[] memory amounts) {
        amounts = new uint256[](questions.length);
        for (uint256 i; i < questions.length; ++i) {
            amounts[i] = gasleft() < RESERVE + QUOTE_GAS ? type(uint256).max : quote(questions[i]);
        }
    }

    function quote(Question calldata question) private returns (uint256 amount) {
        (bool success, bytes memory answer) = callBounded(question.target, 0, question.data, QUOTE_GAS, MAX_RETURNED);
        uint256 end = (question.place + 1) * 32;
        if (!success || answer.length < end) return 0;
        assembly ("memory-safe") {
            amount := mload(add(answer, end))
        }
        if (amount == type(uint256).max) return 0;
    }
}
