import { formatMoment } from '../../common/time.js';

/** A moment in UTC, to the minute; every page says at its end that all times are UTC. */
export function Moment({ at }: { readonly at: string }) {
  return <time dateTime={formatMoment(at)}>{at.slice(0, 16)}</time>;
}
