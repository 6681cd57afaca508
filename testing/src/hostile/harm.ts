import type { Answer } from '../service/http.js';

/** A template that evaluates 7331*7331 would show this number, which no hostile text has. */
const CALCULATED = '53743561';

/** Returns what an answer shows of a hostile text that was interpreted. */
export function harmOf({ headers, text }: Answer): string[] {
  const whole = JSON.stringify(headers) + text;
  return [
    ...(whole.includes(CALCULATED) ? ['it calculated'] : []),
    ...('x-injected' in headers ? ['a header was injected'] : []),
  ];
}
