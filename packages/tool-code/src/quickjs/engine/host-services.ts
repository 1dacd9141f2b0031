/** Parts of a URL that programs see and set. */
const PARTS = [
  "href",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;

/** Parses a URL, or sets one of its parts to `base`. Returns the parts as JSON, `undefined` when it is no URL. */
export function urlParts(href: string, base: string | undefined, part: string | undefined): string | undefined {
  let url: URL;
  try {
    url = part === undefined ? new URL(href, base) : new URL(href);
    const known = PARTS.find((name) => name === part);
    if (known !== undefined) url[known] = base ?? "";
  } catch {
    return undefined;
  }
  return JSON.stringify({ ...Object.fromEntries(PARTS.map((name) => [name, url[name]])), origin: url.origin });
}

/**
 * A number or a date as text, in the form and language that a program asks for. The zone is UTC and the language English,
 * unless it says otherwise.
 *
 * @param settings Locales and options, as JSON of a list.
 * @returns JSON of the text.
 */
export function localeText(method: string, value: number | string, settings: string): string {
  const [locales, options] = JSON.parse(settings) as readonly [string | string[] | null, object | null];
  const language = locales ?? "en-US";
  const text = (): string => {
    switch (method) {
      case "number":
        return Number(value).toLocaleString(language, options ?? {});
      case "bigint":
        return BigInt(value).toLocaleString(language, options ?? {});
      case "toLocaleDateString":
        return new Date(value).toLocaleDateString(language, { timeZone: "UTC", ...options });
      case "toLocaleTimeString":
        return new Date(value).toLocaleTimeString(language, { timeZone: "UTC", ...options });
      default:
        return new Date(value).toLocaleString(language, { timeZone: "UTC", ...options });
    }
  };
  try {
    return JSON.stringify(text());
  } catch {
    return JSON.stringify(String(value));
  }
}
