import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PACKAGES = 700;
/** Directories of a package, and how many files each holds: 90 to search, of 100. */
const DIRECTORIES: Readonly<Record<string, number>> = {
  src: 14,
  "src/core": 12,
  "src/core/parse": 8,
  "src/server": 12,
  "src/server/routes": 10,
  test: 12,
  "test/fixtures": 8,
  docs: 6,
  lib: 8,
  dist: 6,
  "dist/chunks": 4,
};
const EXTENSIONS = [".ts", ".ts", ".ts", ".js", ".js", ".tsx", ".json", ".md", ".css", ".d.ts"];
const WORDS =
  "import export const function return value result options path file error async await string number interface class extends default map filter length index request response config parse write read open close signal stream buffer line name type test expect describe".split(
    " ",
  );

/**
 * A tree like that of a large project: 63,000 files to search in 7,000 directories, 7,000 more that `.gitignore` files leave out,
 * about 380 MB. It is kept in the temporary directory for the next bench and always the same, except that nobody may change it.
 */
export async function makeBigTree(): Promise<string> {
  const root = join(tmpdir(), "dispatch-big-tree-1");
  if (fs.existsSync(root)) return root;
  const made = fs.mkdtempSync(join(tmpdir(), "dispatch-big-tree-new-"));
  const random = randomNumbers(20_261_121);
  const texts = Array.from({ length: 200 }, () => sourceText(random));
  fs.writeFileSync(join(made, ".gitignore"), "node_modules/\ndist/\n*.log\n.cache\n");
  fs.writeFileSync(join(made, "package.json"), '{ "private": true }\n');
  for (let number = 0; number < PACKAGES; number += 1) {
    const name = join(made, number % 3 === 0 ? "apps" : "packages", `${WORDS[number % WORDS.length]}-${number}`);
    let file = 0;
    for (const [directory, files] of Object.entries(DIRECTORIES)) {
      fs.mkdirSync(join(name, directory), { recursive: true });
      for (let index = 0; index < files; index += 1, file += 1) {
        const extension = EXTENSIONS[file % EXTENSIONS.length] ?? "";
        const text = texts[Math.floor(random() ** 2 * texts.length)] ?? "";
        const needle = number % 20 === 0 && file === 21 ? `needleInTheHay(${number});\n` : "";
        fs.writeFileSync(join(name, directory, `${WORDS[index % WORDS.length]}-${file}${extension}`), text + needle);
      }
    }
    if (number % 10 === 0) fs.writeFileSync(join(name, ".gitignore"), "/coverage\n*.tmp\n");
  }
  try {
    fs.renameSync(made, root);
  } catch {
    // Another bench was quicker.
    fs.rmSync(made, { recursive: true });
  }
  return root;
}

/** Lines of code that is none, the shorter ones more often: 3 KB in the middle, 20 KB at most. */
function sourceText(random: () => number): string {
  const lines: string[] = [];
  for (let length = 0, wanted = 500 + 20_000 * random() ** 3; length < wanted;) {
    const words = Array.from(
      { length: 2 + Math.floor(random() * 9) },
      () => WORDS[Math.floor(random() * WORDS.length)] ?? "",
    );
    const line = `${"  ".repeat(Math.floor(random() * 4))}${words.join(" ")};\n`;
    lines.push(line);
    length += line.length;
  }
  return lines.join("");
}

/** Numbers from 0 to 1, always the same ones for a seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
