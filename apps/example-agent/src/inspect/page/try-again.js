let draft;

/** Opens a tool's form with the arguments of a call, to change and run them. */
export function tryAgain(name, sent) {
  draft = { name, sent };
  const there = `#/tools/${encodeURIComponent(name)}`;
  if (location.hash === there) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = there;
}

/** The arguments to try a tool with, once. */
export function takeDraft(name) {
  if (draft?.name !== name) return undefined;
  const { sent } = draft;
  draft = undefined;
  return sent;
}
