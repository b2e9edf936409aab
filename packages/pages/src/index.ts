export { createPageParser } from "./createPageParser.js";
export { createPageReader, type PageReader } from "./createPageReader.js";
export { createPageFetcher } from "./fetchPage.js";
export { parsePageTarget, type TestHosts } from "./parsePageTarget.js";
export { type AwaitMessage, receiveMessages, type ThreadMessage } from "./receiveMessages.js";
export { refusedPages } from "./refusalMemory.js";
export { createPageRenderer } from "./render/createPageRenderer.js";
export { identifyBrowser } from "./render/identifyBrowser.js";
