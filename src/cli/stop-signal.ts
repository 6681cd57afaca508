/** Aborted when somebody ends this command with Ctrl+C or SIGTERM. A second time ends the process. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop.abort();
    });
  }
  return stop.signal;
}
