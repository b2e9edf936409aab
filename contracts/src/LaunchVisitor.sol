// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {LaunchTrader} from "./LaunchTrader.sol";

/// Trades while it is being created. Until a constructor has ended there is no code at its address, so a token that
/// exempts accounts with code from its trap does not exempt this one. It always reverts, with the legs.
contract LaunchGuest is LaunchTrader {
    /// The share is chosen by what is missing of the money: so all guests of a visitor have the same code and address (EIP-1014).
    /// After the last share comes the sale of what the guest holds without a purchase.
    constructor(Market memory market, uint256[] memory sharesPpm, address friend, uint256 money) payable {
        uint256 index = money - msg.value;
        revert Undone(
            abi.encode(
                index == sharesPpm.length ? sellHeld(market) : tradeAll(market, sharesPpm[index], friend)
            )
        );
    }
}

/// Lets a guest trade for each share of the pool, each time from the same state, and another one, at an address of its own, sell
/// what it was given by a state override. It has no code either until it has ended, and the legs are returned in place of code.
/// They are empty where a guest did not finish.
contract LaunchVisitor is LaunchTrader {
    constructor(Market memory market, uint256[] memory sharesPpm, address friend) payable {
        uint256 shares = sharesPpm.length;
        bytes[] memory runs = new bytes[](shares + 1);
        for (uint256 i = 0; i <= shares && gasleft() > RUN_GAS + RUN_GAS / 32; i++) {
            bytes32 salt = bytes32(i / shares);
            try new LaunchGuest{value: msg.value - i, salt: salt}(market, sharesPpm, friend, msg.value) {}
            catch (bytes memory answer) {
                runs[i] = outcomeOf(answer);
            }
        }
        bytes memory outcome = abi.encode(runs);
        assembly ("memory-safe") {
            return(add(outcome, 0x20), mload(outcome))
        }
    }
}
