import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, afterEach, beforeEach, type TestContext } from "vitest";

/** Where a Chromium is, unless `CHROMIUM_PATH` says so. */
const PLACES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);

const executablePath = process.env["CHROMIUM_PATH"] ?? PLACES.find((place) => existsSync(place));
const WITHOUT = "there is no Chromium here: install the package chromium, or set CHROMIUM_PATH";

/** Starts Chromium. Its own sandbox starts neither for root nor in most containers; it visits this machine alone. */
export function startBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(`Cannot start a browser: ${WITHOUT}`);
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--no-proxy-server"];
  return chromium.launch({ executablePath, args });
}

/** A page, with its faults: errors of its scripts, and requests that its policy refused. */
interface OpenPage {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** Opens a page at an address. */
type OpenBy = (url: string, options?: BrowserContextOptions) => Promise<OpenPage>;

/** Gives the tests of a file a browser; without one they are skipped, and say why. */
export function withBrowser(): { readonly open: OpenBy } {
  let browser: Browser | undefined;
  beforeEach(async ({ skip }: TestContext) => {
    if (executablePath === undefined) skip(WITHOUT);
    browser ??= await startBrowser();
  });
  afterEach(async () => {
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
  });
  afterAll(() => browser?.close());
  return {
    async open(url, options = {}) {
      if (browser === undefined) throw new Error("Cannot open a page: no test runs");
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      context.setDefaultTimeout(100_000);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      await page.goto(url);
      return { page, complaints };
    },
  };
}
