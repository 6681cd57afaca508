/** A limit of time that can be lifted. */
export interface Limit {
  cancel(): void;
}

/**
 * Does something after a time, unless it is cancelled. A process that was busy finds timers due before
 * it has read what has long arrived; so what is due waits for one more look at the network.
 */
export function startTimer(milliseconds: number, work: () => void): Limit {
  let look: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    look = setImmediate(work);
  }, milliseconds);
  return {
    cancel: () => {
      clearTimeout(timer);
      clearImmediate(look);
    },
  };
}
