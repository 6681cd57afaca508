import { formatDateTime } from '../../common/time.js';

const TO_THE_MINUTE = '2025-06-01 18:03'.length;

/** A moment in UTC; every page says at its end that all times are UTC. */
export function Moment({
  at,
  isExact = false,
}: {
  readonly at: string;
  /** To the second in place of the minute. */
  readonly isExact?: boolean;
}) {
  const [day, time] = (isExact ? at : at.slice(0, TO_THE_MINUTE)).split(' ');
  return (
    <time dateTime={formatDateTime(at)}>
      <span>{day}</span> <span>{time}</span>
    </time>
  );
}
