const today = () => new Date().toISOString().slice(0, 10);

/**
 * Repeats work during which midnight (UTC) passed, because its expectations were computed for the
 * previous day.
 * @param work receives the day on which it runs
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
