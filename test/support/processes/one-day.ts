const today = () => new Date().toISOString().slice(0, 10);

/**
 * Does once more what midnight (UTC) fell into: what is expected was worked out for the day before.
 * @param work is given the day on which it runs
 */
export async function onOneDay(work: (day: string) => Promise<void>): Promise<void> {
  for (;;) {
    const day = today();
    try {
      await work(day);
      return;
    } catch (error) {
      if (today() === day) throw error;
    }
  }
}
