// What a browser or an edge runtime runs: no `process` and nothing of Node.
import { runEdge } from "./edge.js";

globalThis.done = runEdge();
