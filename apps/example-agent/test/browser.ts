import { existsSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterEach, beforeEach, type TestContext } from "vitest";

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

/** How a page looks. */
interface Look {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  readonly reducedMotion?: "reduce";
  /** Whether the test does to the page what cannot be undone, such as setting its clock. Default false. */
  readonly own?: boolean;
}

/** Opens a page at an address. */
type OpenBy = (url: string, look?: Look) => Promise<OpenPage>;

/** Chromium and a page of it. Both serve all files of this process: a page of its own costs a test half a second. */
interface Kept {
  readonly browser: Browser;
  readonly page: Page;
  /** Whether a test has the page. */
  isTaken: boolean;
}
const VIEWPORT = { width: 1280, height: 900 };
const NOWHERE = -10;
let kept: Promise<Kept> | undefined;

async function openKept(): Promise<Kept> {
  // It ends with this process.
  const browser = await startBrowser();
  return { browser, page: await newPage(browser), isTaken: false };
}

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  context.setDefaultTimeout(100_000);
  return context.newPage();
}

/** The page is as a new one for the next test: each of them has a server, and so an origin, of its own. */
async function giveBack({ browser, page }: Kept): Promise<void> {
  page.removeAllListeners();
  const [first, ...others] = browser.contexts();
  await Promise.all(others.map((context) => context.close()));
  await Promise.all(first?.pages().map((one) => (one === page ? page.goto("about:blank") : one.close())) ?? []);
  await page.mouse.move(NOWHERE, NOWHERE);
}

/** Gives the tests of a file a browser; without one they are skipped, and say why. */
export function withBrowser(): { readonly open: OpenBy } {
  beforeEach(({ skip }: TestContext) => {
    if (executablePath === undefined) skip(WITHOUT);
  });
  afterEach(async () => {
    const open = await kept;
    if (open?.isTaken !== true) return;
    await giveBack(open).catch(() => {
      kept = undefined;
      return open.browser.close();
    });
    open.isTaken = false;
  });
  return {
    async open(url, { viewport = VIEWPORT, colorScheme = "light", reducedMotion, own = false } = {}) {
      const open = await (kept ??= openKept());
      const page = own || open.isTaken ? await newPage(open.browser) : open.page;
      open.isTaken = true;
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: reducedMotion ?? "no-preference" });
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      await page.goto(url);
      return { page, complaints };
    },
  };
}
