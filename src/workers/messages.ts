import { Messages } from '../common/process-messages.js';

/** From the primary to a worker: stop accepting connections, stop, or stop without haste. */
export type Order = 'stop-accepting' | 'stop' | 'retire';

/** From a worker to the primary: it listens, or it accepts no more connections. */
export type Report = { readonly listensOn: string } | 'not-accepting';
export const REPORTS = new Messages<Report>('report');

/** Sent by the primary, and sent back by the worker. */
export const HEARTBEATS = new Messages<null>('heartbeat');

/** From a worker to the primary: error codes of its database. */
export const DATABASE_FAILURES = new Messages<string>('database failure');
