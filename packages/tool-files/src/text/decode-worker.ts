// The program of a thread that detects legacy encodings and decodes them.
import { parentPort } from "node:worker_threads";
import { decodeBytes, type DecodeWork } from "./decode-bytes.ts";
import { encodedForms } from "./encoded-forms.ts";

parentPort?.on("message", (work: DecodeWork | string) =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(typeof work === "string" ? encodedForms(work) : decodeBytes(work)),
);
