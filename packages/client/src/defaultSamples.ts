/** How many blocks a scan reads beside those that the logs name. */
export const DEFAULT_SAMPLES = 64;
