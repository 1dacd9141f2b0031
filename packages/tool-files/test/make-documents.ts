import zlib, { type ZlibOptions } from "node:zlib";

/** A PDF with the given content streams, one page each. `filter`: whether they are compressed, and how. */
export function makePdf(
  pages: readonly (string | Buffer)[],
  {
    filter = false,
    catalog = "",
    trailer = "",
  }: { filter?: boolean | ZlibOptions; catalog?: string; trailer?: string } = {},
): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const objects: Buffer[] = [
    Buffer.from(`<< /Type /Catalog /Pages 2 0 R ${catalog} >>`),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`),
    Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
  ];
  for (const [index, page] of pages.entries()) {
    const content = filter ? zlib.deflateSync(page, filter === true ? {} : filter) : Buffer.from(page);
    const dictionary = `<< /Length ${content.length} ${filter ? "/Filter /FlateDecode" : ""} >>\nstream\n`;
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      ),
      Buffer.concat([Buffer.from(dictionary), content, Buffer.from("\nendstream")]),
    );
  }
  // Bytes above 127, so that it is no text.
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  const places: number[] = [];
  for (const [index, object] of objects.entries()) {
    places.push(parts.reduce((sum, part) => sum + part.length, 0));
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n"));
  }
  const at = parts.reduce((sum, part) => sum + part.length, 0);
  const entries = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}

/** A content stream that draws lines of text. */
export function drawn(...lines: readonly string[]): string {
  return `BT /F1 12 Tf 20 280 Td ${lines.map((line) => `(${line}) Tj 0 -14 Td`).join(" ")} ET`;
}

/** A PNG in shades of grey. `noise`: pixels that do not compress. */
export function makePng(width: number, height: number, noise = false): Buffer {
  const rows = Buffer.alloc((width + 1) * height, 0x80);
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0;
  if (noise) {
    let seed = 1;
    for (let at = 0; at < rows.length; at += 1) {
      if (at % (width + 1) === 0) continue;
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      rows[at] = seed >>> 16;
    }
  }
  return pngOf(width, height, zlib.deflateSync(rows, { level: 1 }));
}

/** A PNG whose header declares this size, independent of its pixels. */
export function pngOf(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(zlib.crc32(body));
  return Buffer.concat([length, body, sum]);
}
