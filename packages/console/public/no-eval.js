// The schema library compiles its checks where it may evaluate text. The content security policy forbids that here and
// reports an attempt as a violation, so this setting turns it off before the library is loaded.
globalThis.__zod_globalConfig = { jitless: true };
