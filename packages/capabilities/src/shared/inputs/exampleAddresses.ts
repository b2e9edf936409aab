/** What is really on Base, for inputs that are shown to people. */
export const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const CB_BTC = "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf";
export const NATIVE = "0x0000000000000000000000000000000000000000";
export const SWAP_ROUTER_02 = "0x2626664c2603336E57B271c5C0b26F421741e481";
