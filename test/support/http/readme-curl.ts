import { readFileSync } from 'node:fs';

/** Returns the path and query of the first call in the README, which new users copy. */
export function readmePath(): string {
  const [, path = ''] = /curl -u YOUR_KEY:x 'http:\/\/[^/]+(\/[^']+)'/.exec(readme()) ?? [];
  return path;
}

/** Returns the dates in the first call of the README. */
export function readmeRange(): { readonly start_date: string; readonly end_date: string } {
  const query = new URLSearchParams(readmePath().split('?')[1]);
  return { start_date: query.get('start_date') ?? '', end_date: query.get('end_date') ?? '' };
}

function readme(): string {
  return readFileSync('README.md', 'utf8');
}
