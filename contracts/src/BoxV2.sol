// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {BoxV1} from "./BoxV1.sol";

contract BoxV2 is BoxV1 {
    function increment() external {
        value += 1;
    }

    function version() external pure override returns (uint256) {
        return 2;
    }
}
