// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

interface IFactory {
    function getPair(address a, address b) external view returns (address);
}

/// A plain launch: its owner can only renounce ownership. The samples below are traps that derive from it.
contract LaunchToken is ERC20, Ownable {
    constructor(uint256 supply) ERC20("Launch Token", "LAUNCH") Ownable(msg.sender) {
        _mint(msg.sender, supply);
    }

    /// Whether an account other than the owner sends tokens to the Uniswap V2 pair.
    function isSale(address from, address to) internal view returns (bool) {
        return from != address(0) && from != owner() && to == pair();
    }

    function pair() internal view returns (address) {
        address factory = 0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6;
        return IFactory(factory).getPair(address(this), 0x4200000000000000000000000000000000000006);
    }
}

/// Takes a fixed share of every sale.
contract SaleTaxToken is LaunchToken {
    uint256 private immutable taxBps;

    constructor(uint256 supply, uint256 taxBps_) LaunchToken(supply) {
        taxBps = taxBps_;
    }

    function _update(address from, address to, uint256 value) internal override {
        uint256 tax = isSale(from, to) ? (value * taxBps) / 10_000 : 0;
        if (tax > 0) super._update(from, owner(), tax);
        super._update(from, to, value - tax);
    }
}

/// Can be sold freely until the owner sets a tax, up to a cap.
contract SwitchedTaxToken is LaunchToken {
    uint256 private immutable capBps;
    uint256 public taxBps;

    constructor(uint256 supply, uint256 capBps_) LaunchToken(supply) {
        capBps = capBps_;
    }

    function setSellTax(uint256 taxBps_) external onlyOwner {
        require(taxBps_ <= capBps, "above the cap");
        taxBps = taxBps_;
    }

    function _update(address from, address to, uint256 value) internal override {
        uint256 tax = isSale(from, to) ? (value * taxBps) / 10_000 : 0;
        if (tax > 0) super._update(from, owner(), tax);
        super._update(from, to, value - tax);
    }
}

/// Can be sold freely until the owner puts the seller on a list.
contract BlacklistToken is LaunchToken {
    mapping(address => bool) private listed;

    constructor(uint256 supply) LaunchToken(supply) {}

    function setBlacklist(address account, bool isListed) external onlyOwner {
        listed[account] = isListed;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!listed[from], "blacklisted");
        super._update(from, to, value);
    }
}

/// The same with a function name that reveals nothing.
contract ObscureToken is LaunchToken {
    mapping(address => bool) private listed;

    constructor(uint256 supply) LaunchToken(supply) {}

    function zq7(address account) external onlyOwner {
        listed[account] = true;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!listed[from]);
        super._update(from, to, value);
    }
}

/// Any amount can be bought, only a little can be sold.
contract MaxSellToken is LaunchToken {
    uint256 private constant MAX_SALE = 1000 ether;

    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        require(!isSale(from, to) || value <= MAX_SALE, "above the limit");
        super._update(from, to, value);
    }
}

/// A buyer cannot sell for a year.
contract CooldownToken is LaunchToken {
    mapping(address => uint256) private boughtAt;

    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        if (from != address(0) && from == pair()) boughtAt[to] = block.timestamp;
        require(!isSale(from, to) || block.timestamp > boughtAt[from] + 365 days, "too early");
        super._update(from, to, value);
    }
}

/// Can be sold freely until the owner blocks the pool.
contract BlockedPairToken is LaunchToken {
    mapping(address => bool) private closed;

    constructor(uint256 supply) LaunchToken(supply) {}

    function blockPair(address pool) external onlyOwner {
        closed[pool] = true;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(from == owner() || !closed[to], "closed");
        super._update(from, to, value);
    }
}

/// Lets only contracts sell, and so a simulation with code at the seller's address.
contract AccountTrapToken is LaunchToken {
    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        require(!isSale(from, to) || from.code.length > 0);
        super._update(from, to, value);
    }
}

/// Lets only sellers sell that are not the origin of the transaction.
contract OriginTrapToken is LaunchToken {
    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        require(!isSale(from, to) || from != tx.origin);
        super._update(from, to, value);
    }
}

/// Can be sold only while the gas price is zero, as in most simulated calls.
contract GasPriceTrapToken is LaunchToken {
    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        require(!isSale(from, to) || tx.gasprice == 0);
        super._update(from, to, value);
    }
}

/// Can be sold only while the base fee is zero, as in the simulated calls of some nodes.
contract BaseFeeTrapToken is LaunchToken {
    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        require(!isSale(from, to) || block.basefee == 0);
        super._update(from, to, value);
    }
}

/// The first implementation of a proxy, whose admin may later replace it by the trap.
contract ProxiedToken is ERC20 {
    constructor() ERC20("", "") {}

    function initialize(address holder, uint256 supply) external {
        require(totalSupply() == 0, "initialized");
        _mint(holder, supply);
    }
}

contract ProxiedTrap is ProxiedToken {
    function _update(address from, address to, uint256 value) internal override {
        address factory = 0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6;
        require(to != IFactory(factory).getPair(address(this), 0x4200000000000000000000000000000000000006));
        super._update(from, to, value);
    }
}
