import { basic } from '../http/http.js';

/** Values that must not be visible, by names that a failing test may show. */
export type Secrets = Readonly<Record<string, string>>;

/**
 * Returns the forms of a key that no output may contain: the key, its form in a header, and its
 * first half.
 */
export function formsOfKey(name: string, key: string): Secrets {
  const token = basic(key).Authorization.slice('Basic '.length);
  return {
    [name]: key,
    [`${name} as Authorization`]: token.replace(/=+$/, ''),
    [`the first half of ${name}`]: key.slice(0, key.length / 2),
  };
}

/**
 * Returns each line that contains a secret, with the secret's name. Upper and lower case are not
 * distinguished.
 */
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
