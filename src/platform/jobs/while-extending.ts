/**
 * Runs work, and extends its lease at an interval meanwhile. A failed extension is ignored, since
 * the next one is in time, and the work itself reports a lasting failure.
 */
export async function whileExtending<Result>(
  everyMs: number,
  extend: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  let extended: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    extended = extend().catch(() => undefined);
  }, everyMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await extended;
  }
}
