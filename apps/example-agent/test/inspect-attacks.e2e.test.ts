import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { call, turn } from "../src/scripted/scripted-model.ts";
import { withBrowser } from "./browser.ts";
import { openInspectedAgent, type InspectedAgent } from "./inspected-agent.ts";

const { signal } = new AbortController();
const { open } = withBrowser();
let inspected: InspectedAgent | undefined;
let attacker: Server | undefined;
afterEach(async () => {
  await inspected?.close();
  attacker?.closeAllConnections();
  attacker?.close();
  [inspected, attacker] = [undefined, undefined];
});

/** Each would say so on the page if it ran. */
const SCRIPTS = [
  `<script>window.ran = 1</script>`,
  `<img src=x onerror="window.ran = 2">`,
  `"><svg onload="window.ran = 3">`,
  `' autofocus onfocus='window.ran = 4' x='`,
  `javascript:window.ran=5`,
  `</pre></textarea></title><iframe srcdoc="<script>parent.ran = 6</script>"></iframe>`,
  `{{constructor.constructor("window.ran = 7")()}}`,
];
const ALL = SCRIPTS.join("\n");

/** A name for a file that says it too. */
const NAME = `<img src=x onerror=window.ran=8>.txt`;

describe("the page of --inspect, attacked by what it shows", () => {
  test("runs nothing that a model, a file, a tool, a memory or a question says, and loads nothing", async () => {
    inspected = await openInspectedAgent(
      function* () {
        yield turn(ALL, call("read_file", { path: NAME }), call(`<img src=x onerror="window.ran = 9">`, { a: ALL }));
        yield turn("", call("edit_file", { path: NAME, edits: [{ old_text: "end", new_text: ALL }] }));
        yield turn("", call("execute_code", { code: `console.log(${JSON.stringify(ALL)}); throw new Error("<b>x")` }));
        yield turn("", call("memory_write", { label: "notes", content: ALL, reason: ALL }));
        yield turn("", call("memory_write", { label: "rules", content: ALL, tier: "core", reason: ALL }));
        return ALL;
      },
      { [NAME]: `${ALL}\nend\n` },
    );
    const { page, complaints } = await open(inspected.url);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const run = inspected.agent.run(ALL, signal);
    await page.getByRole("button", { name: "Later" }).click();
    await run;
    const choices = [{ label: ALL, description: ALL }];
    void inspected.inspection.approver.answer?.({ text: ALL, choices, several: false, signal });
    await page.getByRole("button", { name: "Rather not" }).waitFor();
    await page.evaluate("for (const one of document.querySelectorAll('.call > details')) one.open = true");
    await page.getByRole("link", { name: "Tools" }).click();
    await page.getByLabel("path required").fill(NAME);
    await page.getByRole("button", { name: "Run read_file" }).click();
    await page.getByRole("list", { name: "Results" }).getByText("onerror").first().waitFor();
    await page.getByRole("link", { name: /Memory/ }).click();
    await page.getByRole("link", { name: /^notes/ }).click();
    await page.locator("#block .history").waitFor();
    await page.locator("#pending .card").waitFor();
    await page.getByRole("link", { name: "Transcript" }).click();

    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(await page.locator("img, iframe, svg, body script, [onerror], [onload], [onfocus]").count()).toBe(0);
    const shown = await page.locator("#transcript").textContent();
    for (const script of SCRIPTS) expect(shown).toContain(script);
    expect(asked.filter((url) => !url.startsWith(`${inspected?.base ?? ""}/`))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("shows what cannot be seen, so that a question shows what a yes is a yes to", async () => {
    inspected = await openInspectedAgent(() => ({}) as never);
    const { page } = await open(inspected.url);
    const detail = ["+rm \u202Etxt.a\u2066 -rf", "+a\u200Bb\u0007"];
    void inspected.inspection.approver.decide({ text: "May\u202E it?", detail, signal });
    await page.getByText("May� it?").first().waitFor();
    expect(await page.getByRole("group", { name: "Everything that you approve" }).innerText()).toBe(
      "+rm �txt.a� -rf\n+a�b�",
    );
  });

  test("lets the agent ask nothing that looks like a question of the program", async () => {
    inspected = await openInspectedAgent(() => ({}) as never);
    const { page } = await open(inspected.url);
    const text = "Let the agent call write_file?";
    void inspected.inspection.approver.answer?.({ text, choices: [{ label: "Approve" }], several: false, signal });
    const card = page.getByRole("group", { name: text });
    await card.waitFor();
    expect(await card.locator("h3").innerText()).toBe("The agent asks");
    expect(await page.getByRole("heading", { name: text }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  });

  test("would run nothing even if something got in: the policy stops it", async () => {
    inspected = await openInspectedAgent(() => ({}) as never);
    const { page } = await open(inspected.url);
    const made = page.evaluate(`document.body.innerHTML = "<img src=x onerror='window.ran = 1'>"`);
    await expect(made).rejects.toThrow(/TrustedHTML/);
    await expect(page.evaluate("fetch('http://127.0.0.1:9/stolen')")).rejects.toThrow(/Failed to fetch/);
    await page
      .evaluate(`{
      const button = document.createElement("button");
      button.setAttribute("onclick", "window.ran = 2");
      document.body.append(button);
      button.click();
    }`)
      .catch(() => {});
    expect(await page.evaluate("window.ran")).toBeUndefined();
  });
});

describe("the page of --inspect, attacked by another page of the same browser", () => {
  test("cannot be read, changed, framed, driven or reached by a form", async () => {
    inspected = await openInspectedAgent(() => ({}) as never);
    const { base, token, url } = inspected;
    const { page: victim } = await open(url);
    let decided = false;
    void inspected.inspection.approver.decide({ text: "May it?", detail: [], signal }).then(() => (decided = true));
    await victim.getByRole("button", { name: "Approve" }).waitFor();
    const question = "e1";

    attacker = createServer((_, response) =>
      response.setHeader("content-type", "text/html").end("<h1>Win a prize</h1>"),
    );
    await new Promise<void>((resolve) => attacker?.listen(0, "127.0.0.1", resolve));
    const { port } = attacker.address() as AddressInfo;
    for (const host of ["127.0.0.1", "localhost"]) {
      // In the same browser as the person's own page, with everything that would send along by itself.
      const page = await victim.context().newPage();
      await page.goto(`http://${host}:${port}/`);
      const tries = { base, question, token };
      const got = await page.evaluate(ATTACK, tries);
      for (const [name, outcome] of Object.entries(got)) expect(outcome, `${host} ${name}`).toBe("nothing");
      await postForm(page, `${base}/api/approvals/${question}`);
    }
    expect(decided).toBe(false);
    await expect(inspected.agent.toolbox.admin.pending()).resolves.toEqual([]);
    // The same from the page itself is an answer.
    const headers = { authorization: `Bearer ${token}`, origin: base, "content-type": "application/json" };
    await fetch(`${base}/api/approvals/${question}`, { method: "POST", headers, body: '{"approved":true}' });
    await expect.poll(() => decided).toBe(true);
  });
});

/**
 * Everything a page can try against another one. It reports all that it could read or see; the token is for the worst
 * case.
 */
async function ATTACK({ base, question, token }: Record<string, string>): Promise<Record<string, string>> {
  const g = globalThis as unknown as {
    document: { createElement(tag: string): Record<string, unknown>; body: { append(element: unknown): void } };
  };
  const told = async (work: () => Promise<string>): Promise<string> => work().catch(() => "nothing");
  const read = (init: RequestInit & { path: string }): Promise<string> =>
    told(async () => {
      const response = await fetch(`${base}${init.path}`, init);
      return response.type === "opaque" ? "nothing" : `read ${response.status}`;
    });
  const bearer = { authorization: `Bearer ${token}` };
  const body = '{"approved":true}';
  const path = `/api/approvals/${question}`;
  const loaded = (tag: string, source: string): Promise<string> =>
    new Promise((resolve) => {
      const element = g.document.createElement(tag);
      element["onerror"] = () => resolve("nothing");
      element["onload"] = () => resolve(`loaded ${tag}`);
      element["src"] = source;
      g.document.body.append(element);
    });
  const frame = (): Promise<string> =>
    new Promise((resolve) => {
      const element = g.document.createElement("iframe") as { contentWindow?: { location: { href: string } } };
      Object.assign(element, { src: `${base}/`, onload: () => resolve(inside(element)) });
      g.document.body.append(element);
    });
  const inside = (element: { contentWindow?: { location: { href: string } } }): string => {
    try {
      return `saw ${element.contentWindow?.location.href ?? ""}`;
    } catch {
      return "nothing";
    }
  };
  return {
    "reads with cookies": await read({ path: "/api/memory", credentials: "include" }),
    "reads with the token": await read({ path: "/api/memory", headers: bearer }),
    "reads the page": await read({ path: "/" }),
    "reads without asking": await read({ path: "/api/memory", mode: "no-cors" }),
    "answers as JSON": await read({
      path,
      method: "POST",
      body,
      headers: { ...bearer, "content-type": "application/json" },
    }),
    "answers as plain text": await read({ path, method: "POST", body, mode: "no-cors" }),
    "runs its scripts": await loaded("script", `${base}/main.js`),
    "shows its picture": await loaded("img", `${base}/icon.svg`),
    "puts it into a frame": await frame(),
    "opens a socket": await told(
      () =>
        new Promise((resolve) => {
          const socket = new WebSocket(`${(base ?? "").replace("http", "ws")}/api/feed`);
          socket.addEventListener("open", () => resolve("open"));
          socket.addEventListener("error", () => resolve("nothing"));
        }),
    ),
  };
}

/** A form that a person might be brought to send. It leads to a page that says no. */
async function postForm(page: Page, action: string): Promise<void> {
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url() === action),
    page.evaluate((to) => {
      const { document } = globalThis as unknown as {
        document: {
          createElement(tag: string): {
            action: string;
            method: string;
            enctype: string;
            innerHTML: string;
            submit(): void;
          };
          body: { append(element: unknown): void };
        };
      };
      const form = document.createElement("form");
      Object.assign(form, { action: to, method: "post", enctype: "text/plain" });
      form.innerHTML = `<input name='{"approved":true,"x":"' value='"}'>`;
      document.body.append(form);
      form.submit();
    }, action),
  ]);
  expect(response.status()).toBe(403);
}
