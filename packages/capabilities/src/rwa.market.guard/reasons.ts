import type { CodeFormCode } from "../shared/code/noteCodeForm.js";
import { codeSentences } from "../shared/code/sentences.js";
import type { ControlCode } from "../shared/control/judgeControl.js";
import type { PauseCode } from "../shared/control/judgePause.js";
import { controlSentences } from "../shared/control/sentences.js";
import { labelSentences } from "../shared/labels/sentences.js";
import { poolSentences } from "../shared/pools/sentences.js";
import type { ProxyCode } from "../shared/proxies/judgeProxy.js";
import { proxySentences } from "../shared/proxies/sentences.js";
import { simulationSentences } from "../shared/simulation/sentences.js";
import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";
import type { B20Code } from "./judgeB20.js";
import type { FeedCode } from "./judgeFeed.js";
import type { IssuerCode } from "./judgeIssuer.js";
import type { IssuerPowerCode } from "./judgeIssuerPowers.js";
import type { PermissionCode } from "./judgePermissions.js";
import type { PoolCode } from "./judgePools.js";
import type { SupplyCode } from "./judgeSupply.js";
import type { TransferCode } from "./judgeTransfers.js";
import type { UpgradeCode } from "./judgeUpgrade.js";

export type RwaMarketCode =
  | CodeFormCode
  | IssuerCode
  | PermissionCode
  | B20Code
  | PauseCode
  | ProxyCode
  | ControlCode
  | UpgradeCode
  | IssuerPowerCode
  | SupplyCode
  | TransferCode
  | FeedCode
  | PoolCode;

/**
 * What each reason means for the verdict; the most severe one decides. `allow` therefore needs an address on the
 * operator's list, every reading answered, no pause, fresh prices where a feed is listed, no single key that can
 * replace the code, and none that runs other code in its place. What a listed issuer can do to holders is reported, but
 * does not lower the verdict: freezing and seizing belong to such assets.
 */
export const rwaMarketReasons: Reasons<RwaMarketCode> = defineReasons({
  allow: {
    CODE_PRESENT: codeSentences.CODE_PRESENT,
    MINIMAL_PROXY: codeSentences.MINIMAL_PROXY,
    NATIVE_TOKEN_CODE: codeSentences.NATIVE_TOKEN_CODE,
    ISSUER_KNOWN: "The address is on the operator's list of issuers.",
    ERC3643_TOKEN: "An identity registry and a compliance contract decide who may hold the token (ERC-3643).",
    ERC1404_TOKEN: "The token says which transfers it restricts (ERC-1404).",
    B20_TOKEN: "The chain's own factory knows the token as a native one (B20).",
    NOT_PERMISSIONED: "No standard of permissioned tokens was found in the token.",
    NOT_PAUSED: controlSentences.NOT_PAUSED,
    PAUSE_ABSENT: controlSentences.PAUSE_ABSENT,
    TRANSFER_RESTRICTED:
      "A transfer to an account that nobody has admitted fails, as permissioned tokens have it.",
    TRANSFER_OPEN: "A transfer between unknown accounts succeeds.",
    SUPPLY_CAPPED: "The token states a cap, and its supply is within it.",
    FEED_FRESH: "The price feed's newest answer is a price, and no older than it may be.",
    NO_FEED_LISTED: "No price feed is listed for the asset.",
    SEQUENCER_UP: "The sequencer is up, and has been for more than an hour.",
    MARKET_OPEN: "By the hours listed for the asset, its market is open.",
    LIQUIDITY_SEEN: "A pool that this check reads holds liquidity for the token.",
    NO_LIQUIDITY_SEEN: "No pool that this check reads holds the token.",
    // Reported: what the issuer can do, and who it is.
    POWER_FREEZE: "The code can freeze an account or a part of what it holds.",
    POWER_SEIZE: "The code can take tokens from a holder, or burn them.",
    POWER_MINT: "The code can create tokens.",
    POWER_PAUSE: "The code can stop all transfers.",
    POWER_LIMIT: "The code can limit supply, holdings or transfers.",
    POWER_ADMIT: "The code can change who may hold the token, or who decides that.",
    POWER_FEE: "The code can take a part of a transfer.",
    POWER_RENAME: "The code can change the token's name or symbol.",
    NO_ISSUER_POWER: "None of the known functions that give power over holders is in the code.",
    ISSUER_POWERS_HELD: "The token names who holds the powers over its holders, or who appoints them.",
    ISSUER_POWERS_RENOUNCED: "The code has powers over its holders, but the token says it has no owner.",
    OWNER_RENOUNCED: controlSentences.OWNER_RENOUNCED,
    OWNER_IS_ACCOUNT: controlSentences.OWNER_IS_ACCOUNT,
    OWNER_IS_CONTRACT: controlSentences.OWNER_IS_CONTRACT,
    // Reported: whether replaceable code matters is judged by who may replace it.
    NO_PROXY_SLOT: proxySentences.NO_PROXY_SLOT,
    PROXY_EIP1967: proxySentences.PROXY_EIP1967,
    PROXY_UUPS: proxySentences.PROXY_UUPS,
    PROXY_BEACON: proxySentences.PROXY_BEACON,
    PROXY_EIP1822: proxySentences.PROXY_EIP1822,
    PROXY_ZEPPELINOS: proxySentences.PROXY_ZEPPELINOS,
    PROXY_ERC3643: "The contract is a proxy whose code an implementation authority chooses (ERC-3643).",
    PROXY_ADMIN_SET: proxySentences.PROXY_ADMIN_SET,
    ADMIN_IS_CONTRACT: controlSentences.ADMIN_IS_CONTRACT,
    ADMIN_OWNER_RENOUNCED: controlSentences.ADMIN_OWNER_RENOUNCED,
    UPGRADE_HELD_BY_CONTRACT: "The token's code can be replaced, by contracts and not by a plain account.",
  },
  review: {
    // No operator vouches for it, or it is not what was listed or asked for.
    ISSUER_UNKNOWN:
      "The address is not on the operator's list of issuers: who issued the token is not known.",
    ASKED_SYMBOL_DIFFERS: "The token's own symbol is not the one asked for.",
    LISTED_SYMBOL_DIFFERS: "The token's own symbol is not the one it is listed under.",
    LABEL_MISSING: labelSentences.LABEL_MISSING,
    LABEL_MALFORMED: labelSentences.LABEL_MALFORMED,
    LABEL_TOO_LONG: labelSentences.LABEL_TOO_LONG,
    LABEL_HIDDEN_CHARACTERS: labelSentences.LABEL_HIDDEN_CHARACTERS,
    CANONICAL_SYMBOL_ELSEWHERE: labelSentences.CANONICAL_SYMBOL_ELSEWHERE,
    LOOKALIKE_SYMBOL: labelSentences.LOOKALIKE_SYMBOL,
    CANONICAL_NAME_ELSEWHERE: labelSentences.CANONICAL_NAME_ELSEWHERE,
    LOOKALIKE_NAME: labelSentences.LOOKALIKE_NAME,
    NO_CODE: codeSentences.NO_CODE,
    DELEGATED_ACCOUNT: codeSentences.DELEGATED_ACCOUNT,
    NOT_A_FUNGIBLE_TOKEN: labelSentences.NOT_A_FUNGIBLE_TOKEN,
    ZERO_SUPPLY: labelSentences.ZERO_SUPPLY,
    SUPPLY_ABOVE_CAP: "The token's supply is above the cap it states.",
    // Its rules are not those that it states.
    ERC3643_INCOMPLETE:
      "The token names an identity registry or a compliance contract, but not both (ERC-3643).",
    COMPLIANCE_BOUND_ELSEWHERE: "The token's compliance contract serves another token.",
    REGISTRY_ADMITS_ANYONE: "The identity registry calls an account verified that nobody has registered.",
    RESTRICTION_NOT_ENFORCED:
      "The token is made to restrict transfers, and lets one pass to an unknown account.",
    TRANSFER_REFUSED: "A transfer between unknown accounts fails, and no standard explains it.",
    TRANSFER_SHORT: "Less of a transfer arrives than was sent.",
    B20_UNINITIALIZED: "The chain's own factory says that the native token is not set up.",
    // The code may be replaced by other code than was vouched for, or it is not known who decides.
    UPGRADE_IN_ONE_HAND: "A plain account decides which code the token runs.",
    UPGRADE_HOLDER_UNKNOWN: "The token's code can be replaced, and by whom is not known.",
    CODE_RUNS_OTHER_CODE:
      "The token's code can run other code in its own place, and no known slot says which.",
    ADMIN_IS_ACCOUNT: controlSentences.ADMIN_IS_ACCOUNT,
    PROXY_DIAMOND: proxySentences.PROXY_DIAMOND,
    PROXY_SAFE: proxySentences.PROXY_SAFE,
    PROXY_SLOT_MALFORMED: proxySentences.PROXY_SLOT_MALFORMED,
    CONFLICTING_PROXY_SLOTS: proxySentences.CONFLICTING_PROXY_SLOTS,
    TARGET_IS_PROXY: proxySentences.TARGET_IS_PROXY,
    FOLLOW_BOUND_REACHED: proxySentences.FOLLOW_BOUND_REACHED,
    ISSUER_POWER_HOLDER_UNKNOWN: "The code has powers over its holders, and who holds them is not known.",
    // The price must not be relied on.
    FEED_STALE: "The price feed's newest answer is older than it may be.",
    FEED_ROUND_INCOMPLETE: "The price feed's newest round has not ended.",
    FEED_UNREADABLE: "The price feed does not answer, or not with a price and a past time.",
    SEQUENCER_JUST_UP: "The sequencer has been up for no more than an hour.",
    SEQUENCER_UNREADABLE: "The sequencer's feed answers with something that is no state of the sequencer.",
    MARKET_CLOSED:
      "By the hours listed for the asset, its market is closed: the price may jump when it opens.",
    POOL_TOO_SHALLOW: poolSentences.POOL_TOO_SHALLOW,
    // Asked, but no usable answer came.
    CODE_UNREAD: codeSentences.CODE_UNREAD,
    SLOT_UNREAD: proxySentences.SLOT_UNREAD,
    PROXY_PROBE_UNREAD: proxySentences.PROXY_PROBE_UNREAD,
    IMPLEMENTATION_UNREAD: proxySentences.IMPLEMENTATION_UNREAD,
    BEACON_UNREADABLE: proxySentences.BEACON_UNREADABLE,
    BEACON_ANSWERS_BY_CALLER: proxySentences.BEACON_ANSWERS_BY_CALLER,
    PAUSE_UNREAD: controlSentences.PAUSE_UNREAD,
    PAUSE_UNREADABLE: controlSentences.PAUSE_UNREADABLE,
    ADMIN_UNREAD: controlSentences.ADMIN_UNREAD,
    OWNER_UNREAD: controlSentences.OWNER_UNREAD,
    OWNER_UNREADABLE: controlSentences.OWNER_UNREADABLE,
    METADATA_UNREAD: labelSentences.METADATA_UNREAD,
    PERMISSION_PROBE_UNREAD: "A call that tells permissioned tokens apart got no answer.",
    PERMISSION_CONTRACT_UNREAD: "The token's identity registry or compliance contract could not be read.",
    B20_UNREAD: "The rules of a native token could not be read.",
    ISSUER_POWERS_UNREAD: "Not all of the token's code could be searched for powers over its holders.",
    SIMULATION_UNAVAILABLE: simulationSentences.SIMULATION_UNAVAILABLE,
    FEED_UNREAD: "The price feed could not be read.",
    SEQUENCER_UNREAD: "The state of the sequencer could not be read.",
    POOL_UNREAD: poolSentences.POOL_UNREAD,
  },
  block: {
    // It imitates another asset or cannot be moved, its price is unusable, or anyone holds its powers.
    SYMBOL_IMITATES_ISSUER: "The token is named like a listed asset, which is at another address.",
    ASKED_ASSET_ELSEWHERE: "The symbol asked for is that of a listed asset, which is at another address.",
    CONTRACT_PAUSED: controlSentences.CONTRACT_PAUSED,
    IMPLEMENTATION_HAS_NO_CODE: proxySentences.IMPLEMENTATION_HAS_NO_CODE,
    PERMISSION_CONTRACT_MISSING:
      "The token's identity registry or compliance contract has no code, so that every transfer fails.",
    POWERS_OPEN_TO_ANYONE: "Any account may exercise a power over the token's holders.",
    FEED_PRICE_INVALID: "The price feed's newest answer is zero or negative.",
    SEQUENCER_DOWN: "The sequencer is down: prices on the chain may be old, and few can act on it.",
  },
});
