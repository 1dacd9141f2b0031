import { parseAst } from "vitest/node";

/** A string's role: a `bound` one is always imported, a `free` one only if it names a source file. */
export type Specifier = readonly [text: string | undefined, kind: "bound" | "free"];

type Node = Readonly<Record<string, unknown>>;

const NAMES_FILE = /^\.{1,2}\/.*\w$/;
const IS_LOADED = /^(?:\.{1,2}$|\.{0,2}\/|#|file:)/;

/**
 * The specifiers that a file imports: of static, dynamic and type imports, re-exports, `import x = require()`, `require`
 * under any name, `new URL(…, import.meta.url)`, and every other string with a relative path. Without a text where
 * `import()` is given something that is no string.
 *
 * @param ownName - Name of the package that the file belongs to.
 */
export function importedSpecifiers(file: string, text: string, ownName: string): readonly Specifier[] {
  return [...specifiersIn(parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }))].filter(([specifier, kind]) => {
    if (specifier === undefined || NAMES_FILE.test(specifier)) return true;
    return kind === "bound" && (IS_LOADED.test(specifier) || `${specifier}/`.startsWith(`${ownName}/`));
  });
}

function* specifiersIn(value: unknown): Generator<Specifier> {
  if (typeof value !== "object" || value === null) return;
  const node = value as Node;
  const bound = boundIn(node);
  if (bound !== undefined) {
    const text = textOf(bound);
    if (text !== undefined && !isUrl(node)) yield [text, "bound"];
    // A URL needs no leading dot, and one that ends in a slash or a dot is a directory's.
    else if (text !== undefined && !/[./]$/.test(text)) yield [text.replace(/^(?![a-z]+:|[./?#])/i, "./"), "bound"];
    if (text === undefined && node["type"] === "ImportExpression") yield [undefined, "bound"];
  }
  for (const child of Object.values(node)) {
    const text = child === bound ? undefined : textOf(child);
    if (text === undefined) yield* specifiersIn(child);
    else yield [text, "free"];
  }
}

/** The part of a node that holds the specifier it loads. */
function boundIn(node: Node): unknown {
  if (node["type"] === "TSExternalModuleReference") return node["expression"];
  if (node["type"] === "TSModuleDeclaration") return node["id"];
  if (!Array.isArray(node["arguments"])) return node["source"] ?? undefined;
  const [first] = node["arguments"] as readonly unknown[];
  const { name, type } = node["callee"] as Node;
  if (isUrl(node) || name === "require" || type === "CallExpression") return first;
  // A function that was made by `createRequire` can have any name.
  return /^(?:\.{1,2}\/.*\w|@[\w-]+\/[\w/.-]+)$/.test(textOf(first) ?? "") ? first : undefined;
}

/** A URL that is relative to another. */
function isUrl({ type, callee, arguments: given }: Node): boolean {
  return type === "NewExpression" && (callee as Node)["name"] === "URL" && (given as readonly unknown[]).length === 2;
}

/** The text of a string, or of a template without substitutions. */
function textOf(value: unknown): string | undefined {
  const { type, value: literal, quasis } = (value ?? {}) as Node;
  if (type === "Literal" && typeof literal === "string") return literal;
  if (type !== "TemplateLiteral") return undefined;
  const [quasi, ...more] = quasis as readonly { readonly value: { readonly cooked: string } }[];
  return more.length === 0 ? quasi?.value.cooked : undefined;
}
