import { statementsOf, type CodeToken, type Statement } from "./statements.ts";
import { applyEdits, type ColumnShift, type TextEdit } from "./text-edit.ts";

/** One way to read a program: the module that it is run as. */
export interface ProgramReading {
  /** Stands before the program, on its first line. */
  readonly prefix: string;
  /** The program, each line where it was. */
  readonly text: string;
  /** Where columns of the text are not those of the program. */
  readonly shifts: readonly ColumnShift[];
  /** Stands after it, on lines of its own. */
  readonly suffix: string;
  /** Whether the module's default export is a function that runs the program. */
  readonly isBody: boolean;
  /** Whether a function that is the program's value is called, even if it has parameters. */
  readonly callsValue: boolean;
  /** Whether the program asked for its value. Otherwise it is that of a last expression, and given up when too long. */
  readonly returns: boolean;
  /** Whether the program ends where it gives its value, but for its calls. Otherwise timers and the like may go on. */
  readonly isReturned: boolean;
  /** Whether a failure to parse says something about the program as it was written. */
  readonly isTold: boolean;
}

/** Modules of Node that models import without `node:`. */
const BARE =
  /^(?:assert|async_hooks|buffer|child_process|cluster|console|constants|crypto|dgram|diagnostics_channel|dns|events|fs|http|http2|https|module|net|os|path|perf_hooks|process|punycode|querystring|readline|stream|string_decoder|timers|tls|tty|url|util|v8|vm|worker_threads|zlib)(?:\/|$)/;
/** Names that models give to the function that does the work. */
const MAIN = /^(?:main|run|execute|start|init|solve|solution|program|script)$/i;
/** Functions and methods that are called for their effect, not their value. */
const DOES = /^(?:setTimeout|setInterval|setImmediate|queueMicrotask|push|unshift|emit|on|once|write)$/;
const BODY = {
  prefix: "export default async () => {",
  suffix: "\n}\n",
  isBody: true,
  callsValue: false,
  returns: true,
  isReturned: true,
  isTold: true,
};

/**
 * The ways to read a program, the likeliest first: an expression, a function body whose last statement may be its
 * value, a module. The first that can be parsed runs.
 *
 * @param tokens Those of the program.
 * @param home The working directory as a URL that ends in a slash; `undefined` for none.
 */
export function programReadings(
  code: string,
  tokens: readonly CodeToken[],
  home: string | undefined,
): readonly ProgramReading[] {
  const statements = statementsOf(tokens);
  const addresses = addressEdits(tokens, home);
  const imports = statements.filter((statement) => statement.kind === "import" && addressOf(statement) !== undefined);
  const prefix = imports.map((statement) => importText(statement, home)).join("");
  const edits = [...addresses, ...imports.map((statement) => blank(code, statement))];
  const own = applyEdits(code, edits);
  const readings: ProgramReading[] = [];
  const last = statements.at(-1);
  if (statements.length === 1 && mayBeValue(last))
    readings.push({
      ...BODY,
      prefix: "export default async () => (",
      ...applyEdits(code, [...addresses, restAfter(code, last)]),
      suffix: "\n);\n",
      callsValue: true,
      isReturned: false,
    });
  if (!statements.some(({ kind }) => kind === "export")) {
    const body = { ...BODY, prefix: prefix + BODY.prefix };
    if (statements.length > 1 && mayBeValue(last) && last.kind !== "declaration") {
      const { start } = last.tokens[0] as CodeToken;
      const returned = applyEdits(code, [...edits, { start, end: start, text: "return (" }, restAfter(code, last)]);
      readings.push({ ...body, ...returned, suffix: "\n);\n}\n", returns: false, isReturned: false, isTold: false });
    }
    const main = uncalledMain(statements, tokens);
    const suffix = main === undefined ? body.suffix : `\nreturn ${main}();\n}\n`;
    readings.push({ ...body, ...own, suffix, isTold: imports.length === 0 });
  }
  const inPlace = applyEdits(code, [...addresses, ...imports.map((statement) => importEdit(statement, home))]);
  readings.push({ ...BODY, prefix: "", ...inPlace, suffix: "\n", isBody: false, callsValue: true });
  return readings;
}

/** Whether a statement can be read as an expression: also a function, a class, or an object that looks like a block. */
function mayBeValue(statement: Statement | undefined): statement is Statement {
  if (statement === undefined) return false;
  const [first, second, third] = statement.tokens.map(({ value }) => value);
  if (statement.kind === "declaration") return /^(?:async|function|class)$/.test(first ?? "");
  if (first === "{") return second === "}" || second === "..." || /^[:,}]$/.test(third ?? "");
  return statement.kind === "expression" && !DOES.test(lastCalled(statement) ?? "");
}

/** The name of the function whose call ends a statement. */
function lastCalled({ tokens }: Statement): string | undefined {
  const open = tokens.findLastIndex(({ value, depth }) => depth === 0 && value === "(");
  return tokens.at(-1)?.value === ")" ? tokens[open - 1]?.value : undefined;
}

/** A semicolon and comments behind the last statement. */
function restAfter(code: string, { tokens }: Statement): TextEdit {
  return { start: (tokens.at(-1) as CodeToken).end, end: code.length, text: "" };
}

/** An import as it was, in spaces. */
function blank(code: string, { tokens }: Statement): TextEdit {
  const { start } = tokens[0] as CodeToken;
  const { end } = tokens.at(-1) as CodeToken;
  const last = code.slice(start, end).split(/\r\n?|\n/);
  return { start, end, text: last.length > 1 ? "" : " ".repeat(end - start) };
}

/** The name of the module that an import statement loads. */
function addressOf({ tokens }: Statement): CodeToken | undefined {
  return tokens.find(({ type, depth }) => type === "StringLiteral" && depth === 0);
}

/** Gives an import its address. */
function importEdit(statement: Statement, home: string | undefined): TextEdit {
  const { start, end, value } = addressOf(statement) as CodeToken;
  const isJson = /\.json["']$/.test(value) && statement.tokens.at(-1)?.value !== "}";
  return { start, end, text: resolved(value, home) + (isJson ? ' with { type: "json" }' : "") };
}

/** An import on one line. It remains static: one that asks for a missing export fails as it was written. */
function importText(statement: Statement, home: string | undefined): string {
  const address = addressOf(statement);
  const { text } = importEdit(statement, home);
  return `${statement.tokens.map((token) => (token === address ? text : token.value)).join(" ")}; `;
}

/** A module's name, in quotes, with the address that the program means by it. */
function resolved(quoted: string, home: string | undefined): string {
  const name = quoted.slice(1, -1);
  if (BARE.test(name)) return JSON.stringify(`node:${name}`);
  return home !== undefined && /^\.\.?\//.test(name) ? JSON.stringify(new URL(name, home).href) : quoted;
}

/** Gives dynamic imports their addresses, and the program its own: it is the main module of its directory. */
function addressEdits(tokens: readonly CodeToken[], home: string | undefined): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (const [at, { type, value, start }] of tokens.entries()) {
    if (type !== "IdentifierName" || value !== "import" || tokens[at - 1]?.value === ".") continue;
    const [, next, named, dot, property] = tokens.slice(at, at + 5);
    if (next?.value === "(" && named !== undefined && /^(?:StringLiteral|NoSubstitutionTemplate)$/.test(named.type)) {
      const isJson = /\.json["'`]$/.test(named.value) && dot?.value === ")";
      const address = resolved(named.value, home) + (isJson ? ', { with: { type: "json" } }' : "");
      if (address !== named.value) edits.push({ start: named.start, end: named.end, text: address });
    }
    if (next?.value !== "." || named?.value !== "meta" || dot?.value !== "." || property === undefined) continue;
    const text = metaText(property.value, home);
    if (text !== undefined) edits.push({ start, end: property.end, text });
  }
  return edits;
}

/** The value a property of `import.meta` would have if the program had a file of its own. */
function metaText(property: string, home: string | undefined): string | undefined {
  if (property === "main") return "true";
  if (property === "url") return JSON.stringify(`${home ?? "file:///"}main.ts`);
  if (property === "dirname") return "__dirname";
  return property === "filename" ? "__filename" : undefined;
}

/**
 * The function that a program declares for its work and never calls: the only one without parameters of those that nothing
 * names, or the one named so.
 */
function uncalledMain(statements: readonly Statement[], tokens: readonly CodeToken[]): string | undefined {
  if (statements.some(({ kind }) => kind !== "declaration" && kind !== "import")) return undefined;
  const names = statements.flatMap(({ tokens: words }) => {
    const head = words
      .slice(0, 7)
      .map(({ value }) => value)
      .join(" ");
    const found =
      /^(?:async )?function (?:\* )?(\S+) \( \)/.exec(head) ??
      /^(?:const|let|var) (\S+) = (?:async )?(?:\( \) =>|function \( \))/.exec(head);
    const name = found?.[1];
    return name === undefined || tokens.filter(({ value }) => value === name).length > 1 ? [] : [name];
  });
  return names.find((name) => MAIN.test(name)) ?? (names.length === 1 ? names[0] : undefined);
}
