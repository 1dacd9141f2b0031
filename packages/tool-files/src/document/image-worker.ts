// The program of a thread that makes images smaller.
import { parentPort } from "node:worker_threads";
import { resizedImage, type ImageRequest } from "./resize-image.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (request: ImageRequest) => parentPort?.postMessage(resizedImage(request)));
