/** The time limit of work of extensions inside transactions. */
import { once, EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import { limitedWork } from '../../../src/platform/database/extensions/limited-work.js';
import { shownSql } from '../../../src/platform/database/extensions/statement-scope.js';

const HOUR_MS = 3_600_000;

it('runs its statements until it ends', async () => {
  const sent: string[] = [];
  await limitedWork(HOUR_MS, async () => {
    await Promise.resolve();
    sent.push(shownSql('SELECT 1'));
  });
  expect(sent).toEqual(['SELECT 1']);
});

it('is rejected after its time, and can send no statement then', async () => {
  const signals = new EventEmitter();
  let later: Promise<unknown> = Promise.resolve();
  const limited = limitedWork(1, async () => {
    later = once(signals, 'continue').then(() => shownSql('DELETE FROM notes'));
    await later;
  });
  await expect(limited).rejects.toThrow('it did not end within 0.001 seconds');
  signals.emit('continue');
  await expect(later).rejects.toThrow('The work of this statement has ended.');
  expect(shownSql('SELECT 2')).toBe('SELECT 2');
});

it('passes its own error on', async () => {
  const failing = limitedWork(HOUR_MS, () => Promise.reject(new Error('no such sale')));
  await expect(failing).rejects.toThrow('no such sale');
});
