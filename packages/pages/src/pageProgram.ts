/**
 * The program of a parsing thread. Node loads it by its own path; it lies beside this code, compiled and bundled. Tests run from
 * sources, where it does not: vitest replaces this module by `testing/pageProgram.ts`.
 */
export const PAGE_PROGRAM = new URL("./pageThread.js", import.meta.url);
