// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPairFactory, LaunchTrader} from "./LaunchTrader.sol";

/// Placed at a new trader's address by state override and called by that address itself, it buys a token, transfers some,
/// approves and sells, and returns what each step gave. The same code at an owner's address lets the trader make the owner
/// act in between. It is never deployed.
contract LaunchProbe is LaunchTrader {
    struct Venue {
        bool isConcentrated;
        address factory;
        address token;
        address quote;
        uint24 fee;
    }

    struct Pool {
        bool isRead;
        address pool;
        uint256 quoteBalance;
        uint256 tokenBalance;
    }

    struct Trial {
        address caller;
        /// Tried in this order until one is accepted.
        bytes[] calls;
    }

    struct TrialOutcome {
        bool isTried;
        bool isAccepted;
        uint256 index;
        Leg sale;
    }

    uint256 private constant POWER_GAS = 400_000;
    /// With less gas a trial could run out of gas, which could not be distinguished from a refusal.
    uint256 private constant TRIAL_GAS = 3_000_000;

    receive() external payable {}

    function findPools(Venue[] calldata venues) external view returns (Pool[] memory pools) {
        pools = new Pool[](venues.length);
        for (uint256 i = 0; i < venues.length; i++) {
            Venue calldata venue = venues[i];
            bytes memory question = venue.isConcentrated
                ? abi.encodeCall(IPairFactory.getPool, (venue.token, venue.quote, venue.fee))
                : abi.encodeCall(IPairFactory.getPair, (venue.token, venue.quote));
            (bool isRead, uint256 word) = readWord(venue.factory, question);
            pools[i].isRead = isRead;
            pools[i].pool = address(uint160(word));
            if (word == 0) continue;
            pools[i].quoteBalance = balanceOf(venue.quote, pools[i].pool);
            pools[i].tokenBalance = balanceOf(venue.token, pools[i].pool);
        }
    }

    /// Five legs for each share of the pool, each time from the same state: buy, transfer, approve, sell half, sell the
    /// rest. An empty answer in place of the legs means that they did not finish.
    function trade(Market calldata market, uint256[] calldata sharesBps, address friend)
        external
        returns (bytes[] memory runs)
    {
        runs = new bytes[](sharesBps.length);
        for (uint256 i = 0; i < sharesBps.length; i++) {
            runs[i] = undone(address(this), abi.encodeCall(this.tradeOnce, (market, sharesBps[i], friend)), 7_000_000);
        }
    }

    function tradeOnce(Market calldata market, uint256 shareBps, address friend) external {
        revert Undone(abi.encode(tradeAll(market, shareBps, friend)));
    }

    /// Buys once; then, each time from that state, makes another account act and sells everything. The first outcome is
    /// the sale without any action.
    function exercise(Market calldata market, uint256 shareBps, Trial[] calldata trials)
        external
        returns (Leg memory bought, Leg memory plainSale, TrialOutcome[] memory outcomes)
    {
        outcomes = new TrialOutcome[](trials.length);
        bought = buy(market, shareBps);
        if (!bought.success || bought.received == 0) return (bought, plainSale, outcomes);
        allow(market.token, market.router);
        uint256 amount = balanceOf(market.token, address(this));
        bytes memory answer = undone(address(this), abi.encodeCall(this.sellOnce, (market, amount)), LEG_GAS);
        if (answer.length > 0) plainSale = abi.decode(answer, (Leg));
        for (uint256 i = 0; i < trials.length; i++) {
            if (gasleft() < TRIAL_GAS + TRIAL_GAS / 2) break;
            answer = undone(address(this), abi.encodeCall(this.actAndSell, (market, amount, trials[i])), TRIAL_GAS);
            if (answer.length > 0) outcomes[i] = abi.decode(answer, (TrialOutcome));
        }
    }

    function sellOnce(Market calldata market, uint256 amount) external {
        revert Undone(abi.encode(sell(market, amount)));
    }

    function actAndSell(Market calldata market, uint256 amount, Trial calldata trial) external {
        TrialOutcome memory outcome;
        outcome.isTried = true;
        for (uint256 i = 0; i < trial.calls.length && !outcome.isAccepted; i++) {
            // A low-level call: the answer of the caller's account is the token's answer, of any length.
            bytes memory data = abi.encodeCall(this.act, (market.token, trial.calls[i]));
            (outcome.isAccepted,) = callBounded(trial.caller, 0, data, POWER_GAS, 0);
            outcome.index = i;
        }
        if (outcome.isAccepted) outcome.sale = sell(market, amount);
        revert Undone(abi.encode(outcome));
    }

    /// The code at the owner's address executes the trader's calls.
    function act(address target, bytes calldata data) external {
        (bool success,) = callBounded(target, 0, data, gasleft(), 0);
        require(success);
    }
}
