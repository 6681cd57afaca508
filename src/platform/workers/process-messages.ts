import { isRecord } from '../values/is-record.js';
import { startTimer } from '../observability/start-timer.js';

/** A channel is a worker in the primary process, and `process` in a worker. */
export interface Channel {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  /** Sends a message. It is undefined if there is no other process. */
  send?(message: unknown, callback: (error: Error | null) => void): boolean;
}

/** Sends and receives one-way messages of one kind between processes. */
export class Messages<Content> {
  constructor(private readonly kind: string) {}

  /**
   * Sends a message, or does nothing if there is no other process.
   * @param onLost called if the other process has exited
   */
  send(channel: Channel, content: Content, onLost: () => void = () => undefined): void {
    channel.send?.({ kind: this.kind, content }, (error) => {
      if (error !== null) onLost();
    });
  }

  onEach(channel: Channel, listener: (content: Content) => void): void {
    channel.on('message', (message) => {
      if (this.isMine(message)) listener(message.content);
    });
  }

  private isMine(message: unknown): message is { readonly content: Content } {
    return isRecord(message) && message.kind === this.kind;
  }
}

/** Sends questions of one kind to another process, and receives the replies. */
export class Questions<Question, Reply> {
  private readonly questions: Messages<{ readonly id: number; readonly question: Question }>;
  private readonly replies: Messages<{ readonly id: number; readonly reply: Reply }>;
  private readonly listened = new WeakSet<Channel>();
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private asked = 0;

  constructor(
    kind: string,
    private readonly timeoutMs: number,
  ) {
    this.questions = new Messages(`${kind} question`);
    this.replies = new Messages(`${kind} reply`);
  }

  /**
   * Sends a question.
   * @returns null if there is no reply in time
   */
  ask(channel: Channel, question: Question): Promise<Reply | null> {
    this.listenTo(channel);
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve) => {
      const settle = (reply: Reply | null) => {
        timer.cancel();
        this.waiting.delete(id);
        resolve(reply);
      };
      const giveUp = () => {
        settle(null);
      };
      const timer = startTimer(this.timeoutMs, giveUp);
      this.waiting.set(id, settle);
      this.questions.send(channel, { id, question }, giveUp);
    });
  }

  answer(channel: Channel, replyTo: (question: Question) => Reply | Promise<Reply>): void {
    this.questions.onEach(channel, ({ id, question }) => {
      void Promise.resolve(replyTo(question)).then((reply) => {
        this.replies.send(channel, { id, reply });
      });
    });
  }

  private listenTo(channel: Channel): void {
    if (this.listened.has(channel)) return;
    this.listened.add(channel);
    this.replies.onEach(channel, ({ id, reply }) => this.waiting.get(id)?.(reply));
  }
}

/** The primary orders a worker to stop accepting connections, to stop, or to stop without haste. */
export type Order = 'stop-accepting' | 'stop' | 'retire';

/** A worker reports to the primary that it listens, or that it accepts no more connections. */
export type Report = { readonly listensOn: string } | 'not-accepting';
export const REPORTS = new Messages<Report>('report');

/** Heartbeats, which the primary sends and the worker sends back. */
export const HEARTBEATS = new Messages<null>('heartbeat');

/** Error codes of its database that a worker sends to the primary. */
export const DATABASE_FAILURES = new Messages<string>('database failure');
