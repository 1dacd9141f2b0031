import { ToolError, type ImagePart } from "@dispatch/tools-interface";
import type { HostFunction } from "./host-function.ts";

/** Images of one program. */
export const MAX_IMAGES = 8;
/** Base64 of all images of one program, in characters: what providers accept for one image. */
export const MAX_IMAGE_CHARS = 5_000_000;
/** The first bytes of each format, in base64. A provider refuses a whole request for one wrong image. */
const FORMATS: readonly (readonly [mimeType: string, start: RegExp])[] = [
  ["image/png", /^iVBORw0KGg/],
  ["image/jpeg", /^\/9j\//],
  ["image/gif", /^R0lGOD/],
  ["image/webp", /^UklGR.{6}XRUJQ/],
];
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
      call: ([image]) => {
        const shown = this.#add(image);
        if ("fault" in shown) throw new ToolError(`Showing an image: ${shown.fault}`, { code: "invalid_params" });
        return shown.label;
      },
    };
  }

  /** Adds every image in a returned value. Returns the value with a text in place of each. */
  extractFrom(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.extractFrom(item));
    if (isImage(value)) {
      const shown = this.#add(value);
      return "fault" in shown ? `[image not shown: ${shown.fault}]` : shown.label;
    }
    const fields = Object.entries(value).map(([name, field]) => [name, this.extractFrom(field)]);
    return Object.fromEntries(fields);
  }

  #add(image: unknown): { readonly label: string } | { readonly fault: string } {
    if (!isImage(image)) {
      return { fault: 'found is no image, allowed is { type: "image", mimeType: "image/png", data: base64 }' };
    }
    const { mimeType, data } = image;
    const format = FORMATS.find(([name]) => name === mimeType);
    if (format === undefined) {
      const names = FORMATS.map(([name]) => name).join(", ");
      return { fault: `its mimeType is ${JSON.stringify(mimeType.slice(0, 100))}, allowed are ${names}` };
    }
    if (data.length % 4 !== 0 || !BASE64.test(data)) {
      return { fault: "its data is not base64 without line breaks and prefix" };
    }
    if (!format[1].test(data)) return { fault: `its data does not begin like ${mimeType}` };
    if (this.#parts.length >= MAX_IMAGES) return { fault: `allowed are ${MAX_IMAGES} images a program` };
    if (this.#chars + data.length > MAX_IMAGE_CHARS) {
      return {
        fault: `the images of a program may have ${MAX_IMAGE_CHARS} characters of base64 in all; show a smaller one`,
      };
    }
    this.#chars += data.length;
    this.#parts.push({ type: "image", mimeType, data });
    return { label: `[image ${this.#parts.length}: ${mimeType}, ${Math.floor((data.length / 4) * 3)} bytes]` };
  }
}

function isImage(value: unknown): value is ImagePart {
  if (typeof value !== "object" || value === null) return false;
  const { type, mimeType, data } = value as Partial<ImagePart>;
  return type === "image" && typeof mimeType === "string" && typeof data === "string";
}
