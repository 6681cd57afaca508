import { formatDateTime } from '../../common/time.js';

const TO_THE_MINUTE = '2025-06-01 18:03'.length;

/** Shows a date-time in UTC; the footer of every page says that all times are UTC. */
export function DateTime({
  at,
  isExact = false,
}: {
  /** Null if it is unknown. */
  readonly at: string | null;
  /** Shows seconds. */
  readonly isExact?: boolean;
}) {
  if (at === null) return <>–</>;
  const [day, time] = (isExact ? at : at.slice(0, TO_THE_MINUTE)).split(' ');
  return (
    <time dateTime={formatDateTime(at)}>
      <span>{day}</span> <span>{time}</span>
    </time>
  );
}
