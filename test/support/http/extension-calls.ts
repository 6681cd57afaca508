import { expect } from '@jest/globals';
import { EXTENSION_ROWS } from '../../extensions.js';
import type { RecordedService } from '../servers/recorded-service.js';

/** Calls each operation of the added modules as the owner of the named record. */
export async function callExtensions(recorded: RecordedService, key: string): Promise<void> {
  for (const { operation, path, body } of EXTENSION_ROWS) {
    const asked = path('vendor');
    const answer = await (body === undefined
      ? recorded.get(operation, asked, key)
      : recorded.put(operation, asked, key, body));
    expect([asked, answer.status]).toEqual([asked, 200]);
  }
}
