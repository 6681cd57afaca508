/** So many beats in a row must be missed: a primary that slept, or was busy itself, counts one at most. */
const BEATS = 10;

/** Whoever is asked at each beat, and must answer before long. */
export interface HeartbeatListener {
  /** Asks it; the answer is told to `answered`. */
  ask(): unknown;
  /** It answered none of the last beats. */
  giveUp(): void;
}

/** Finds out where a process no longer answers, by beats of the primary that it has missed. */
export class Heartbeat {
  private missed = 0;
  private readonly timer: NodeJS.Timeout;

  /** @param longestMs how long it may be silent */
  constructor(longestMs: number, patient: HeartbeatListener) {
    this.timer = setInterval(() => {
      this.missed += 1;
      if (this.missed <= BEATS) {
        patient.ask();
        return;
      }
      this.end();
      patient.giveUp();
    }, longestMs / BEATS).unref();
  }

  answered(): void {
    this.missed = 0;
  }

  end(): void {
    clearInterval(this.timer);
  }
}
