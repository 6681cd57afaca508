/** Kinds of requests that a mirror sends to its upstream, by method and path. */
const KINDS = {
  list: /^GET \/v3\.0\/transactions\/*(?:\?|$)/,
  single: /^GET \/v3\.0\/transactions\/./,
  names: /^GET \/v2\.1\/products\/names\b/,
  detail: /^GET \/v2\.1\/transaction\/details\/./,
  relationship: /^GET \/v2\.1\/affiliates\/\d+\/products\/\d+/,
  'put relationship': /^PUT \/v2\.1\/affiliates\/\d+\/products\/\d+/,
  payment: /^GET \/v2\.0\/recurring_payment\/./,
  'put payment': /^PUT \/v2\.0\/recurring_payment\/./,
  latest: /^GET \/v2\.0\/latest-transactions\b/,
} as const;
const NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[];

export type PathKind = keyof typeof KINDS | 'other';

/** @param path the path with its query */
export function kindOfPath(method: string, path: string): PathKind {
  return NAMES.find((kind) => KINDS[kind].test(`${method} ${path}`)) ?? 'other';
}

/** Counts requests by kind. */
export class PathCounts {
  private readonly counts = new Map<PathKind, number>();

  add(method: string, path: string): void {
    const kind = kindOfPath(method, path);
    this.counts.set(kind, this.of(kind) + 1);
  }

  of(kind: PathKind): number {
    return this.counts.get(kind) ?? 0;
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  clear(): void {
    this.counts.clear();
  }
}
