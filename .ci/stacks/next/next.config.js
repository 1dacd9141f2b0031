import path from "node:path";

/** The packages lie in the directory above. */
export default { output: "standalone", outputFileTracingRoot: path.dirname(import.meta.dirname) };
