import path from "node:path";
import { childrenOf, lineOf, parse, type SyntaxNode } from "./syntax.ts";

/** Where a documentation comment is missing. */
export interface Undocumented {
  /** The file, as its key in the map of files. */
  readonly file: string;
  /** The 1-based line of the declaration. */
  readonly line: number;
  /** The name as a user sees it, a field as `Interface.field`. */
  readonly name: string;
}

interface Declaration {
  readonly node: SyntaxNode;
  readonly previousEnd: number;
}

/**
 * Finds what an entry file exports, directly or through other files of the map, without a documentation comment of its
 * own: each declaration, and each field of an interface, overloads being one. What comes from another package is that package's to document.
 *
 * @param files - The text of each file by its path, with `/` between folders.
 * @param entry - The path of the entry file.
 * @throws An `Error` when an exported name leads to no declaration: then nothing is known about its documentation.
 */
export function findUndocumented(files: ReadonlyMap<string, string>, entry: string): readonly Undocumented[] {
  return exportedNames(files, entry).flatMap(([name, local, file]) => {
    const text = textOf(files, file);
    const declarations = declarationsOf(text, local);
    if (declarations.length === 0) throw new Error(`Cannot find the declaration of ${name}: none is in ${file}`);
    const at = (node: SyntaxNode, label: string): Undocumented => ({
      file,
      line: lineOf(text, node.start),
      name: label,
    });
    const fields = Map.groupBy(
      declarations.flatMap(({ node }) => fieldsOf(node)),
      ({ node }) => fieldName(text, node),
    );
    const all = [
      [name, declarations] as const,
      ...[...fields].map(([key, group]) => [`${name}.${key}`, group] as const),
    ];
    return all
      .filter(([, overloads]) => !overloads.some((overload) => isDocumented(text, overload)))
      .flatMap(([label, overloads]) => overloads.slice(0, 1).map(({ node }) => at(node, label)));
  });
}

/** Each name a file exports, with the name and the file of its declaration. */
function exportedNames(files: ReadonlyMap<string, string>, file: string): (readonly [string, string, string])[] {
  const program = parse(textOf(files, file));
  const imported = importsOf(program, file);
  return childrenOf(program, "body")
    .filter(({ type }) => type === "ExportNamedDeclaration")
    .flatMap((statement) => {
      const own = childrenOf(statement, "declaration").flatMap(declaredNames);
      const listed = childrenOf(statement, "specifiers").flatMap((specifier) => {
        const [exported, local] = [nameOf(specifier, "exported"), nameOf(specifier, "local")];
        const source = sourceOf(statement, file);
        if (source !== undefined) return follow(files, exported, local, source);
        const [importedName, from] = imported.get(local) ?? [];
        return importedName === undefined || from === undefined
          ? [[exported, local, file] as const]
          : follow(files, exported, importedName, from);
      });
      return [...own.map((name) => [name, name, file] as const), ...listed];
    });
}

/** Goes on to the file that a name comes from; a package is not followed. */
function follow(files: ReadonlyMap<string, string>, exported: string, local: string, source: string) {
  if (!source.startsWith("/")) return [];
  const target = source.slice(1);
  const there = exportedNames(files, target).find(([name]) => name === local);
  return [[exported, there?.[1] ?? local, there?.[2] ?? target] as const];
}

/** What a file imports: the local name, then the name and the source it stands for. */
function importsOf(program: SyntaxNode, file: string): ReadonlyMap<string, readonly [string, string]> {
  const statements = childrenOf(program, "body").filter(({ type }) => type === "ImportDeclaration");
  return new Map(
    statements.flatMap((statement) =>
      childrenOf(statement, "specifiers")
        .filter(({ type }) => type === "ImportSpecifier")
        .map((specifier) => {
          const source = sourceOf(statement, file) ?? "";
          return [nameOf(specifier, "local"), [nameOf(specifier, "imported"), source]] as const;
        }),
    ),
  );
}

/** The source of a statement: a file of the map with a leading `/`, or the name of a package. */
function sourceOf(statement: SyntaxNode, file: string): string | undefined {
  const value = childrenOf(statement, "source")[0]?.["value"];
  if (typeof value !== "string") return undefined;
  return value.startsWith(".") ? `/${path.posix.join(path.posix.dirname(file), value)}` : value;
}

function declarationsOf(text: string, name: string): readonly Declaration[] {
  const statements = childrenOf(parse(text), "body");
  return statements.flatMap((statement, index) => {
    const exported = statement.type === "ExportNamedDeclaration" ? childrenOf(statement, "declaration") : [statement];
    const isIt = exported.some((declaration) => declaredNames(declaration).includes(name));
    return isIt ? [{ node: statement, previousEnd: statements[index - 1]?.end ?? 0 }] : [];
  });
}

function declaredNames(declaration: SyntaxNode): readonly string[] {
  const named = declaration.type === "VariableDeclaration" ? childrenOf(declaration, "declarations") : [declaration];
  return named.map((node) => nameOf(node, "id")).filter((name) => name !== "");
}

function fieldsOf(statement: SyntaxNode): readonly Declaration[] {
  return [statement, ...childrenOf(statement, "declaration")]
    .filter(({ type }) => type === "TSInterfaceDeclaration")
    .flatMap((declaration) => childrenOf(declaration, "body"))
    .flatMap((body) => {
      const fields = childrenOf(body, "body");
      return fields.map((node, index) => ({ node, previousEnd: fields[index - 1]?.end ?? body.start }));
    });
}

function fieldName(text: string, field: SyntaxNode): string {
  const key = childrenOf(field, "key")[0];
  return key === undefined ? text.slice(field.start, field.end).trim() : text.slice(key.start, key.end);
}

/** A documentation comment with a word in it stands before, with nothing between but line comments. */
function isDocumented(text: string, { node, previousEnd }: Declaration): boolean {
  const between = text
    .slice(previousEnd, node.start)
    .replaceAll(/^\s*\/\/.*$/gm, "")
    .trimEnd();
  const comment = between.slice(between.lastIndexOf("/*"));
  return comment.startsWith("/**") && comment.endsWith("*/") && /\p{L}/u.test(comment);
}

function nameOf(node: SyntaxNode, key: string): string {
  const name = childrenOf(node, key)[0]?.["name"];
  return typeof name === "string" ? name : "";
}

function textOf(files: ReadonlyMap<string, string>, file: string): string {
  const text = files.get(file);
  if (text === undefined) throw new Error(`Cannot read ${file}: it is not among the files of the repository`);
  return text;
}
