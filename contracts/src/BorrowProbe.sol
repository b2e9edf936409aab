// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

struct MarketParams {
    address loanToken;
    address collateralToken;
    address oracle;
    address irm;
    uint256 lltv;
}

struct Market {
    uint128 totalSupplyAssets;
    uint128 totalSupplyShares;
    uint128 totalBorrowAssets;
    uint128 totalBorrowShares;
    uint128 lastUpdate;
    uint128 fee;
}

struct Position {
    uint256 supplyShares;
    uint128 borrowShares;
    uint128 collateral;
}

interface IMorpho {
    function borrow(MarketParams calldata, uint256 assets, uint256 shares, address onBehalf, address receiver)
        external
        returns (uint256, uint256);
    function withdrawCollateral(MarketParams calldata, uint256 assets, address onBehalf, address receiver) external;
    function market(bytes32 id) external view returns (Market memory);
    function position(bytes32 id, address user) external view returns (Position memory);
}

/// Placed at an unpredictable address, and allowed by state override to act for a user, it borrows for the user and then
/// finds the limit: how little collateral Morpho still accepts for the debt. The user and Morpho keep their own code, so that
/// an oracle sees what it would see in the user's own transaction. It is never deployed.
contract BorrowProbe {
    struct Word {
        bool isRead;
        uint256 value;
    }

    struct Outcome {
        bool success;
        bytes returned;
        /// Of the loan token, by the user.
        Word heldBefore;
        Word heldAfter;
        /// After the borrow.
        Market market;
        Position position;
        /// The price that the oracle returns to this contract.
        Word price;
        /// The least collateral that covers the debt at that price; zero where the borrow failed or there is no price.
        uint256 line;
        /// Whether Morpho lets all other collateral be withdrawn, and whether it lets one unit more be withdrawn.
        bool holdsOnLine;
        bool holdsBelowLine;
    }

    /// Longer return data of Morpho holds no further information.
    uint256 private constant MAX_RETURNED = 1024;
    /// A view function that needs more gas is not a balance or a price.
    uint256 private constant VIEW_GAS = 1_000_000;
    /// The scales of the loan-to-value ratio and of the price.
    uint256 private constant WAD = 1e18;
    uint256 private constant PRICE_SCALE = 1e36;
    /// Morpho's virtual shares and assets.
    uint256 private constant VIRTUAL_SHARES = 1e6;
    uint256 private constant VIRTUAL_ASSETS = 1;

    function run(IMorpho morpho, bytes32 id, MarketParams calldata params, uint256 assets, address user)
        external
        returns (Outcome memory outcome)
    {
        bytes memory held = abi.encodeWithSignature("balanceOf(address)", user);
        outcome.heldBefore = read(params.loanToken, held);
        bytes memory borrow = abi.encodeCall(IMorpho.borrow, (params, assets, 0, user, user));
        (outcome.success, outcome.returned) = callBounded(address(morpho), borrow);
        outcome.heldAfter = read(params.loanToken, held);
        outcome.market = morpho.market(id);
        outcome.position = morpho.position(id, user);
        outcome.price = read(params.oracle, abi.encodeWithSignature("price()"));
        if (outcome.success && outcome.price.value > 0) findLine(outcome, morpho, params, user);
    }

    function findLine(Outcome memory outcome, IMorpho morpho, MarketParams calldata params, address user) private {
        uint256 debt = Math.mulDiv(
            outcome.position.borrowShares,
            outcome.market.totalBorrowAssets + VIRTUAL_ASSETS,
            outcome.market.totalBorrowShares + VIRTUAL_SHARES,
            Math.Rounding.Ceil
        );
        uint256 worth = Math.mulDiv(debt, WAD, params.lltv, Math.Rounding.Ceil);
        uint256 line = Math.mulDiv(worth, PRICE_SCALE, outcome.price.value, Math.Rounding.Ceil);
        outcome.line = line;
        uint256 collateral = outcome.position.collateral;
        if (line > collateral) return;
        // The refused withdrawal first: it changes nothing.
        outcome.holdsBelowLine = withdraws(morpho, params, collateral - line + 1, user);
        outcome.holdsOnLine = line == collateral || withdraws(morpho, params, collateral - line, user);
    }

    function withdraws(IMorpho morpho, MarketParams calldata params, uint256 assets, address user)
        private
        returns (bool success)
    {
        (success,) =
            callBounded(address(morpho), abi.encodeCall(IMorpho.withdrawCollateral, (params, assets, user, user)));
    }

    function callBounded(address to, bytes memory data) private returns (bool success, bytes memory returned) {
        uint256 size;
        assembly ("memory-safe") {
            success := call(gas(), to, 0, add(data, 0x20), mload(data), 0, 0)
            size := returndatasize()
        }
        if (size > MAX_RETURNED) size = MAX_RETURNED;
        returned = new bytes(size);
        assembly ("memory-safe") {
            returndatacopy(add(returned, 0x20), 0, size)
        }
    }

    function read(address target, bytes memory question) private view returns (Word memory word) {
        bool isRead;
        uint256 value;
        assembly ("memory-safe") {
            isRead := staticcall(VIEW_GAS, target, add(question, 0x20), mload(question), 0, 0x20)
            isRead := and(isRead, gt(returndatasize(), 0x1f))
            if isRead { value := mload(0) }
        }
        return Word(isRead, value);
    }
}
