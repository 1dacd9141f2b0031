/** Runs functions in the asynchronous context of now. */
export function takeContext(): <Result>(work: () => Result) => Result {
  return process.getBuiltinModule("node:async_hooks").AsyncLocalStorage.snapshot();
}
