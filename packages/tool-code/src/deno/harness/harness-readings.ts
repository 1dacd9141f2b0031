/** One way to read a program: what stands around it as a module. */
export interface Reading {
  /** Put before the program, on its first line. */
  readonly prefix: string;
  readonly text: string;
  readonly suffix: string;
  /** Whether the module's default export is a function that runs the program. */
  readonly isBody: boolean;
  /** Whether a function that is the program's value is called. */
  readonly callsValue: boolean;
  /** Whether the program asked for its value. Otherwise it is that of a last expression, and given up when too long. */
  readonly returns: boolean;
  /** A line that `return (` was put before; 0 for none. */
  readonly returnLine: number;
  /** Whether a failure to parse says something about the program as it was written. */
  readonly isTold: boolean;
}

/**
 * Makes the list of ways to read a program, the likeliest first. Runs inside Deno, sent there as source like the harness it
 * is for, so it uses nothing from outside of itself. It is called before the program runs.
 *
 * @param home The working directory as a URL that ends in a slash; `undefined` for none.
 */
export function harnessReadings(): (code: string, home: string | undefined) => readonly Reading[] {
  /** Modules of Node that models import without `node:`. */
  const BARE =
    /^(?:assert|buffer|child_process|crypto|events|fs|http|https|module|net|os|path|perf_hooks|punycode|querystring|readline|stream|string_decoder|timers|tty|url|util|v8|vm|worker_threads|zlib)(?:\/|$)/;
  const SPACE = /^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)+/;
  const IMPORT =
    /^import\s*(?:type\s(?!\s*from\b))?\s*(?:[\w$]+\s*,?\s*)?(?:\*\s*as\s+[\w$]+\s*|\{[^{}"'`]*\}\s*)?(?:\bfrom\s*)?(["'])([^"'\n\\]+)\1[ \t]*(?:;|(?=\r?\n|$))/;
  /** What may go on with the line before instead of beginning a statement. */
  const MAY_CONTINUE = /^[([`+\-/*.,?:<>=&|^%]/;

  function addressOf(name: string, home: string | undefined): string {
    if (BARE.test(name)) return `node:${name}`;
    return home !== undefined && /^\.\.?\//.test(name) ? new URL(name, home).href : name;
  }

  /**
   * The imports that a program begins with, with their addresses, on one line; and the program without them, whose lines
   * stay where they are. They remain static imports: one that asks for a missing export fails as it was written.
   */
  function withoutImports(code: string, home: string | undefined): { readonly imports: string; readonly text: string } {
    let imports = "";
    let text = "";
    let rest = code;
    for (;;) {
      const space = SPACE.exec(rest)?.[0] ?? "";
      const found = IMPORT.exec(rest.slice(space.length));
      if (found === null) return { imports, text: text + rest };
      const [whole, , name = ""] = found;
      const at = whole.lastIndexOf(name);
      const statement = `${whole.slice(0, at - 1)}${JSON.stringify(addressOf(name, home))}${whole.slice(at + name.length + 1)}`;
      imports += `${statement.replaceAll(/\s+/g, " ").replace(/;?$/, ";")} `;
      text += space + whole.replaceAll(/[^\n]+/g, "");
      rest = rest.slice(space.length + whole.length);
    }
  }

  /** Where the last statement may begin: at lines that are not indented, the last first. */
  function lastStatements(code: string): readonly number[] {
    const lines = code.split("\n");
    const found: number[] = [];
    for (let at = lines.length - 1; at > 0 && found.length < 3; at -= 1) {
      const line = lines[at] ?? "";
      if (/^(?:\s|$|\/\/|[})\]])/.test(line)) continue;
      const before = (lines.slice(0, at).findLast((text) => /^\s*(?!\/\/)\S/.test(text)) ?? "")
        .replace(/\/\/.*$/, "")
        .trimEnd();
      // A semicolon before a bracket begins a statement.
      if (MAY_CONTINUE.test(line) && !/[;}]$/.test(before)) continue;
      if (/^\s*(?:\}\s*)?(?:for|while|if|else|do)\b/.test(before) && !/[;}]$/.test(before)) continue;
      // A declaration or a statement of another kind ends the search.
      if (
        /^(?:const|let|var|function|async\s+function|class|interface|type|enum|if|for|while|do|switch|try|throw|return|export|import)\b/.test(
          line,
        )
      )
        break;
      found.push(at);
    }
    return found;
  }

  return (code, home) => {
    const [, , statement, imports] =
      /^(?:\s|(?=(\/\/.*|\/\*[^]*?\*\/))\1)*(?:(const|do|for|if|let|return|switch|throw|try|var|while)(?![\w$\\\x80-\uffff])|(import\s*["'{*]|import\s+\w|export\s))?/.exec(
        code,
      ) as unknown as readonly (string | undefined)[];
    const body = {
      prefix: "export default async () => {",
      suffix: "\n}\n",
      isBody: true,
      callsValue: false,
      returns: true,
      returnLine: 0,
      isTold: true,
    };
    const readings: Reading[] = [];
    if (imports === undefined && statement === undefined) {
      const text = code.replace(/[\s;]+$/, "");
      readings.push({ ...body, prefix: "export default async () => (", text, suffix: "\n);\n", callsValue: true });
    }
    const isModule = imports !== undefined && /^export\s/m.test(code);
    const split = imports === undefined ? { imports: "", text: code } : withoutImports(code, home);
    if (!isModule) {
      const { text } = split;
      const prefix = split.imports + body.prefix;
      const own = text.replace(/;[\s;]*(?:\/\/[^\n]*\s*)*$/, "").trimEnd();
      const lines = own.split("\n");
      for (const at of lastStatements(own)) {
        const returned = [
          ...lines.slice(0, at),
          (lines[at] ?? "").replace(/^;?/, "$&return ("),
          ...lines.slice(at + 1),
        ].join("\n");
        readings.push({
          ...body,
          prefix,
          text: returned,
          suffix: "\n);\n}\n",
          returns: false,
          returnLine: at + 1,
          isTold: false,
        });
      }
      readings.push({ ...body, prefix, text, isTold: imports === undefined });
    }
    const asModule = isModule ? { prefix: split.imports, text: split.text } : { prefix: "", text: code };
    readings.push({ ...body, ...asModule, suffix: "\n", isBody: false, callsValue: true });
    return readings;
  };
}
