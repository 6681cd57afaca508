// Runs commands of the built service in one process, one after another, with modules that stay
// loaded.
import { once } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import tls from 'node:tls';
import { runCommand } from '../../dist/internals.js';
import { ProcessState } from './process-state.mjs';

const LOOK_MS = 2;
/** Number of checks after a command's exit, in which resources that are closing may end. */
const LOOKS_AFTER_EXIT = 20;

// Node creates these streams on first use, and keeps them.
const printed = [process.stdout, process.stderr];
process.on('message', run);
process.on('disconnect', () => process.exit());

/**
 * Runs a command to its end as a process of its own would. If its effects cannot be undone, this
 * process ends, too.
 */
async function run({ args, env, input, end }) {
  const state = new ProcessState();
  const resting = process.getActiveResourcesInfo();
  const exit = new Exit();
  state.setVariables(env);
  const stopTrusting = trust(env.NODE_EXTRA_CA_CERTS);
  let stdin;
  const get = () => (stdin ??= createReadStream(input));
  Object.defineProperty(process, 'stdin', { configurable: true, get });
  await exit.orEndOf(runCommand([process.execPath, 'cli', ...args]));
  if (stdin?.closed === false) await once(stdin.destroy(), 'close');
  for (let looks = 0; hasMoreThan(resting); looks += 1) {
    if (exit.isAsked && looks > LOOKS_AFTER_EXIT) exit.real();
    await wait(LOOK_MS);
  }
  // A new listener would run at this point, so the process really exits.
  if (state.hasNewListeners('exit') || state.hasNewListeners('beforeExit')) exit.real();
  const { status } = exit;
  process.exitCode = undefined;
  stopTrusting();
  state.restore();
  for (const stream of printed) stream.write(`${end}${status}\n`);
}

/**
 * Trusts certificates of a file, because Node reads NODE_EXTRA_CA_CERTS only at its start.
 * @returns a function that ends the trust
 */
function trust(file) {
  if (file === undefined) return () => undefined;
  const ca = readFileSync(file, 'utf8');
  const make = tls.createSecureContext;
  tls.createSecureContext = (options) => make({ ca, ...options });
  return () => {
    tls.createSecureContext = make;
  };
}

/** Replaces `process.exit`, and likewise stops the code that calls it. */
class Exit {
  #exit = process.exit;
  isAsked = false;

  constructor() {
    process.exit = (status) => {
      if (status !== undefined) process.exitCode = status;
      this.isAsked = true;
      throw this;
    };
  }

  get status() {
    return process.exitCode ?? 0;
  }

  async orEndOf(work) {
    try {
      await work;
    } catch (error) {
      if (error !== this) throw error;
      return;
    }
    // The error that stops the code was caught.
    if (this.isAsked) this.real();
  }

  real() {
    this.#exit.call(process, this.status);
  }
}

/** Returns whether any resource would keep a process of the command's own from ending. */
function hasMoreThan(resting) {
  const left = [...resting];
  return process.getActiveResourcesInfo().some((resource) => {
    const place = left.indexOf(resource);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}
