// The entries of the feed, each as it is now.

const entries = new Map();
const children = new Map();
const listeners = new Set();

/** Takes entries in, new ones and changed ones. */
export function takeIn(changed) {
  for (const entry of changed) {
    const isNew = !entries.has(entry.id);
    entries.set(entry.id, entry);
    if (isNew && entry.parent !== undefined) childrenOf(entry.parent).push(entry.id);
    for (const heard of listeners) heard(entry, isNew);
  }
}

/** An entry by its id. */
export function entryOf(id) {
  return entries.get(id);
}

/** The calls made during a call, as entries. */
export function nestedIn(id) {
  return (children.get(id) ?? []).map((child) => entries.get(child));
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
