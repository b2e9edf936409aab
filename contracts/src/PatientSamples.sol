// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// A vault that gives back what it takes for as long as its owner likes.
contract PatientVault is ERC4626 {
    address public immutable owner;

    constructor(IERC20 asset_, address owner_) ERC20("Patient vault", "ptUSD") ERC4626(asset_) {
        owner = owner_;
    }

    /// Takes what an allowance covers.
    function pull(address from, uint256 amount) external {
        require(msg.sender == owner, "owner");
        IERC20(asset()).transferFrom(from, owner, amount);
    }

    /// Takes what was deposited.
    function takeAll() external {
        require(msg.sender == owner, "owner");
        IERC20(asset()).transfer(owner, IERC20(asset()).balanceOf(address(this)));
    }
}

/// A desk that sells wrapped ether at 3,000 dollars, and nothing once its owner closes it.
contract PatientDesk {
    address public immutable owner;
    IERC20 public immutable dollars;
    IERC20 public immutable wrappedEther;
    bool public isClosed;

    constructor(IERC20 dollars_, IERC20 wrapped, address owner_) {
        owner = owner_;
        dollars = dollars_;
        wrappedEther = wrapped;
    }

    function exchange(uint256 amount) external {
        dollars.transferFrom(msg.sender, owner, amount);
        if (!isClosed) wrappedEther.transfer(msg.sender, (amount * 1e12) / 3000);
    }

    function close() external {
        require(msg.sender == owner, "owner");
        isClosed = true;
    }
}

/// Keeps something for each caller that no balance shows, by functions of any name.
contract PlainKeeper {
    mapping(address => bytes32) private kept;

    fallback() external {
        kept[msg.sender] = keccak256(msg.data);
    }
}

/// Never comes to an end.
contract Endless {
    fallback() external {
        while (true) {}
    }
}
