export interface Timer {
  cancel(): void;
}

/**
 * A timeout for network replies. After the event loop was blocked, Node runs due timers before it reads
 * replies that have already arrived, so this polls the network once more before it fires.
 */
export function startTimer(milliseconds: number, onTimeout: () => void): Timer {
  let immediate: NodeJS.Immediate | undefined;
  const timeout = setTimeout(() => {
    immediate = setImmediate(onTimeout);
  }, milliseconds);
  return {
    cancel: () => {
      clearTimeout(timeout);
      clearImmediate(immediate);
    },
  };
}
