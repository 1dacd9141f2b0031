/** `npx pnpm screenshot`, in this package, runs the agent and takes pictures of its page for the README. */
import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { startBrowser } from "./browser.ts";
import { main, plainEnvironment } from "./run-agent.ts";

/** A wide window in the light, a narrow one in the dark. */
const LOOKS = [
  { name: "inspect.png", viewport: { width: 1280, height: 1000 }, colorScheme: "light" },
  { name: "inspect-narrow.png", viewport: { width: 400, height: 800 }, colorScheme: "dark" },
] as const;

const agent = spawn(process.execPath, ["--conditions=@dispatch/source", main, "--inspect"], {
  env: plainEnvironment(),
  stdio: ["ignore", "pipe", "inherit"],
});
const url = await new Promise<string>((resolve) => {
  let text = "";
  agent.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
    const found = /http:\S+token=\S+/.exec(text);
    if (found !== null) resolve(found[0]);
  });
});
const browser = await startBrowser();
try {
  for (const { name, ...look } of LOOKS) {
    const file = path.join(import.meta.dirname, "..", name);
    const page = await browser.newPage({ ...look, reducedMotion: "reduce" });
    await page.goto(url);
    await page.locator(".card button:enabled").first().waitFor();
    // Of all calls an edit alone is open: it shows what changed.
    const shown = "#entries > .call > details";
    await page.evaluate(
      `{ let edits = 0; for (const call of document.querySelectorAll(${JSON.stringify(shown)})) call.open = call.querySelector("summary").textContent.includes("edit_file") && ++edits === 1; }`,
    );
    await page.getByRole("group", { name: "What it changed" }).first().waitFor();
    await page.evaluate("scrollTo(0, 0)");
    // Entries are drawn once they are in sight.
    await page.locator("#entries > *").first().waitFor();
    await page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 300))))",
    );
    await page.screenshot({ path: file });
    await page.close();
    const small = spawnSync("pngquant", ["--force", "--skip-if-larger", "--strip", "--output", file, "128", file]);
    if (small.error) console.error("The picture is larger than it need be: the package pngquant is not here");
  }
} finally {
  await browser.close();
  agent.kill("SIGINT");
}
