/**
 * Restores everything that a test file or a command can change in the process that others use after
 * it.
 */
export class ProcessState {
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #variables = { ...process.env };
  #folder = process.cwd();
  #exit = process.exit;
  #listeners = new Map(
    process.eventNames().map((name) => [name, new Set(process.rawListeners(name))]),
  );

  /** Replaces all variables. */
  setVariables(variables) {
    for (const name of Object.keys(process.env)) {
      if (!(name in variables)) delete process.env[name];
    }
    Object.assign(process.env, variables);
  }

  hasNewListeners(event) {
    return this.#newListeners(event).length > 0;
  }

  /** Puts everything back. */
  restore() {
    process.exit = this.#exit;
    process.chdir(this.#folder);
    this.setVariables(this.#variables);
    this.#restoreGlobals();
    for (const event of process.eventNames()) {
      for (const listener of this.#newListeners(event)) process.removeListener(event, listener);
    }
  }

  #newListeners(event) {
    const before = this.#listeners.get(event);
    return process.rawListeners(event).filter((listener) => !before?.has(listener));
  }

  /**
   * Restores global variables, except those named by a symbol, which belong to packages that stay
   * loaded.
   */
  #restoreGlobals() {
    const now = Object.getOwnPropertyDescriptors(globalThis);
    for (const [name, { value }] of Object.entries(now)) {
      const before = this.#globals[name];
      if (before === undefined) delete globalThis[name];
      else if (value !== before.value) Object.defineProperty(globalThis, name, before);
    }
  }
}
