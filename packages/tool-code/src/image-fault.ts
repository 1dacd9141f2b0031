import { IMAGE_TYPES, imageTypeOf, wholeImageSize, type ImageType } from "@dispatch/tools-interface/image";

/** Longest side, in pixels: as much as model providers take. */
const MAX_SIDE = 8_000;

/** Whether images of this kind can be shown. */
export function isImageType(mimeType: string): mimeType is ImageType {
  return (IMAGE_TYPES as readonly string[]).includes(mimeType);
}

/** Why an image cannot be shown. A provider refuses a whole request for one image that it cannot read. */
export function imageFault(bytes: Buffer, mimeType: ImageType): string | undefined {
  if (imageTypeOf(bytes) !== mimeType) return `its data does not begin like ${mimeType}`;
  const size = wholeImageSize(bytes, mimeType);
  if (size === undefined) return `its data begins like ${mimeType} and is not a whole image`;
  const { width, height } = size;
  if (width <= MAX_SIDE && height <= MAX_SIDE) return undefined;
  return `it has ${width} x ${height} pixels, allowed are ${MAX_SIDE} a side`;
}
