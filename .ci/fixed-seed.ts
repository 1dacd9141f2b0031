/** Property tests try the same inputs in every run, so a change never fails by chance; the nightly run tries others, and more. */
import process from "node:process";
import fc from "fast-check";

const seed = process.env["DISPATCH_TEST_SEED"] ?? "1";
// For those that name no number of their own; fast-check's is 100.
if (seed !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed), numRuns: 30 });
