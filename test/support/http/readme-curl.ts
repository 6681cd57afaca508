import { readFileSync } from 'node:fs';

/** Path and query of the first call that the README shows: what newcomers paste. */
export function readmePath(): string {
  const [, path = ''] = /curl -u YOUR_KEY:x 'http:\/\/[^/]+(\/[^']+)'/.exec(readme()) ?? [];
  return path;
}

/** The days that it asks for. */
export function readmeRange(): { readonly start_date: string; readonly end_date: string } {
  const query = new URLSearchParams(readmePath().split('?')[1]);
  return { start_date: query.get('start_date') ?? '', end_date: query.get('end_date') ?? '' };
}

function readme(): string {
  return readFileSync('README.md', 'utf8');
}
