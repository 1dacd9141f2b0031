/** A fenced block of Markdown, fences included. */
export const FENCE = /^( *)(`{3,}|~{3,})[^\n]*\n[^]*?^ *\2[`~]* *$/gm;
