import { loadedPeer } from "./peer-module.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface ImageRequest {
  readonly module: string;
  readonly bytes: Uint8Array;
  /** Its size as its header says. */
  readonly from: Size;
  readonly to: Size;
  /** Limit of the resulting image, in bytes. */
  readonly maxBytes: number;
}

export type ImageAnswer =
  | (Size & { readonly bytes: Uint8Array; readonly mimeType: "image/png" | "image/jpeg" })
  | { readonly failed: true };

interface PhotonImage {
  get_width(): number;
  get_height(): number;
  get_bytes(): Uint8Array;
  get_bytes_jpeg(quality: number): Uint8Array;
  free(): void;
}

interface Photon {
  readonly PhotonImage: { new_from_byteslice(bytes: Uint8Array): PhotonImage };
  resize(image: PhotonImage, width: number, height: number, filter: number): PhotonImage;
}

/** The filter that shows small text best: Lanczos3. */
const FILTER = 5;
const QUALITY = 85;
/** How often a result that is still too long is made half as large. */
const MAX_TRIES = 5;

/** Makes an image smaller: a PNG, or a JPEG where that is too long or the image is one. To be called in a thread of its own. */
export function resizedImage({ module, bytes, from, to, maxBytes }: ImageRequest): ImageAnswer {
  const photon = loadedPeer(module) as Photon;
  try {
    const image = photon.PhotonImage.new_from_byteslice(bytes);
    // A header that says something else than the pixels that come is a trick.
    if (image.get_width() !== from.width || image.get_height() !== from.height) return { failed: true };
    const isJpeg = bytes[0] === 0xff;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const size = { width: Math.max(1, to.width >> tries), height: Math.max(1, to.height >> tries) };
      const made = photon.resize(image, size.width, size.height, FILTER);
      const png = isJpeg ? undefined : made.get_bytes();
      if (png !== undefined && png.length <= maxBytes) return { ...size, bytes: png, mimeType: "image/png" };
      const jpeg = made.get_bytes_jpeg(QUALITY);
      if (jpeg.length <= maxBytes) return { ...size, bytes: jpeg, mimeType: "image/jpeg" };
      made.free();
    }
    return { failed: true };
  } catch {
    return { failed: true };
  }
}
