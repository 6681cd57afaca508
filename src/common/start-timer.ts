export interface Timer {
  cancel(): void;
}

/** A timer takes at least so many turns of the event loop. */
const PARTS = 5;

/**
 * A timeout for network replies that a busy process does not mistake for a silent server. After the event loop
 * was blocked, Node runs due timers before it reads the replies that have arrived, and before it writes what is
 * to be sent. So the time passes in parts, and the network is polled after each of them.
 */
export function startTimer(milliseconds: number, onTimeout: () => void): Timer {
  let partsLeft = PARTS;
  let timeout: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;
  const startPart = () => {
    timeout = setTimeout(() => {
      immediate = setImmediate(endPart);
    }, milliseconds / PARTS);
  };
  const endPart = () => {
    partsLeft -= 1;
    if (partsLeft === 0) onTimeout();
    else startPart();
  };
  startPart();
  return {
    cancel: () => {
      clearTimeout(timeout);
      clearImmediate(immediate);
    },
  };
}
