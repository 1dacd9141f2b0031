import type { Connection } from "./connection.ts";
import { DotProducts, toStride } from "./dot-products.ts";

/** Number of spaces of owners that are kept. */
const MAX_SPACES = 8;
/** Number of vectors in a part of a space's memory: it grows without copying. */
const PART = 1_024;

interface Part {
  readonly passages: Float64Array;
  readonly bytes: Int8Array;
  /** By which the bytes of each vector were divided. */
  readonly scales: Float32Array;
  count: number;
}

interface CachedSpace {
  readonly parts: Part[];
  /** The latest vector that was read. */
  last: number;
}

/** A passage and how similar its vector is, to the precision of bytes. */
export interface Similar {
  /** The id of the passage. */
  readonly passage: number;
  /** Grows with the cosine. */
  readonly similarity: number;
}

/**
 * Vectors in memory as bytes, a quarter of their size in single precision: 26 MB for 100,000 passages with the hash embedder.
 * Vectors are only ever added, and one process adds at a time, so new ones are read by their id. A vector that was deleted
 * since is found, too: the caller looks the passage up and calls `remove`.
 */
export class VectorCache {
  readonly #spaces = new Map<string, CachedSpace>();
  #products: DotProducts | undefined;

  /** The `count` passages most similar to a vector, most similar first. */
  nearest(db: Connection, owner: string, space: number, vector: Int16Array, count: number): readonly Similar[] {
    const { parts } = this.#read(db, owner, space, vector.length);
    const best = new Best(count);
    this.#products ??= new DotProducts();
    for (const { passages, bytes, scales, count: filled } of parts) {
      this.#products.each(bytes, filled, vector, (row, product) => {
        const similarity = product * (scales[row] ?? 0);
        if (similarity > best.least) best.add(passages[row] ?? 0, similarity);
      });
    }
    return best.sorted();
  }

  /** Removes passages that no longer exist. */
  remove(owner: string, space: number, gone: ReadonlySet<number>): void {
    for (const part of this.#spaces.get(nameOf(owner, space))?.parts ?? []) {
      const dimensions = part.bytes.length / PART;
      for (let row = part.count - 1; row >= 0; row--) {
        if (!gone.has(part.passages[row] ?? 0)) continue;
        part.count -= 1;
        part.passages[row] = part.passages[part.count] ?? 0;
        part.scales[row] = part.scales[part.count] ?? 0;
        part.bytes.copyWithin(row * dimensions, part.count * dimensions, (part.count + 1) * dimensions);
      }
    }
  }

  /** Removes everything, as after vectors were deleted for good. */
  clear(): void {
    this.#spaces.clear();
  }

  #read(db: Connection, owner: string, space: number, dimensions: number): CachedSpace {
    const name = nameOf(owner, space);
    const cached = this.#spaces.get(name) ?? { parts: [], last: 0 };
    this.#spaces.delete(name);
    this.#spaces.set(name, cached);
    for (const old of [...this.#spaces.keys()].slice(0, -MAX_SPACES)) this.#spaces.delete(old);
    for (;;) {
      const rows = db.all<{ id: number; passage: number; vector: Uint8Array }>(
        `SELECT id, passage, vector FROM dispatch_memory.embedding
         WHERE owner = $1 AND space = $2 AND id > $3 ORDER BY id LIMIT ${PART}`,
        [owner, space, cached.last],
      );
      for (const { id, passage, vector } of rows) {
        add(cached, passage, vector, dimensions);
        cached.last = id;
      }
      if (rows.length < PART) return cached;
    }
  }
}

/** The vector of a row. */
export function toVector({ buffer, byteOffset, byteLength }: Uint8Array): Int16Array {
  if (byteOffset % 2 === 0) return new Int16Array(buffer, byteOffset, byteLength / 2);
  return new Int16Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

function nameOf(owner: string, space: number): string {
  return `${space} ${owner}`;
}

function add({ parts }: CachedSpace, passage: number, stored: Uint8Array, dimensions: number): void {
  let part = parts.at(-1);
  if (part === undefined || part.count === PART) {
    const bytes = new Int8Array(PART * toStride(dimensions));
    part = { passages: new Float64Array(PART), bytes, scales: new Float32Array(PART), count: 0 };
    parts.push(part);
  }
  const vector = toVector(stored);
  const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 1) / 127;
  const from = part.count * toStride(dimensions);
  for (let at = 0; at < dimensions; at++) part.bytes[from + at] = Math.round((vector[at] ?? 0) / scale);
  part.passages[part.count] = passage;
  part.scales[part.count] = scale;
  part.count += 1;
}

/** The best of many, kept in order. */
class Best {
  readonly #count: number;
  readonly #found: Similar[] = [];
  least = Number.NEGATIVE_INFINITY;

  constructor(count: number) {
    this.#count = count;
  }

  add(passage: number, similarity: number): void {
    const found = this.#found;
    let [low, high] = [0, found.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((found[middle]?.similarity ?? 0) >= similarity) low = middle + 1;
      else high = middle;
    }
    found.splice(low, 0, { passage, similarity });
    if (found.length > this.#count) found.length = this.#count;
    if (found.length === this.#count) this.least = found.at(-1)?.similarity ?? this.least;
  }

  sorted(): readonly Similar[] {
    return this.#found;
  }
}
