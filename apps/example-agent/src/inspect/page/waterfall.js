import { batched, h } from "./dom.js";
import { entryOf } from "./entries.js";

/** How often bars of running calls are drawn, in milliseconds. */
const TICK_MS = 500;
const groups = new Map();

/**
 * A bar that shows when something ran: within its turn, or within the call that made it. Bars of one turn share their
 * scale, so that calls at the same time stand above each other. The time in words stands beside it.
 *
 * @param {object} first A turn or a call, as it is now.
 */
export function createBar(first) {
  const bar = h("span", { class: "bar" });
  const element = h("span", { class: "track", "aria-hidden": "true" }, bar);
  const group = groupOf(first);
  group?.bars.set(first.id, { bar, entry: first });
  group?.draw();
  return {
    element,
    update(entry) {
      group?.bars.set(entry.id, { bar, entry });
      group?.draw();
    },
  };
}

function groupOf(entry) {
  const id = entry.kind === "turn" ? entry.id : (entry.parent ?? entry.turn);
  if (id === undefined) return undefined;
  if (!groups.has(id)) groups.set(id, createGroup(id));
  return groups.get(id);
}

function createGroup(id) {
  const bars = new Map();
  let timer;
  const draw = batched(() => {
    const all = [...bars.values()];
    const whole = entryOf(id) ?? all[0]?.entry;
    if (whole === undefined) return groups.delete(id);
    const start = whole.at;
    // The calls of a turn begin when its answer is whole; the calls of a program end before it does.
    const end = Math.max(
      start + 1,
      endOf(whole),
      ...(whole.kind === "turn" ? all.map(({ entry }) => endOf(entry)) : []),
    );
    const percent = (time) => (100 * Math.min(Math.max(time - start, 0), end - start)) / (end - start);
    for (const { bar, entry } of all) {
      bar.style.marginLeft = `${percent(entry.at)}%`;
      bar.style.width = `${percent(endOf(entry)) - percent(entry.at)}%`;
    }
    clearTimeout(timer);
    if (all.some(({ entry }) => isRunning(entry))) timer = setTimeout(draw, TICK_MS);
  });
  return { bars, draw };
}

function endOf(entry) {
  return entry.durationMs !== undefined ? entry.at + entry.durationMs : isRunning(entry) ? Date.now() : entry.at;
}

function isRunning({ state }) {
  return state === "running" || state === "waiting";
}
