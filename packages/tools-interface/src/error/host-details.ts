import { maskSecrets } from "./describe-received.ts";

/** Longer texts are cut before they are searched. */
const MAX_SEARCHED_CHARS = 8_000;
const STACK_FRAMES = /\n\s+at [^\n]*/g;
/** The credentials before the `@` of a URL. */
const CREDENTIALS = /(?<=:\/\/)[^\s/@:]*:[^\s/@]+(?=@)/g;
/** A value that is named as a secret: `token=…`, `"password":"…"`. Not `Unexpected token: …`. */
const NAMED =
  /\b(passw(?:or)?d|secret|token|api[-_]?key|access[-_]?key|authorization)(["']?\s*=\s*["']?|["']\s*:\s*["'])[^\s"'&,;]{4,}/gi;
const DRIVE_PATH = /(?:\b[A-Za-z]:|\\)\\(?:[^\\\s'"`<>|:]+\\)+(?=[^\\\s])/g;
const FILE_URL = /\bfile:\/\/(?:[^\s/'"`]*\/)+/g;
/** The first directories of absolute paths. Any other path that begins with a slash may be the route of a URL. */
const ROOTS =
  "home Users root tmp var usr opt etc srv mnt media private proc sys dev run Volumes nix snap workspace workspaces";

let paths: readonly RegExp[] | undefined;

/** Absolute paths up to their last part, inside quotes with spaces and outside without. */
function hostPaths(): readonly RegExp[] {
  if (paths === undefined) {
    // A browser and some edge runtimes have no process.
    const host = (globalThis as { readonly process?: Partial<NodeJS.Process> }).process;
    const own = [host?.cwd?.(), host?.env?.["HOME"], host?.env?.["TMPDIR"]].map((path) => path?.split("/")[1] ?? "");
    const roots = [...ROOTS.split(" "), ...own].filter((root) => /^[\w.-]+$/.test(root)).join("|");
    paths = [
      new RegExp(`(?<=["'\`])/(?:${roots})/(?:[^"'\`\\n/]+/)*(?=[^"'\`\\n/]*["'\`])`, "g"),
      new RegExp(`(?<![\\w/:.…-])/(?:${roots})/(?:[^\\s"'\`/:]+/)*`, "g"),
    ];
  }
  return paths;
}

/**
 * A text of the host, made fit for a model: without stack, with absolute paths shortened to their last part, and with
 * likely secrets masked.
 */
export function withoutHostDetails(text: string): string {
  const searched = text.length > MAX_SEARCHED_CHARS ? `${text.slice(0, MAX_SEARCHED_CHARS).toWellFormed()}…` : text;
  let shown = searched
    .replace(STACK_FRAMES, "")
    .replace(CREDENTIALS, "[secret]")
    .replace(NAMED, "$1$2[secret]")
    .replace(FILE_URL, "…/")
    .replace(DRIVE_PATH, "…\\");
  for (const path of hostPaths()) shown = shown.replace(path, "…/");
  return maskSecrets(shown);
}
