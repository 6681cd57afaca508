/** Loads the module of docs/adding-a-module.md from the page itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesOfPage, writePageFiles, type PageFile } from '../../../scripts/page-files.mjs';
import type { Extension } from '../../../src/extension.js';

const ROOT = join(import.meta.dirname, '../../..');
const MODULE = 'src/modules/payouts';

/** @returns the module of the page, which is written outside of src/ and imports from there */
export async function loadPageModule(): Promise<Extension> {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-page-'));
  try {
    const files = filesOfPage('adding-a-module').filter(({ path }) => path.startsWith(MODULE));
    writePageFiles(folder, files.map(importingFromHere));
    const file = pathToFileURL(join(folder, MODULE, 'payouts.module.ts')).href;
    const loaded: unknown = await import(file);
    if (!hasPayouts(loaded)) throw new Error('the page exports no PAYOUTS');
    return loaded.PAYOUTS;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Replaces relative imports from outside of the module with absolute paths. */
function importingFromHere({ path, content }: PageFile): PageFile {
  const own = join(ROOT, MODULE) + sep;
  const imported = content.replace(/(?<= from ')\.[^']+/g, (name) => {
    const file = resolve(ROOT, dirname(path), name);
    return file.startsWith(own) ? name : file;
  });
  return { path, content: imported };
}

function hasPayouts(loaded: unknown): loaded is { readonly PAYOUTS: Extension } {
  return typeof loaded === 'object' && loaded !== null && 'PAYOUTS' in loaded;
}
