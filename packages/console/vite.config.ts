import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: "dist/site",
    emptyOutDir: true,
    target: "es2023",
    // The policy forbids inline data but for small pictures.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // A test weighs what the first page loads, compressed.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: {
        // What every page starts with in one file: it would be twenty, and a browser asks for six at a time over HTTP/1.1.
        codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] },
      },
      onLog(level, log, handle) {
        // A part of viem for another chain, which the console never calls, would use threads of Node.
        if (!log.message.includes("virtualMasterPool")) handle(level, log);
      },
    },
  },
  server: {
    // Beside a service started with `npm start`.
    proxy: { "^/(api|\\.well-known|devnet\\.json|openapi\\.json)": "http://127.0.0.1:8402" },
  },
});
