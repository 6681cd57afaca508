import { relative } from 'node:path';
// It stores its matchers in a global variable, which must exist before any test file runs.
import '@jest/expect';
import { getMetadataStorage } from 'class-validator';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { LocalStorages } from './local-storages.mjs';
import { OpenResources } from './open-resources.mjs';
import { ProcessState } from './process-state.mjs';
import { ProcessorTime } from './processor-time.mjs';

// It stores its data on classes in a global variable, and these classes stay loaded.
getMetadataStorage();

/** Jest stores the hooks of a test file under this symbol. */
const HOOKS = Symbol.for('EVENT_HANDLERS');

/** Runs one test file after another in Node's main context, and undoes the changes of each. */
export default class MainContextEnvironment {
  global = globalThis;
  fakeTimers = null;
  #state = new ProcessState();
  #storages = new LocalStorages();
  #resources = new OpenResources();
  #time;
  #hasFailed = false;

  constructor({ projectConfig }, { testPath }) {
    const { displayName, rootDir, globals } = projectConfig;
    this.#time = new ProcessorTime(displayName.name, relative(rootDir, testPath));
    Object.assign(globalThis, globals);
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  handleTestEvent({ name }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') this.#hasFailed = true;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    this.fakeTimersModern = null;
    this.#state.restore();
    this.#storages.end();
    delete globalThis[HOOKS];
    if (process.env.TEST_PROFILE) this.#time.write(process.env.TEST_PROFILE);
    // An error of the teardown would hide the failures, which are often its cause.
    if (!this.#hasFailed) await this.#resources.expectClosed();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
