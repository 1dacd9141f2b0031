import { loadedPeer } from "./peer-module.ts";

export interface PdfRequest {
  readonly module: string;
  readonly bytes: Uint8Array;
  /** First and last page, from 1. */
  readonly from: number;
  readonly to: number;
}

interface PdfPage {
  readonly number: number;
  readonly text: string;
}

export type PdfAnswer =
  | { readonly total: number; readonly pages: readonly PdfPage[]; readonly full: boolean }
  | { readonly failed: "damaged" | "password" };

/** Characters of all pages that are read. */
const MAX_CHARS = 4_000_000;
/** Bytes that a decoder may have in one piece: a stream of a few bytes can stand for any number. */
const MAX_PIECE = 128 * 1024 * 1024;

interface Unpdf {
  getDocumentProxy(bytes: Uint8Array, options: object): Promise<PdfDocument>;
}

interface PdfDocument {
  readonly numPages: number;
  getPage(number: number): Promise<{
    getTextContent(): Promise<{ readonly items: readonly { readonly str?: string; readonly hasEOL?: boolean }[] }>;
    cleanup(): void;
  }>;
}

/** Reads the text of pages. Scripts in the file are not run, nothing is fetched, no font is loaded. To be called in a thread of its own. */
export async function pdfPages({ module, bytes, from, to }: PdfRequest): Promise<PdfAnswer> {
  boundPieces();
  const unpdf = loadedPeer(module) as Unpdf;
  const options = { verbosity: 0, isEvalSupported: false, useSystemFonts: false, disableFontFace: true };
  let document: PdfDocument;
  try {
    document = await unpdf.getDocumentProxy(bytes, { ...options, enableXfa: false });
  } catch (error) {
    return { failed: (error as Error).name === "PasswordException" ? "password" : "damaged" };
  }
  const total = document.numPages;
  const pages: PdfPage[] = [];
  let chars = 0;
  for (let number = from; number <= Math.min(to, total) && chars < MAX_CHARS; number += 1) {
    const text = (await pageText(document, number)).slice(0, MAX_CHARS - chars);
    chars += text.length;
    pages.push({ number, text });
  }
  return { total, pages, full: chars >= MAX_CHARS };
}

async function pageText(document: PdfDocument, number: number): Promise<string> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    const text = items.map(({ str = "", hasEOL = false }) => str + (hasEOL ? "\n" : "")).join("");
    return text
      .toWellFormed()
      .replace(/\r\n?/g, "\n")
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, "\ufffd");
  } catch {
    return "[this page is damaged]";
  }
}

let bounded = false;

/** Lets no array of bytes in this thread be longer than {@link MAX_PIECE}. */
function boundPieces(): void {
  if (bounded) return;
  bounded = true;
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, given: readonly unknown[], made) {
      if (Number(given[0]) > MAX_PIECE) throw new RangeError("too long");
      return Reflect.construct(target, given, made) as object;
    },
  });
}
