import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from './client.mjs';

let cursor = existsSync('cursor.txt') ? readFileSync('cursor.txt', 'utf8') : '0';
let has_more = true;
while (has_more) {
  const { body } = await get(`/ledger/v1/changes?after=${cursor}&limit=1000`);
  for (const { kind, [kind]: shown } of body.results) {
    // Store it under its kind and key here, and replace the older version.
    console.log(kind, JSON.stringify(shown));
  }
  ({ cursor, has_more } = body.meta);
  writeFileSync('cursor.txt', cursor);
}
