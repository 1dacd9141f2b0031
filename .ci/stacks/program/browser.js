// The part that a browser or an edge runtime runs: no `process` and no Node API.
import { runEdge } from "./edge.js";

globalThis.done = runEdge();
