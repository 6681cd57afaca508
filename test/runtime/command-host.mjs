// A process that runs commands of the built service, one after another, on modules that stay loaded.
import { once } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import tls from 'node:tls';
import { runCommand } from '../../dist/internals.js';
import { ProcessState } from './process-state.mjs';

const LOOK_MS = 2;
/** What was about to end when a command called for its exit may do so. */
const LOOKS_AFTER_EXIT = 20;

// Made on first use, and there from then on.
const printed = [process.stdout, process.stderr];
process.on('message', run);
process.on('disconnect', () => process.exit());

/** As a process of its own would run it, up to its end; what can not be undone ends this one as well. */
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
  // They would be called now.
  if (state.hasNewListeners('exit') || state.hasNewListeners('beforeExit')) exit.real();
  const { status } = exit;
  process.exitCode = undefined;
  stopTrusting();
  state.restore();
  for (const stream of printed) stream.write(`${end}${status}\n`);
}

/** Node reads NODE_EXTRA_CA_CERTS only when it starts. @returns a function that ends it */
function trust(file) {
  if (file === undefined) return () => undefined;
  const ca = readFileSync(file, 'utf8');
  const make = tls.createSecureContext;
  tls.createSecureContext = (options) => make({ ca, ...options });
  return () => {
    tls.createSecureContext = make;
  };
}

/** Stands for `process.exit`, and goes no further, either. */
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
    // Somebody caught it.
    if (this.isAsked) this.real();
  }

  real() {
    this.#exit.call(process, this.status);
  }
}

/** Whether something would keep a process of the command's own from ending. */
function hasMoreThan(resting) {
  const left = [...resting];
  return process.getActiveResourcesInfo().some((resource) => {
    const place = left.indexOf(resource);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}
