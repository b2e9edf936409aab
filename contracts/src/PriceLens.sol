// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Reads the parts of an oracle in the form of Morpho's Chainlink oracle (version 2), and the current answer of each part, in
/// one `eth_call` without a recipient: the node runs this constructor and answers with what it returns. It is never
/// deployed. With an oracle of another form, words stay unread.
contract PriceLens {
    struct Word {
        bool isRead;
        uint256 value;
    }

    struct Vault {
        Word vault;
        Word sample;
        Word assets;
        /// Decimals of the vault's asset.
        Word assetDecimals;
    }

    struct Feed {
        Word feed;
        Word decimals;
        Word answer;
        Word updatedAt;
    }

    struct Sight {
        Word scaleFactor;
        /// Of the base asset, the collateral; then of the quote asset, the loan.
        Vault[2] vaults;
        /// Two of the base asset, two of the quote asset.
        Feed[4] feeds;
        /// Of the collateral token and of the loan token.
        Word[2] tokenDecimals;
    }

    /// Far more than an aggregator or a vault needs; twenty-five such calls still fit into the gas of the lens.
    uint256 private constant GAS = 300_000;

    constructor(address oracle, address collateralToken, address loanToken) {
        Sight memory sight;
        sight.scaleFactor = read(oracle, "SCALE_FACTOR()");
        sight.vaults[0] = readVault(oracle, "BASE_VAULT()", "BASE_VAULT_CONVERSION_SAMPLE()");
        sight.vaults[1] = readVault(oracle, "QUOTE_VAULT()", "QUOTE_VAULT_CONVERSION_SAMPLE()");
        sight.feeds[0] = readFeed(oracle, "BASE_FEED_1()");
        sight.feeds[1] = readFeed(oracle, "BASE_FEED_2()");
        sight.feeds[2] = readFeed(oracle, "QUOTE_FEED_1()");
        sight.feeds[3] = readFeed(oracle, "QUOTE_FEED_2()");
        sight.tokenDecimals[0] = read(collateralToken, "decimals()");
        sight.tokenDecimals[1] = read(loanToken, "decimals()");
        bytes memory answer = abi.encode(sight);
        assembly {
            return(add(answer, 0x20), mload(answer))
        }
    }

    function readVault(address oracle, string memory getter, string memory sampleGetter)
        private
        view
        returns (Vault memory vault)
    {
        vault.vault = read(oracle, getter);
        vault.sample = read(oracle, sampleGetter);
        if (vault.vault.value == 0) return vault;
        bytes memory question = abi.encodeWithSignature("convertToAssets(uint256)", vault.sample.value);
        address keeper = address(uint160(vault.vault.value));
        (vault.assets,) = ask(keeper, question, 1);
        Word memory asset = read(keeper, "asset()");
        if (asset.isRead) vault.assetDecimals = read(address(uint160(asset.value)), "decimals()");
    }

    function readFeed(address oracle, string memory getter) private view returns (Feed memory feed) {
        feed.feed = read(oracle, getter);
        if (feed.feed.value == 0) return feed;
        address aggregator = address(uint160(feed.feed.value));
        feed.decimals = read(aggregator, "decimals()");
        (feed.answer, feed.updatedAt) = ask(aggregator, abi.encodeWithSignature("latestRoundData()"), 5);
    }

    function read(address target, string memory getter) private view returns (Word memory word) {
        (word,) = ask(target, abi.encodeWithSignature(getter), 1);
    }

    /// The first word of an answer of one word, or the second and fourth of one of five: a round's answer and its time.
    function ask(address target, bytes memory question, uint256 words)
        private
        view
        returns (Word memory first, Word memory second)
    {
        bool isRead;
        uint256[5] memory answer;
        assembly ("memory-safe") {
            isRead := staticcall(GAS, target, add(question, 0x20), mload(question), answer, mul(words, 0x20))
            isRead := and(isRead, iszero(lt(returndatasize(), mul(words, 0x20))))
        }
        if (!isRead) return (first, second);
        first = Word(true, words == 5 ? answer[1] : answer[0]);
        second = Word(true, answer[3]);
    }
}
