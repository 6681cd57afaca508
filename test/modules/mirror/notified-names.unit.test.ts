/** The ids that are tried for a sale from a notification. */
import { expect, it } from '@jest/globals';
import { notifiedNames } from '../../../src/modules/mirror/runs/waiting-reads.service.js';

it.each([
  ['X1', ['X1', 'AP-X1', 'PA-X1']],
  ['PA-X1', ['PA-X1']],
  ['X1-B001', ['X1-B001', 'AP-X1-B001', 'PA-X1-B001', 'X1', 'AP-X1', 'PA-X1']],
  ['AP-X1-b12', ['AP-X1-b12', 'AP-X1']],
  ['X1-B', ['X1-B', 'AP-X1-B', 'PA-X1-B']],
  ['-B001', ['-B001', 'AP--B001', 'PA--B001', 'AP-', 'PA-']],
  ['x'.repeat(62), ['x'.repeat(62)]],
])('of %s', (id, names) => {
  expect(notifiedNames(id)).toEqual(names);
});
