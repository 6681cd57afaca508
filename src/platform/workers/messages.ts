import { Messages } from './process-messages.js';

/** The primary orders a worker to stop accepting connections, to stop, or to stop without haste. */
export type Order = 'stop-accepting' | 'stop' | 'retire';

/** A worker reports to the primary that it listens, or that it accepts no more connections. */
export type Report = { readonly listensOn: string } | 'not-accepting';
export const REPORTS = new Messages<Report>('report');

/** Heartbeats, which the primary sends and the worker sends back. */
export const HEARTBEATS = new Messages<null>('heartbeat');

/** Error codes of its database that a worker sends to the primary. */
export const DATABASE_FAILURES = new Messages<string>('database failure');
