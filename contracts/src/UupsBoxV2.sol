// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {BoxV2} from "./BoxV2.sol";

contract UupsBoxV2 is BoxV2, UUPSUpgradeable {
    function _authorizeUpgrade(address) internal view override {
        _requireOwner();
    }
}
