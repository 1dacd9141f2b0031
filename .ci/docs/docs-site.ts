import { globSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findBrokenLinks } from "../checks/broken-links.ts";
import { root, type Outcome } from "../machine/run-command.ts";
import { repositoryUrl } from "../release/repository.ts";
import { makeApiPages } from "./api-docs.ts";
import { escapeHtml, renderMarkdown, renderPage, STYLE } from "./page-html.ts";
import { sitePages, type SitePage } from "./site-pages.ts";

/**
 * Makes the docs site: every page of the repository and of the API as `.html` and as `.md`, and `llms.txt`.
 *
 * @param site - Directory of the site, absolute; replaced.
 */
export async function makeDocsSite(site: string): Promise<Outcome> {
  const scratch = await mkdtemp(path.join(tmpdir(), "dispatch-site-"));
  try {
    const made = await makeApiPages(scratch);
    if (!made.ok) return made;
    const pages = sitePages(scratch);
    const images = globSync("{packages,apps}/*/*.png", { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));
    const files = new Set([...pages.map(({ file }) => file), ...images]);
    const frame = {
      navigation: (from: string) => navigation(pages, from),
      has: (file: string) => files.has(file),
      repository: repositoryUrl(),
    };
    await rm(site, { recursive: true, force: true });
    const put = async (file: string, text: string): Promise<void> => {
      await mkdir(path.dirname(path.join(site, file)), { recursive: true });
      await writeFile(path.join(site, file), text);
    };
    for (const page of pages) {
      await put(page.file, renderMarkdown(page, frame));
      const html = renderPage(page, frame);
      await put(page.file.replace(/\.md$/, ".html"), html);
      if (page.file === "README.md") await put("index.html", html);
    }
    for (const image of images) await copyFile(path.join(root, image), path.join(site, image));
    await put("style.css", STYLE);
    await put("llms.txt", llmsText(pages));
    return checkApiLinks(pages);
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** The links of the API's pages; those of the repository's own are checked in the gate, where the files are that they name. */
function checkApiLinks(pages: readonly SitePage[]): Outcome {
  const api = new Map(pages.filter(({ section }) => section === "API").map(({ file, text }) => [file, text]));
  const broken = findBrokenLinks(api);
  return { ok: broken.length === 0, output: broken.join("\n") };
}

function navigation(pages: readonly SitePage[], from: string): string {
  const link = ({ file, title }: SitePage): string => {
    const to = path.posix.relative(path.posix.dirname(from), file).replace(/\.md$/, ".html");
    return `<li><a href="${to}"${file === from ? ' aria-current="page"' : ""}>${escapeHtml(isOverview(file) ? "Overview" : title)}</a></li>`;
  };
  const sections = Map.groupBy(withoutSymbols(pages), ({ section }) => section);
  const lists = [...sections].map(([section, listed]) => {
    const open = section === "Dispatch" || listed.some(({ file }) => file === from) ? " open" : "";
    const name = section.endsWith("/") ? (listed[0]?.title ?? section) : section;
    return `<details${open}><summary>${escapeHtml(name)}</summary><ul>${listed.map(link).join("")}</ul></details>`;
  });
  return `<nav id="pages" aria-label="Pages">${lists.join("\n")}</nav>`;
}

/** Of the API only the modules: their pages list the rest. */
function withoutSymbols(pages: readonly SitePage[]): readonly SitePage[] {
  return pages.filter(({ file, section }) => section !== "API" || file.endsWith("README.md"));
}

/** The section has the name of its first page. */
function isOverview(file: string): boolean {
  return /^(?:(?:packages|apps)\/[^/]+\/)?README\.md$/.test(file);
}

/** The index of the site for agents, in the form of llmstxt.org, where readers may skip "Optional". */
function llmsText(pages: readonly SitePage[]): string {
  const sections = Map.groupBy(withoutSymbols(pages), ({ section }) => section);
  const lists = [...sections].map(([section, listed]) => {
    const name = section === "API" ? "Optional" : section.endsWith("/") ? (listed[0]?.title ?? section) : section;
    return `## ${name}\n\n${listed.map(({ file, title, summary }) => `- [${title}](${file})${summary === "" ? "" : `: ${summary}`}`).join("\n")}\n`;
  });
  return `# Dispatch\n\n> ${pages[0]?.summary ?? ""}\n\n${lists.join("\n")}`;
}
