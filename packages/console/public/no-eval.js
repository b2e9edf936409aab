// The schemas' library compiles its checks where it may evaluate text. Here it may not, and trying is a violation of the
// policy; so it is told before it is loaded.
globalThis.__zod_globalConfig = { jitless: true };
