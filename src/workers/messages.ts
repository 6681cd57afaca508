import { Messages } from '../common/process-messages.js';

/** What the primary tells a worker: accept nothing more, stop, or stop when no client can miss you. */
export type Order = 'refuse' | 'stop' | 'retire';

/** What a worker tells the primary: that it answers now, or that it accepts nothing more. */
export type Report = { readonly listensOn: string } | 'refuses';
export const REPORTS = new Messages<Report>('report');

/** What the primary sends now and then, and a worker sends back as soon as it can. */
export const HEARTBEATS = new Messages<null>('heartbeat');

/** The codes of what a worker's database fails with. */
export const DATABASE_FAILURES = new Messages<string>('database failure');
