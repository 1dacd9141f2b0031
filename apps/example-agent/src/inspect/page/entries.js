// The entries of the feed and of opened files, each in its latest state.

const entries = new Map();
const children = new Map();
const listeners = new Set();
const open = new Set();
/** Entries that a page keeps, however long it is open. */
const MAX_ENTRIES = 20_000;

/** Takes entries in, new ones and changed ones. */
export function takeIn(changed) {
  for (const entry of changed) {
    const isNew = !entries.has(entry.id);
    entries.set(entry.id, entry);
    if (isNew && entry.parent !== undefined) childrenOf(entry.parent).push(entry.id);
    if ((entry.kind === "approval" || entry.kind === "question") && entry.state === "open") open.add(entry.id);
    else open.delete(entry.id);
    for (const heard of listeners) tell(heard, entry, isNew);
  }
  for (const id of entries.keys()) {
    if (entries.size <= MAX_ENTRIES) break;
    if (!open.has(id)) drop(id);
  }
}

/** Forgets the entries of a file that is shown no more. */
export function forget(source) {
  for (const id of entries.keys()) if (sourceOf(id) === source) drop(id);
}

/** A part that fails on one entry must not keep the others from it, nor end the feed. */
function tell(heard, entry, isNew) {
  try {
    heard(entry, isNew);
  } catch (error) {
    reportError(error);
  }
}

function drop(id) {
  entries.delete(id);
  children.delete(id);
}

/** The beginning of the ids of one file's entries; empty for those of the run. */
export function sourceOf(id) {
  return id.slice(0, id.indexOf("-") + 1);
}

/** Whether an entry is of the run, not of a file. */
export function isLive({ id }) {
  return sourceOf(id) === "";
}

/** An entry by its id. */
export function entryOf(id) {
  return entries.get(id);
}

/** The outermost call during which an entry was made, the entry itself if none. */
export function outermost(entry) {
  return pathTo(entry)[0];
}

/** The calls during which an entry was made, the outermost first, and the entry. */
export function pathTo(entry) {
  const path = [entry];
  while (path[0].parent !== undefined && entries.has(path[0].parent)) path.unshift(entries.get(path[0].parent));
  return path;
}

/** The first calls made during a call, as entries, as far as they are kept. */
export function nestedIn(id, most = Infinity) {
  const first = (children.get(id) ?? []).slice(0, most).map((child) => entries.get(child));
  return first.filter((child) => child !== undefined);
}

/** How many calls were made during a call. */
export function countNested(id) {
  return children.get(id)?.length ?? 0;
}

/** Ids of the questions for the person, the oldest first. */
export function openQuestions() {
  return [...open];
}

/** Calls back for each entry that is new or has changed, and at once for each that is there. Returns how to stop. */
export function listen(heard) {
  listeners.add(heard);
  for (const entry of entries.values()) tell(heard, entry, true);
  return () => listeners.delete(heard);
}

function childrenOf(id) {
  if (!children.has(id)) children.set(id, []);
  return children.get(id);
}
