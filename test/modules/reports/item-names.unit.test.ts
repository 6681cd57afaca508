import { expect, it } from '@jest/globals';
import { foldedName } from '../../../src/modules/reports/item-names.service.js';

it('compares names in both forms of their accents, and in any letter case', () => {
  for (const name of ['E\u0301mile', '\u00c9MILE', 'e\u0301mile']) {
    expect(foldedName(name)).toBe('\u00e9mile');
  }
});
