export * from "./createPageParser.js";
export * from "./createPageReader.js";
export * from "./fetchPage.js";
export * from "./listenToThread.js";
export * from "./parsePageTarget.js";
