// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A price or sequencer feed with Chainlink's AggregatorV3Interface. Until a round is set, its answer always has the current
/// time, so that a chain which runs for days does not have a stale answer by accident.
contract SampleFeed {
    struct Round {
        uint80 id;
        int256 answer;
        uint256 startedAt;
        uint256 updatedAt;
        uint80 answeredIn;
    }

    uint8 public immutable decimals;
    int256 private immutable initialAnswer;
    uint256 private immutable initialStart;
    Round private round;

    /// A `startedAt` of zero means the current time, like the answer's.
    constructor(uint8 decimals_, int256 answer, uint256 startedAt) {
        decimals = decimals_;
        initialAnswer = answer;
        initialStart = startedAt;
    }

    function setRound(Round calldata round_) external {
        round = round_;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        if (round.id == 0) {
            uint256 startedAt = initialStart == 0 ? block.timestamp : initialStart;
            return (1, initialAnswer, startedAt, block.timestamp, 1);
        }
        return (round.id, round.answer, round.startedAt, round.updatedAt, round.answeredIn);
    }
}
