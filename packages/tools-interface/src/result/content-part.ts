/** Text a model reads. */
export interface TextPart {
  /** Marks the kind of part. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
}

/** An image a model looks at. */
export interface ImagePart {
  /** Marks the kind of part. */
  readonly type: "image";
  /** The bytes of the image, base64, without a `data:` prefix. */
  readonly data: string;
  /** For example `image/png`. */
  readonly mimeType: string;
}

/** One piece of what a tool shows a model, for results that are more than one text. */
export type ContentPart = TextPart | ImagePart;
