import { isRecord } from '../common/is-record.js';

/** What the primary tells a worker: accept nothing more, stop, or stop when no client can miss you. */
export type Order = 'refuse' | 'stop' | 'retire';

/** What a worker tells the primary: that it answers now, or that it accepts nothing more. */
export type Report = { readonly listensOn: string } | 'refuses';

/** What the primary sends now and then, and a worker sends back as soon as it can. */
export const HEARTBEAT = { heartbeat: true } as const;

export function isHeartbeat(message: unknown): boolean {
  return isRecord(message) && message.heartbeat === true;
}

/** The code of what a worker's database fails with. */
export interface DatabaseFailure {
  readonly databaseFailure: string;
}

export function isDatabaseFailure(message: unknown): message is DatabaseFailure {
  return isRecord(message) && typeof message.databaseFailure === 'string';
}

export function isReport(message: unknown): message is Report {
  return message === 'refuses' || (isRecord(message) && typeof message.listensOn === 'string');
}
