import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../machine/run-command.ts";

/** A page of the docs site. */
export interface SitePage {
  /** Its Markdown file in the site, with `/` between directories. A page of the repository has the same path there. */
  readonly file: string;
  readonly title: string;
  /** The heading of the navigation that it belongs under. */
  readonly section: string;
  /** The first sentence, without its markup. */
  readonly summary: string;
  readonly text: string;
}

const TOP = ["README.md", "CHOOSING.md", "ARCHITECTURE.md", "THREAT_MODEL.md", "CONTRIBUTING.md", "SECURITY.md"];

/**
 * The pages of the repository and those of the API.
 *
 * @param api - Directory of the API's Markdown pages.
 */
export function sitePages(api: string): readonly SitePage[] {
  const top = TOP.map((file) => readPage(root, file, file, "Dispatch"));
  const packages = globSync("{packages,apps}/*/", { cwd: root }).toSorted(byPackage);
  const own = packages.flatMap((directory) => {
    const docs = globSync("docs/*.md", { cwd: path.join(root, directory) }).toSorted();
    const others = globSync(["THREAT_MODEL.md", "skills/*/SKILL.md"], { cwd: path.join(root, directory) });
    const files = ["README.md", ...docs, ...others];
    return files.map((file) => {
      const page = path.posix.join(directory, file.replaceAll(path.sep, "/"));
      return readPage(root, page, page, `${directory}/`);
    });
  });
  const generated = globSync("**/*.md", { cwd: api })
    .map((file) => file.replaceAll(path.sep, "/"))
    .toSorted();
  return [...top, ...own, ...generated.map((file) => readPage(api, file, `api/${file}`, "API"))];
}

/** The contract first, then the packages over it, then the app. */
function byPackage(a: string, b: string): number {
  const rank = (name: string): number => (name.startsWith("apps") ? 2 : name.includes("tools-interface") ? 0 : 1);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function readPage(directory: string, from: string, file: string, section: string): SitePage {
  const raw = readFileSync(path.join(directory, from), "utf8");
  const module = /^api\/(?<module>@.+)\/README\.md$/.exec(file)?.groups?.["module"];
  const text = module === undefined ? raw : raw.replace(/^# .+$/m, `# ${moduleTitle(module, directory)}`);
  const title = /^# (?<title>.+)$/m.exec(text)?.groups?.["title"] ?? path.basename(file, ".md");
  return { file, title: plainText(title), section, summary: summaryOf(text), text };
}

/** The specifier that one imports; the page of a package with several lists them. */
function moduleTitle(module: string, api: string): string {
  if (existsSync(path.join(api, module, "index"))) return `${module}: entry points`;
  return module.endsWith("/index") ? module.slice(0, -6) : module;
}

function summaryOf(text: string): string {
  const body = text.replaceAll(/^(`{3,})[^]*?^\1.*$/gm, "").replaceAll(/<!--[^]*?-->/g, "");
  const paragraph = body.split(/\n{2,}/).find((part) => /^[\p{L}`[*]/u.test(part.trim())) ?? "";
  const [sentence = ""] = plainText(paragraph.trim().replaceAll(/\s+/g, " ")).split(/(?<=[.:?])\s(?=\p{Lu})/u);
  return sentence.length > 200 ? `${sentence.slice(0, 199)}…` : sentence.replace(/:$/, ".");
}

function plainText(markdown: string): string {
  return markdown.replaceAll(/!?\[(?<text>[^\]]*)\]\([^)]*\)/g, "$<text>").replaceAll(/[`*]|\\(?=[<>[\]_])/g, "");
}
