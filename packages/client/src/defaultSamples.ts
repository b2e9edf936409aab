/** How many blocks a scan reads besides those that the logs name. */
export const DEFAULT_SAMPLES = 64;
