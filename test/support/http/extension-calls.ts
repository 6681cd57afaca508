import { expect } from '@jest/globals';
import { EXTENSION_ROWS } from '../../extensions.js';
import type { RecordedService } from '../servers/recorded-service.js';

/** Calls each operation of the modules that were added, as the owner of what it names. */
export async function callExtensions(recorded: RecordedService, key: string): Promise<void> {
  for (const { operation, path, body } of EXTENSION_ROWS) {
    const asked = path('vendor');
    const answer = await (body === undefined
      ? recorded.get(operation, asked, key)
      : recorded.put(operation, asked, key, body));
    expect([asked, answer.status]).toEqual([asked, 200]);
  }
}
