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

/** A file a model reads, such as a PDF. */
export interface FilePart {
  /** Marks the kind of part. */
  readonly type: "file";
  /** The bytes of the file, base64, without a `data:` prefix. */
  readonly data: string;
  /** For example `application/pdf`. */
  readonly mimeType: string;
  /** Name of the file, for the model. Default none. */
  readonly name?: string;
}

/** A recording a model listens to. */
export interface AudioPart {
  /** Marks the kind of part. */
  readonly type: "audio";
  /** The bytes of the recording, base64, without a `data:` prefix. */
  readonly data: string;
  /** For example `audio/wav`. */
  readonly mimeType: string;
}

/** Where something is that a host or a model can read, as MCP has it. Nothing is fetched. */
export interface ResourceLinkPart {
  /** Marks the kind of part. */
  readonly type: "resource_link";
  /** Its address. */
  readonly uri: string;
  /** Its name. */
  readonly name: string;
  /** Describes the part. Default none. */
  readonly description?: string;
  /** For example `text/markdown`. Default unsaid. */
  readonly mimeType?: string;
}

/** A part that holds bytes. */
export type MediaPart = ImagePart | FilePart | AudioPart;

/**
 * One piece of a result for a model, for results that are more than one text. If a provider cannot show a part, a line
 * of text says so; a link is a line of text everywhere but in MCP.
 */
export type ContentPart = TextPart | MediaPart | ResourceLinkPart;
