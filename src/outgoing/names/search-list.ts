/** The part of resolv.conf that defines how short names are completed. */
export interface SearchList {
  readonly domains: readonly string[];
  /** Number of dots from which a name is looked up unchanged before it is completed. */
  readonly dots: number;
}

const MAX_DOMAINS = 6;
const MAX_DOTS = 15;

export function parseSearchList(text: string): SearchList {
  let [domains, dots]: [readonly string[], number] = [[], 1];
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line.split(/\s+/).filter((word) => word !== '');
    if (keyword === 'search' || keyword === 'domain') domains = words.slice(0, MAX_DOMAINS);
    if (keyword !== 'options') continue;
    for (const word of words) {
      const [, wanted] = /^ndots:(\d{1,3})$/.exec(word) ?? [];
      if (wanted !== undefined) dots = Math.min(Number(wanted), MAX_DOTS);
    }
  }
  return { domains, dots };
}

/** Returns the full names that a name may stand for, in the order of their lookups. */
export function completedNames(name: string, { domains, dots }: SearchList): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const completed = domains.map((domain) => `${name}.${domain.replace(/\.$/, '')}`);
  return name.split('.').length > dots ? [name, ...completed] : [...completed, name];
}
