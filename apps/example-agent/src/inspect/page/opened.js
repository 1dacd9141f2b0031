import { fill, h } from "./dom.js";
import { forget, takeIn } from "./entries.js";
import { ask } from "./server.js";
import { button } from "./texts.js";

/** Lets the person export the session, and look at an exported or saved one. */
export function showOpened(transcript) {
  const [opener, exporter, input, bar, problem] = ["#open-file", "#export", "#file", "#opened", "#file-problem"].map(
    (id) => document.querySelector(id),
  );
  let source = "";

  const close = () => {
    forget(source);
    source = "";
    bar.hidden = true;
    transcript.showSource("");
    opener.focus();
  };
  const open = async (file) => {
    problem.textContent = "";
    try {
      const opened = await ask("/api/opened", { text: await file.text() });
      if (source !== "") forget(source);
      ({ source } = opened);
      const [back] = button("Back to the run", close);
      fill(
        bar,
        h("span", {}, "The file ", h("strong", {}, file.name), `, a session of ${opened.model}. Nothing in it runs.`),
        back,
      );
      bar.hidden = false;
      takeIn(opened.entries);
      transcript.showSource(source);
      back.focus({ preventScroll: true });
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  opener.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    const [file] = input.files;
    input.value = "";
    if (file !== undefined) void open(file);
  });
  exporter.addEventListener("click", async () => {
    problem.textContent = "";
    try {
      save(await ask("/api/export"));
    } catch (error) {
      problem.textContent = error.message;
    }
  });
}

/** Has the browser save a session, in the form of `--json`. */
function save(record) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(record, null, 2)], { type: "application/json" }));
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  h("a", { href: url, download: `session-${time}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
