/** Parses CSV (RFC 4180): records end with CRLF, and cells are quoted where necessary. */
export function recordsOf(csv: string): string[][] {
  const records: string[][] = [[]];
  const cells = csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g);
  for (const [, quoted, plain = '', end] of cells) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') records.push([]);
  }
  return records.slice(0, -1);
}

/**
 * Returns each record as an object with the names of the header.
 * @throws Error if a record has another number of cells
 */
export function rowsOfCsv(csv: string): Record<string, string>[] {
  const [header = [], ...records] = recordsOf(csv);
  return records.map((record) => {
    if (record.length !== header.length)
      throw new Error(`not ${header.length} cells: ${record.join()}`);
    return Object.fromEntries(header.map((name, index) => [name, record[index] ?? '']));
  });
}
