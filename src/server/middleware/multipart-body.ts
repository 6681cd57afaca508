import busboy from 'busboy';

export const MULTIPART = 'multipart/form-data';

/** Holds the name and the value of a field of a form. */
export type FormPair = readonly [name: string, value: string];

/**
 * Returns the text between the parts of a body. If the type does not name the boundary, the
 * beginning of the body does.
 * @returns null if the body has no parts
 */
export function boundaryOf(bytes: Buffer, contentType: string): string | null {
  const named = /^multipart\/[^;]*;.*\bboundary=(?:"([^"\\]+)"|([^\s";]+))/i.exec(contentType);
  const first = /^--([^\r\n"\\]{1,70})\r\n/.exec(bytes.toString('latin1', 0, 80));
  return named?.[1] ?? named?.[2] ?? first?.[1] ?? null;
}

/** Returns the fields of a multipart body, without its files. Fields before an error count. */
export async function partsOf(bytes: Buffer, boundary: string): Promise<FormPair[]> {
  const pairs: FormPair[] = [];
  const headers = { 'content-type': `${MULTIPART}; boundary="${boundary}"` };
  const parser = busboy({ headers, limits: { files: 0 } });
  await new Promise<void>((resolve) => {
    parser.on('field', (name, value) => pairs.push([name, value]));
    parser.on('error', () => {
      resolve();
    });
    parser.on('close', resolve);
    parser.end(bytes);
  });
  return pairs;
}
