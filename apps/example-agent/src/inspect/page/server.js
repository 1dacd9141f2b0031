// Everything that is asked of the program behind the page.

const KEY = "token";

/** The token comes behind the `#` of the address and is taken out of it at once; it is kept for as long as the tab. */
const given = new URLSearchParams(location.hash.slice(1)).get(KEY);
if (given !== null) {
  sessionStorage.setItem(KEY, given);
  history.replaceState(null, "", location.pathname);
}

function headers(more) {
  return { authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}`, ...more };
}

/** Asks for something. Throws an error whose message a person can read. */
export async function ask(path, body) {
  const options =
    body === undefined
      ? { headers: headers() }
      : { method: "POST", headers: headers({ "content-type": "application/json" }), body: JSON.stringify(body) };
  const answer = await fetch(path, options).catch(() => {
    throw new Error("The program does not answer: it may have ended");
  });
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error ?? `The program answered ${answer.status}`);
  return value;
}

const AGAIN_MS = 1_000;

/**
 * Follows the feed for as long as the page is open, and goes on where it was when the connection is lost.
 *
 * @param {object} hears `entries(entries)`, `beginning({ leftOut })`, `connected(isConnected, why)`.
 */
export async function follow(hears) {
  let last = "";
  for (;;) {
    try {
      const answer = await fetch("/api/feed", { headers: headers(last === "" ? {} : { "last-event-id": last }) });
      if (!answer.ok) {
        const { error } = await answer.json();
        hears.connected(false, error);
        if (answer.status === 401) return;
        throw new Error(error);
      }
      hears.connected(true);
      for await (const event of eventsOf(answer.body)) {
        hears[event.name]?.(JSON.parse(event.data));
        if (event.id !== "") last = event.id;
      }
      hears.connected(false, "The program has ended, or cannot be reached");
    } catch {
      hears.connected(false, "The program has ended, or cannot be reached");
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Server-Sent Events by hand: an `EventSource` can send no token but in the address, which ends in logs. */
async function* eventsOf(body) {
  let text = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const events = (text + piece).split("\n\n");
    text = events.pop();
    for (const event of events) {
      const fields = new Map(event.split("\n").map((line) => [line.split(": ", 1)[0], line.replace(/^[^:]*: /, "")]));
      if (fields.has("data")) yield { name: fields.get("event"), data: fields.get("data"), id: fields.get("id") ?? "" };
    }
  }
}
