import { createRequire } from "node:module";
import { dirname } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const zodFolder = dirname(createRequire(import.meta.resolve("@assay/protocol")).resolve("zod/package.json"));

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: {
    // npm installs zod once for each package, because a dependency brings an older major version for all; the site
    // needs one copy.
    alias: [{ find: /^zod$/, replacement: zodFolder }],
  },
  build: {
    outDir: "dist/site",
    emptyOutDir: true,
    target: "es2023",
    // The Content-Security-Policy allows no inline data other than pictures.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // A test weighs what the first page loads, compressed.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: {
        // The code that every page needs is one file instead of twenty: a browser loads six at a time over HTTP/1.1.
        codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] },
      },
      onLog(level, log, handle) {
        // A part of viem for another chain uses threads of Node; the console never calls it.
        if (!log.message.includes("virtualMasterPool")) handle(level, log);
      },
    },
  },
  server: {
    // Beside a service started with `npm start`.
    proxy: { "^/(api|\\.well-known|devnet\\.json|openapi\\.json)": "http://127.0.0.1:8402" },
  },
});
