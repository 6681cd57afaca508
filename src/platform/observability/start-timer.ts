export type Timer = ReturnType<typeof startTimer>;

/** Number of turns of the event loop that a timer takes at least. */
const PARTS = 5;

/**
 * Starts a timeout for network replies that a busy process does not mistake for a silent server.
 * After the event loop was blocked, Node runs due timers before it reads the replies that have
 * arrived, and before it writes pending data. So the time passes in parts, and the network is
 * polled after each of them.
 */
export function startTimer(milliseconds: number, onTimeout: () => void) {
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
