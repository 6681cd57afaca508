/**
 * Returns a signal that aborts when the command is ended with Ctrl+C or SIGTERM. A second one ends
 * the process.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop.abort();
    });
  }
  return stop.signal;
}
