import { createConnection, type Connection } from 'mysql2';
import type { MysqlHost, MysqlSettings } from '../../config/settings/database-url.js';
import { startTimer } from '../../common/start-timer.js';

const BEAT_MS = 200;
/** A server that is busy, or waits for its cluster, answers a ping at once all the same. */
const SILENT_MS = 400;
/** Less than a statement may take, so that it is begun anew elsewhere. */
const GIVEN_UP_MS = 800;

/** What a pulse tells. */
export interface HeartbeatListener {
  /** It takes no connection, or has not answered in time. */
  onUnresponsive(reason: Error): void;
  /** It has not answered for so long that what is under way there is not to be waited for. */
  onDead(): void;
}

/** Asks a server again and again, beside the requests, whether it is there. */
export class HostHeartbeat {
  private connection: Connection | undefined;
  private next: NodeJS.Timeout | undefined;
  private isEnding = false;
  private giveUp: () => void = () => undefined;

  constructor(
    private readonly settings: MysqlSettings,
    private readonly address: MysqlHost,
    private readonly patient: HeartbeatListener,
  ) {
    this.beatLater();
  }

  /** Looks once more, so that what is under way there is told where nobody is left to answer it. */
  endSoon(): void {
    this.isEnding = true;
    if (this.next === undefined) return;
    clearTimeout(this.next);
    void this.beat();
  }

  end(): void {
    this.isEnding = true;
    clearTimeout(this.next);
    this.drop();
  }

  private beatLater(): void {
    if (this.isEnding) this.drop();
    else this.next = setTimeout(() => void this.beat(), BEAT_MS).unref();
  }

  private async beat(): Promise<void> {
    this.next = undefined;
    const isNew = this.connection === undefined;
    const connection = (this.connection ??= this.connected());
    const limits = [
      startTimer(SILENT_MS, () => {
        this.patient.onUnresponsive(new Error('it is silent'));
      }),
      startTimer(GIVEN_UP_MS, () => {
        this.patient.onDead();
        this.drop();
      }),
    ];
    const fault = await this.answerOn(connection);
    for (const limit of limits) limit.cancel();
    if (fault !== null) this.drop();
    // A connection may be lost for many a reason; one that can not be made tells.
    if (fault !== null && isNew) this.patient.onUnresponsive(fault);
    this.beatLater();
  }

  /** @returns what was wrong, or null */
  private answerOn(connection: Connection): Promise<Error | null> {
    return new Promise((resolve) => {
      this.giveUp = () => {
        resolve(new Error('it was given up'));
      };
      // The driver's types know of an error only; there is none where the server answers.
      connection.ping((error: Error | null | undefined) => {
        resolve(error ?? null);
      });
    });
  }

  private connected(): Connection {
    const { user, password, tls } = this.settings;
    const connection = createConnection({
      ...this.address,
      ...tls,
      // Given up by the beat, before.
      ...{ user, password, connectTimeout: 2 * GIVEN_UP_MS },
    });
    // Its loss is found out by the next beat.
    connection.on('error', () => undefined);
    return connection;
  }

  private drop(): void {
    this.connection?.destroy();
    this.connection = undefined;
    this.giveUp();
  }
}
