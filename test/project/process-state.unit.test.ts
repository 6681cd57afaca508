import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { ProcessState } from '../runtime/process-state.mjs';

let state: ProcessState;
beforeEach(() => {
  state = new ProcessState();
});
afterEach(() => {
  state.restore();
});

it('restores what a test file or a command changed in the process', () => {
  const before = {
    folder: process.cwd(),
    variables: { ...process.env },
    fetch: globalThis.fetch,
    exit: Reflect.get(process, 'exit') as unknown,
    listeners: process.listenerCount('SIGHUP'),
  };
  process.chdir(tmpdir());
  process.env.LEFT_BEHIND = 'yes';
  delete process.env.PATH;
  Reflect.set(globalThis, 'leftBehind', 'yes');
  Reflect.set(globalThis, 'fetch', () => 'another');
  Reflect.set(process, 'exit', () => 'another');
  process.on('SIGHUP', () => undefined);
  expect(state.hasNewListeners('SIGHUP')).toBe(true);
  state.restore();
  expect({
    folder: process.cwd(),
    variables: { ...process.env },
    fetch: globalThis.fetch,
    exit: Reflect.get(process, 'exit'),
    listeners: process.listenerCount('SIGHUP'),
  }).toEqual(before);
  expect('leftBehind' in globalThis).toBe(false);
  expect(state.hasNewListeners('SIGHUP')).toBe(false);
});

it('gives a command only its own variables', () => {
  process.env.OF_ANOTHER = 'yes';
  state.setVariables({ ONLY: 'this' });
  expect({ ...process.env }).toEqual({ ONLY: 'this' });
});
