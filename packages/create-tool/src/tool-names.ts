/** A tool's name in each form in which it is written. */
export interface ToolNames {
  /** As models see it: `count_words`. */
  readonly snake: string;
  /** As files and packages are named: `count-words`. */
  readonly kebab: string;
  /** As it is named in code: `countWords`. */
  readonly camel: string;
}

/** Characters of a name: files and packages are named by it. */
const MAX_CHARS = 60;

/**
 * Reads a name, however it is written: `count_words`, `count-words`, `countWords` or `count words`.
 *
 * @throws {Error} When it is none that a tool can have.
 */
export function toToolNames(name: string): ToolNames {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter((word) => word !== "");
  const isName = words.length > 1 && words.every((word) => /^[a-z][a-z\d]*$/.test(word)) && name.length <= MAX_CHARS;
  if (!isName) {
    throw new Error(
      `Cannot make the tool ${JSON.stringify(name)}: allowed are two words or more of letters and digits, such as count_words, ${MAX_CHARS} characters at most`,
    );
  }
  const [first = "", ...rest] = words;
  return {
    snake: words.join("_"),
    kebab: words.join("-"),
    camel: first + rest.map(capital).join(""),
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
