/**
 * `import "@dispatch/tools-interface/zod-mini"` lets tools be defined with schemas of `zod/mini`, of Zod 4.0 and 4.1, and of `zod/v4`
 * inside zod 3.25 where no package can be found at run time: in a bundle, a browser or an edge runtime. Elsewhere it is not
 * needed. Import it before the tools.
 *
 * @module
 */
import { globalRegistry, toJSONSchema, version } from "zod/v4/core";
import { useZod4Converter } from "./zod4-converter.ts";

useZod4Converter({ globalRegistry, toJSONSchema, version });
