/**
 * Number of heartbeats missed in a row before a worker counts as hung. A primary that was suspended
 * or busy misses at most one.
 */
const BEATS = 10;

export interface HeartbeatListener {
  /** Sends a heartbeat. When the reply arrives, `answered` must be called. */
  send(): void;
  onUnresponsive(): void;
}

/** Detects a worker that no longer replies to heartbeats. */
export class Heartbeat {
  private missed = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(timeoutMs: number, listener: HeartbeatListener) {
    this.timer = setInterval(() => {
      this.missed += 1;
      if (this.missed <= BEATS) {
        listener.send();
        return;
      }
      this.end();
      listener.onUnresponsive();
    }, timeoutMs / BEATS).unref();
  }

  answered(): void {
    this.missed = 0;
  }

  end(): void {
    clearInterval(this.timer);
  }
}
