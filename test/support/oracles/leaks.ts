import { basic } from '../http/http.js';

/** What must not be seen, under a name that a failing test may show. */
export type Secrets = Readonly<Record<string, string>>;

/** A key as it is, as a header carries it, and a part that is too much of it. */
export function formsOfKey(name: string, key: string): Secrets {
  const token = basic(key).Authorization.slice('Basic '.length);
  return {
    [name]: key,
    [`${name} as Authorization`]: token.replace(/=+$/, ''),
    [`the first half of ${name}`]: key.slice(0, key.length / 2),
  };
}

/** Each line that holds a secret, with the secret's name; letter case does not hide it. */
export function leaksIn(text: string, secrets: Secrets): string[] {
  const found = Object.entries(secrets).filter(([, secret]) => holds(text, secret));
  return found.flatMap(([name, secret]) =>
    text
      .split('\n')
      .filter((line) => holds(line, secret))
      .map((line) => `${name}: ${line}`),
  );
}

function holds(text: string, secret: string): boolean {
  const hidden = secret.toLowerCase();
  return [
    hidden,
    encodeURIComponent(hidden).toLowerCase(),
    JSON.stringify(hidden).slice(1, -1),
  ].some((form) => text.toLowerCase().includes(form));
}
