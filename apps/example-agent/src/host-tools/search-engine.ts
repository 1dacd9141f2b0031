import { z } from "zod";

/** A page that a search engine found, as it says: texts may hold HTML, and anything else. */
export interface FoundPage {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** A search engine's API. */
export interface SearchEngine {
  /** The address and headers of a query. */
  request(query: string): { readonly url: URL; readonly headers: Readonly<Record<string, string>> };
  /** The pages in an answer; none when it is no answer of this engine. */
  read(answer: unknown): readonly FoundPage[] | undefined;
}

/** The variables that say which search engine there is. */
export type SearchEnvironment = Readonly<Partial<Record<"DISPATCH_WEB_SEARCH_URL" | "BRAVE_SEARCH_API_KEY", string>>>;

const BRAVE_URL = "https://api.search.brave.com/res/v1/web/search";

/** Pages that are no pages are left out one by one. */
const text = z.string().catch("");
const pages = z.array(z.object({ title: text, url: text, content: text, description: text }).catch(noPage));
const searxngAnswer = z.object({ results: pages });
const braveAnswer = z.object({ web: z.object({ results: pages }).optional() });

/** A SearXNG instance, with JSON among the formats of its `settings.yml`. */
export function searxng(base: URL): SearchEngine {
  return {
    request(query) {
      const url = new URL(base);
      if (!/\/search\/?$/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/+$/, "")}/search`;
      url.searchParams.set("q", query);
      url.searchParams.set("format", "json");
      return { url, headers: { accept: "application/json" } };
    },
    read: (answer) =>
      searxngAnswer
        .safeParse(answer)
        .data?.results.map(({ title, url, content }) => ({ title, url, snippet: content })),
  };
}

/** The Web Search API of Brave, or of a service with the same API. */
export function braveSearch(key: string, endpoint = new URL(BRAVE_URL)): SearchEngine {
  return {
    request(query) {
      const url = new URL(endpoint);
      url.searchParams.set("q", query);
      return { url, headers: { accept: "application/json", "x-subscription-token": key } };
    },
    read(answer) {
      const read = braveAnswer.safeParse(answer).data;
      const results = read && (read.web?.results ?? []);
      return results?.map(({ title, url, description }) => ({ title, url, snippet: description }));
    },
  };
}

/**
 * The search engine that is named, else Brave where there is a key for it, else none.
 *
 * @param address Of a SearXNG instance.
 * @throws {Error} When the address cannot be used.
 */
export function chooseSearchEngine(
  address: string | undefined,
  environment: SearchEnvironment,
): SearchEngine | undefined {
  const named = address ?? environment.DISPATCH_WEB_SEARCH_URL;
  if (named) return searxng(readAddress(named));
  return environment.BRAVE_SEARCH_API_KEY ? braveSearch(environment.BRAVE_SEARCH_API_KEY) : undefined;
}

function readAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const refuse = (found: string): Error => new Error(`Cannot search the web: ${found}`);
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw refuse("the address of the search engine is no web address, allowed are http: and https:");
  }
  if (url.username !== "" || url.password !== "") {
    throw refuse("the address of the search engine holds a password, allowed are addresses without");
  }
  return url;
}

function noPage() {
  return { title: "", url: "", content: "", description: "" };
}
