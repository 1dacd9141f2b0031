/**
 * Makes the function that finds a module's value: its default export, else its entry function: `main` and the like, or
 * the only one, if that takes no parameters. It runs beside the program, sent there as source, so it uses nothing from
 * outside itself.
 */
export function moduleValue(): (module: Readonly<Record<string, unknown>>) => unknown {
  const { keys } = Object;
  const MAIN = /^(?:main|run|execute|start|init|solve|solution|program|script|handler)$/i;
  return (module) => {
    if ("default" in module) return module["default"];
    const names = keys(module);
    const name = names.find((found) => MAIN.test(found)) ?? names[0] ?? "";
    const value = module[name];
    return MAIN.test(name) || (names.length === 1 && typeof value === "function" && value.length === 0)
      ? value
      : undefined;
  };
}
