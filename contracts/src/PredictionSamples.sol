// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

interface IConditionalTokens {
    function prepareCondition(address oracle, bytes32 questionId, uint256 outcomeSlotCount) external;
    function reportPayouts(bytes32 questionId, uint256[] calldata payouts) external;
}

/// Has getters of its condition and collateral, as a fixed-product market maker has, and none of its oracle.
contract SampleMarketMaker {
    address public conditionalTokens;
    address public collateralToken;
    bytes32[] public conditionIds;

    constructor(address conditionalTokens_, address collateralToken_, bytes32[] memory conditionIds_) {
        conditionalTokens = conditionalTokens_;
        collateralToken = collateralToken_;
        conditionIds = conditionIds_;
    }
}

/// A market with getters of its oracle and its question as well.
contract SamplePredictionMarket is SampleMarketMaker {
    address public oracle;
    bytes32 public questionId;

    constructor(
        address conditionalTokens_,
        address collateralToken_,
        bytes32[] memory conditionIds_,
        address oracle_,
        bytes32 questionId_
    ) SampleMarketMaker(conditionalTokens_, collateralToken_, conditionIds_) {
        oracle = oracle_;
        questionId = questionId_;
    }
}

/// An oracle that reports what any caller passes; with an owner, only what its owner passes.
contract SampleOracle {
    address public owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function report(IConditionalTokens tokens, bytes32 questionId, uint256[] calldata payouts) external {
        require(owner == address(0) || msg.sender == owner);
        tokens.reportPayouts(questionId, payouts);
    }
}

/// A dispute procedure in the form of UMA's optimistic oracle: requested, proposed, disputed, settled.
contract SampleOptimisticOracle {
    mapping(bytes32 => uint256) private _states;

    function setState(address requester, uint256 timestamp, bytes calldata text, uint256 state) external {
        _states[_keyOf(requester, "YES_OR_NO_QUERY", timestamp, text)] = state;
    }

    function getState(address requester, bytes32 identifier, uint256 timestamp, bytes calldata text)
        external
        view
        returns (uint256)
    {
        return _states[_keyOf(requester, identifier, timestamp, text)];
    }

    function _keyOf(address requester, bytes32 identifier, uint256 timestamp, bytes calldata text)
        private
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(requester, identifier, timestamp, text));
    }
}

/// An oracle in the form of UMA's adapter: it stores the text whose hash is the question id, and waits for the procedure.
contract SampleAdapter {
    struct Question {
        uint256 requestTimestamp;
        uint256 reward;
        uint256 proposalBond;
        uint256 liveness;
        uint256 manualResolutionTimestamp;
        bool resolved;
        bool paused;
        bool reset;
        bool refund;
        address rewardToken;
        address creator;
        bytes ancillaryData;
    }

    IConditionalTokens public immutable ctf;
    SampleOptimisticOracle public immutable optimisticOracle;
    mapping(bytes32 => Question) private _questions;

    constructor(IConditionalTokens ctf_, SampleOptimisticOracle optimisticOracle_) {
        ctf = ctf_;
        optimisticOracle = optimisticOracle_;
    }

    function initialize(bytes calldata text) external {
        bytes32 questionId = keccak256(text);
        Question storage question = _questions[questionId];
        question.requestTimestamp = block.timestamp;
        question.creator = msg.sender;
        question.ancillaryData = text;
        ctf.prepareCondition(address(this), questionId, 2);
        optimisticOracle.setState(address(this), block.timestamp, text, 1);
    }

    function getQuestion(bytes32 questionId) external view returns (Question memory) {
        return _questions[questionId];
    }

    function setFlags(bytes32 questionId, bool resolved, bool paused, uint256 manualResolutionTimestamp) external {
        Question storage question = _questions[questionId];
        question.resolved = resolved;
        question.paused = paused;
        question.manualResolutionTimestamp = manualResolutionTimestamp;
    }

    function moveTo(bytes32 questionId, uint256 state) external {
        Question storage question = _questions[questionId];
        optimisticOracle.setState(address(this), question.requestTimestamp, question.ancillaryData, state);
    }

    function resolve(bytes32 questionId, uint256[] calldata payouts) external {
        _questions[questionId].resolved = true;
        ctf.reportPayouts(questionId, payouts);
    }
}

/// An oracle that takes its answers from a contract in the form of Reality.eth: another one, or itself.
contract SampleRealityOracle {
    address public immutable realitio;
    mapping(bytes32 => bool) public isFinalized;
    mapping(bytes32 => bool) public isPendingArbitration;

    constructor(address realitio_) {
        realitio = realitio_ == address(0) ? address(this) : realitio_;
    }

    function setState(bytes32 questionId, bool isFinalized_, bool isPendingArbitration_) external {
        isFinalized[questionId] = isFinalized_;
        isPendingArbitration[questionId] = isPendingArbitration_;
    }

    function report(IConditionalTokens tokens, bytes32 questionId, uint256[] calldata payouts) external {
        tokens.reportPayouts(questionId, payouts);
    }
}

/// Answers like a conditional-token contract with values that were set freely: no oracle reported them.
contract LyingConditionalTokens {
    uint256 public immutable count;
    uint256 public immutable denominator;

    constructor(uint256 count_, uint256 denominator_) {
        count = count_;
        denominator = denominator_;
    }

    function getOutcomeSlotCount(bytes32) external view returns (uint256) {
        return count;
    }

    function payoutDenominator(bytes32) external view returns (uint256) {
        return denominator;
    }

    function payoutNumerators(bytes32, uint256 index) external view returns (uint256) {
        return index == 0 ? denominator : 0;
    }
}

/// Answers every call with a chosen number of bytes.
contract VerboseContract {
    uint256 private immutable _length;

    constructor(uint256 length) {
        _length = length;
    }

    fallback() external {
        uint256 length = _length;
        assembly {
            return(0, length)
        }
    }
}
