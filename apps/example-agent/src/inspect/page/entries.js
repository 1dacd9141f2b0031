// The entries of the feed, each as it is now.

const entries = new Map();
const children = new Map();
const listeners = new Set();
/** Entries that a page keeps, however long it is open. */
const MAX_ENTRIES = 20_000;

/** Takes entries in, new ones and changed ones. */
export function takeIn(changed) {
  for (const entry of changed) {
    const isNew = !entries.has(entry.id);
    entries.set(entry.id, entry);
    if (isNew && entry.parent !== undefined) childrenOf(entry.parent).push(entry.id);
    for (const heard of listeners) heard(entry, isNew);
  }
  for (const id of entries.keys()) {
    if (entries.size <= MAX_ENTRIES) break;
    entries.delete(id);
    children.delete(id);
  }
}

/** An entry by its id. */
export function entryOf(id) {
  return entries.get(id);
}

/** The first calls made during a call, as entries, as far as they are kept. */
export function nestedIn(id, most) {
  const first = (children.get(id) ?? []).slice(0, most).map((child) => entries.get(child));
  return first.filter((child) => child !== undefined);
}

/** How many calls were made during a call. */
export function countNested(id) {
  return children.get(id)?.length ?? 0;
}

/** Whether a proposed change of memory is asked about above all else. */
export function isAskedAbout(mutation) {
  return [...entries.values()].some((entry) => entry.mutation === mutation && entry.state === "open");
}

/** Hears of each entry that is new or has changed. Answers how to stop that. */
export function listen(heard) {
  listeners.add(heard);
  return () => listeners.delete(heard);
}

function childrenOf(id) {
  if (!children.has(id)) children.set(id, []);
  return children.get(id);
}
