import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkableSource } from "./checkable-source.ts";

const file = "/etc/passwd";

describe("checkableSource()", () => {
  test("puts a program where its lines keep their numbers", () => {
    const { source, offset } = checkableSource("const a = 1;\nreturn a;", "async function f() {}\n") ?? {};
    expect(source?.slice(offset)).toMatch(/^const a = 1;\nreturn a;\n}\ndeclare function __callTool__/);
    expect(source?.split("\n")[1]).toBe("return a;");
  });

  test.each([
    'import { join } from "node:path";\nexport default join("a");',
    'import * as fs from "node:fs/promises";\nimport "node:process";',
    "import fs, {\n  readFileSync as read,\n} from 'node:fs';\nexport default read;",
    "const { join } = await import('node:path');\nreturn join('a', 'b');",
  ])("takes a program that imports modules of the runtime: %j", (code) => {
    expect(checkableSource(code, "")?.source).toContain(code);
  });

  test.each([
    `/// <reference path="${file}" />`,
    `/// <reference types="${file}" />\nconst n: number = leaked;`,
    `import type { pw } from "${file}";`,
    `import secret from "${file}" with { type: "json" };`,
    `import{pw}from"${file}";`,
    `const n: number = null! as typeof import("${file}").pw;`,
    `type T = import("${file}").T;`,
    `/** @type {import("${file}").pw} */\nconst n: number = "s";`,
    `export * from "${file}";`,
    `export { pw } from "${file}";`,
    `export default 1; export * from "${file}"`,
    `import x = require("${file}");`,
    `// @ts-types="${file}"\nconst a = 1;`,
    `// @deno-types="${file}"\nconst a = 1;`,
    `/** @jsxImportSource ${file} */`,
    `} ; declare module "${file}" { const q: 1 }; async () => {`,
    `} ; module "${file}" { const q: 1 }; async () => {`,
    `const n: number = "a";\n//# sourceMappingURL=data:application/json;base64,e30=`,
    `type T = \\u0069mport("${file}").T;`,
    `import x /**/ from "node:path" + "${file}";import y from "./a.ts"`,
    `import x from "node:path\\u002f../${file}";`,
    `import x from "node:../../etc/passwd";`,
    `import "node:fs${file}";`,
    'import x from "npm:chalk";',
    'import x from "https://example.com/a.ts";',
    'import x from "data:application/typescript,export default 1";',
    `impimport "node:fs"ort("${file}")`,
    `import(\`node:fs\`); import("node:fs" + "${file}")`,
  ])("refuses a program that could have a file read: %j", (code) => {
    expect(checkableSource(code, "")).toBeUndefined();
    expect(checkableSource(`const a = 1;\r${code}`, "")).toBeUndefined();
  });

  test("lets through no word that loads, in whatever surroundings, but with a module of the runtime", () => {
    const piece = fc.constantFrom(
      "import",
      "export",
      "///",
      " ",
      "\n",
      "(",
      ")",
      "{ a }",
      "from",
      '"',
      "'",
      "node:fs",
      file,
      "type",
      "*",
      "default",
      "`",
      "a",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const { source } = checkableSource(pieces.join(""), "") ?? {};
        const own = source
          ?.split("\ndeclare function")[0]
          ?.replaceAll(/\bimport[\w$*\s{},(]*(["'])node:[a-z_]+\1/g, "")
          .replaceAll(/^(?:export default)/gm, "")
          .replaceAll(/^\s*export default/gm, "");
        expect(own ?? "").not.toMatch(/import|export|\/\/\//);
      }),
      { numRuns: 2_000 },
    );
  });
});
