/** Only the parts of an answer that differ in each run are masked in the recording. */

const MASK = '*';
const DAY_MS = 86_400_000;
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
/** Headers whose whole value differs. */
const WHOLE = /^(Date|ETag|Last-Modified|Retry-After|X-RateLimit-Reset|X-Ledger-Cursor): .*$/i;
/** Seconds until a window of a limit ends, within a header. */
const RESETS = /^(RateLimit: .*)$/i;
const CURSOR = /"(cursor|next_cursor)":("[^"]*"|\d+)/g;
const BODY_PARTS: readonly RegExp[] = [
  UUID,
  // The time that a test of an endpoint took.
  /(?<="duration_ms":)\d+/g,
  // Signing secrets, and ids of deliveries.
  /whsec_[\w+/=]+/g,
  /(?<=in )\d+(?= seconds?\b)/g,
];

/** A header line of an answer. */
export function maskedHeader(line: string): string {
  const whole = WHOLE.exec(line);
  if (whole !== null) return `${whole[1] ?? ''}: ${MASK}`;
  const masked = line.replace(UUID, MASK);
  return RESETS.test(masked) ? masked.replace(/;t=\d+/g, `;t=${MASK}`) : masked;
}

/** The text of a body. */
export function maskedBody(text: string): string {
  const parts = BODY_PARTS.reduce((so, part) => so.replace(part, MASK), text);
  return parts.replace(CURSOR, `"$1":"${MASK}"`).replace(momentsOfRun(), MASK);
}

/** Moments of yesterday, today and tomorrow, in each form: the ledger has none of them. */
function momentsOfRun(): RegExp {
  const days = [-DAY_MS, 0, DAY_MS].map((later) =>
    new Date(Date.now() + later).toISOString().slice(0, 10),
  );
  return new RegExp(
    `(?:${days.join('|')})[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:\\+00:00|Z)?`,
    'g',
  );
}
