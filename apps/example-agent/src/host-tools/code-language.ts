/** Endings of file names, by the grammar that reads them. */
const ENDINGS = {
  bash: ["sh", "bash"],
  "c-sharp": ["cs"],
  cpp: ["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx"],
  go: ["go"],
  java: ["java"],
  javascript: ["js", "mjs", "cjs", "jsx"],
  php: ["php"],
  python: ["py", "pyi"],
  ruby: ["rb"],
  rust: ["rs"],
  tsx: ["tsx"],
  typescript: ["ts", "mts", "cts"],
} as const;

/** A grammar. */
export type Grammar = keyof typeof ENDINGS;

/** Languages as a model names them, with their grammars. */
const GRAMMARS = {
  typescript: ["typescript", "tsx"],
  javascript: ["javascript"],
  python: ["python"],
  go: ["go"],
  rust: ["rust"],
  java: ["java"],
  c: ["cpp"],
  cpp: ["cpp"],
  csharp: ["c-sharp"],
  php: ["php"],
  ruby: ["ruby"],
  bash: ["bash"],
} as const satisfies Readonly<Record<string, readonly Grammar[]>>;

/** A language as a model names it. */
export type Language = keyof typeof GRAMMARS;

/** Every {@link Language}. */
export const LANGUAGES = Object.keys(GRAMMARS) as readonly Language[] as readonly [Language, ...Language[]];

const BY_ENDING: ReadonlyMap<string, Grammar> = new Map(
  Object.entries(ENDINGS).flatMap(([grammar, endings]) => endings.map((ending) => [ending, grammar as Grammar])),
);

/** The grammar of a file; none when the language is not known. */
export function grammarOf(path: string): Grammar | undefined {
  return BY_ENDING.get(path.slice(path.lastIndexOf(".") + 1));
}

/** A glob of the files of a language, or of all languages. */
export function globOf(language: Language | undefined): string {
  const grammars: readonly Grammar[] = language === undefined ? [...new Set(BY_ENDING.values())] : GRAMMARS[language];
  const endings = grammars.flatMap((grammar) => ENDINGS[grammar]);
  return endings.length === 1 ? `*.${endings[0]}` : `*.{${endings.join(",")}}`;
}
