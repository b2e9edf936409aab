// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {BoxV1} from "./BoxV1.sol";

contract UupsBoxV1 is BoxV1, UUPSUpgradeable {
    function _authorizeUpgrade(address) internal view override {
        _requireOwner();
    }
}
