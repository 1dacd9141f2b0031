export { countWordsTool, NoWordsError } from "./count-words.ts";
