// The only place where text of models, tools and files enters the page, always as text.

/** Invisible characters that change the visible ones: they would show another text than the real one. */
const UNSEEN = /(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text in which nothing is hidden. */
export function seen(text) {
  return String(text).replaceAll("\r\n", "\n").replaceAll(UNSEEN, "\u{FFFD}");
}

/**
 * Makes an element.
 *
 * @param {string} tag Its name.
 * @param {Record<string, unknown>} attributes `on…` takes a listener; `true` sets an attribute without a value, `false`,
 *   `null` and `undefined` leave it out. Only this page's own code names them.
 * @param {...unknown} children Elements, and anything else as text.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, seen(value));
  }
  element.append(...toNodes(children));
  return element;
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...toNodes(children));
  return element;
}

function toNodes(children) {
  return children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(seen(child))));
}

/** Draws once after all that came together, however often it is asked to meanwhile. */
export function batched(draw) {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    queueMicrotask(() => {
      isAsked = false;
      draw();
    });
  };
}

let lastId = 0;

/** An id that nothing on the page has. */
export function newId() {
  return `n${(lastId += 1)}`;
}

/** Said to those who cannot see the page. */
export function announce(text) {
  document.querySelector("#announced").textContent = seen(text);
}
