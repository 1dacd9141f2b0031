import { ToolError, type ImagePart } from "@dispatch/tools-interface";
import { IMAGE_TYPES, imageTypeOf, wholeImageSize, type ImageType } from "@dispatch/tools-interface/image";
import type { CodeFile } from "./code-outcome.ts";
import type { CodeRuntime } from "./code-runtime.ts";
import type { HostFunction } from "./host-function.ts";

/** Images of one program. */
export const MAX_IMAGES = 8;
/** Limit for the Base64 of all images of one program, in characters: the size that providers accept for one image. */
export const MAX_IMAGE_CHARS = 5_000_000;
/** Longest side, in pixels: as much as model providers take. */
const MAX_SIDE = 8_000;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Collects the images that one program shows, within the limits. */
export class ImageCollector {
  readonly #parts: ImagePart[] = [];
  #chars = 0;

  /** The images so far, in the order they were shown. */
  get parts(): readonly ImagePart[] {
    return this.#parts;
  }

  /** `showImage(image)`: adds an image to the result. Returns a text that stands for it. */
  get showImage(): HostFunction {
    return {
      name: "showImage",
      parameters: '[image: { type: "image"; mimeType: string; data: string }]',
      returns: "string",
      call: async ([image]) => {
        const shown = this.#add(image);
        if ("fault" in shown) throw new ToolError(`Showing an image: ${shown.fault}`, { code: "invalid_params" });
        return shown.label;
      },
    };
  }

  /** Adds every image in a returned value. Returns the value with a text in place of each. */
  async extractFrom(value: unknown): Promise<unknown> {
    if (!holdsImage(value)) return value;
    if (isImage(value)) {
      const shown = this.#add(value);
      return "fault" in shown ? `[image not shown: ${shown.fault}]` : shown.label;
    }
    const entries: [string, unknown][] = [];
    for (const [name, field] of Object.entries(value as object)) entries.push([name, await this.extractFrom(field)]);
    return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  }

  /** Adds the images among files that a program wrote. Those that cannot be shown are passed over. */
  async addFiles(files: readonly CodeFile[] = [], runtime: Pick<CodeRuntime, "readFile">): Promise<void> {
    for (const { path, bytes } of files) {
      const type = /\.(png|jpe?g|gif|webp)$/i.exec(path)?.[1]?.toLowerCase().replace("jpg", "jpeg");
      if (type === undefined || bytes > MAX_IMAGE_CHARS || this.#parts.length >= MAX_IMAGES) continue;
      const data = (await runtime.readFile?.(path, MAX_IMAGE_CHARS))?.toString("base64");
      if (data !== undefined) this.#add({ type: "image", mimeType: `image/${type}`, data });
    }
  }

  #add(image: unknown): { readonly label: string } | { readonly fault: string } {
    if (!isImage(image)) {
      return { fault: 'found is no image, allowed is { type: "image", mimeType: "image/png", data: base64 }' };
    }
    const { mimeType, data } = image;
    if (!isImageType(mimeType)) {
      return {
        fault: `its mimeType is ${JSON.stringify(mimeType.slice(0, 100))}, allowed are ${IMAGE_TYPES.join(", ")}`,
      };
    }
    if (data.length % 4 !== 0 || !BASE64.test(data)) {
      return { fault: "its data is not base64 without line breaks and prefix" };
    }
    if (this.#parts.length >= MAX_IMAGES) return { fault: `allowed are ${MAX_IMAGES} images a program` };
    if (this.#chars + data.length > MAX_IMAGE_CHARS) {
      return {
        fault: `the images of a program may have ${MAX_IMAGE_CHARS} characters of base64 in all; show a smaller one`,
      };
    }
    this.#chars += data.length;
    const fault = imageFault(Buffer.from(data, "base64"), mimeType);
    if (fault !== undefined) {
      this.#chars -= data.length;
      return { fault };
    }
    this.#parts.push({ type: "image", mimeType, data });
    return { label: `[image ${this.#parts.length}: ${mimeType}, ${Math.floor((data.length / 4) * 3)} bytes]` };
  }
}

function holdsImage(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isImage(value) || Object.values(value).some(holdsImage);
}

function isImage(value: unknown): value is ImagePart {
  if (typeof value !== "object" || value === null) return false;
  const { type, mimeType, data } = value as Partial<ImagePart>;
  return type === "image" && typeof mimeType === "string" && typeof data === "string";
}

/** Whether images of this kind can be shown. */
function isImageType(mimeType: string): mimeType is ImageType {
  return (IMAGE_TYPES as readonly string[]).includes(mimeType);
}

/** Why an image cannot be shown. A provider refuses a whole request for one image that it cannot read. */
function imageFault(bytes: Buffer, mimeType: ImageType): string | undefined {
  if (imageTypeOf(bytes) !== mimeType) return `its data does not begin like ${mimeType}`;
  const size = wholeImageSize(bytes, mimeType);
  if (size === undefined) return `its data begins like ${mimeType} and is not a whole image`;
  const { width, height } = size;
  if (width <= MAX_SIDE && height <= MAX_SIDE) return undefined;
  return `it has ${width} x ${height} pixels, allowed are ${MAX_SIDE} a side`;
}
