// The program of a thread that reads the text of PDF files.
import { parentPort } from "node:worker_threads";
import { pdfPages, type PdfRequest } from "./pdf-pages.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", async (request: PdfRequest) => parentPort?.postMessage(await pdfPages(request)));
