import type { ComponentChildren } from 'preact';
import {
  APPLICATIONS_PATH,
  termsPath,
  UPSTREAM_PATH,
  WEBHOOKS_PATH,
  withQuery,
} from '../../../platform/pages/paths.js';
import { isolatedText } from '../../../platform/pages/ui/isolated-text.js';

/** Names of the things of an account, by id. A thing without a name here is shown by its id. */
export interface ActivityNames {
  readonly applications: ReadonlyMap<number, string>;
  readonly affiliates: ReadonlyMap<number, string>;
  readonly products: ReadonlyMap<number, string>;
}

/** Shows what was done, with a link to the thing. */
export function What({
  words,
  thing,
}: {
  readonly words: ComponentChildren;
  readonly thing: Thing | null;
}) {
  if (thing === null) return <>{words}</>;
  const { text, href } = thing;
  if (text === null) return <a href={href}>{words}</a>;
  return (
    <>
      {words}: {href === null ? text : <a href={href}>{text}</a>}
    </>
  );
}

export type Thing =
  /** A thing whose page may exist. */
  | { readonly text: string; readonly href: string | null }
  /** A thing that the words name, with its page. */
  | { readonly text: null; readonly href: string };

/** Matches the subjects that need no line of their own: the account itself, and a customer. */
const SAID = /^(?:user|vendor|person at user) \d+$/;
const TERMS = /^affiliate (\d+), product (\d+)$/;
const PRODUCT = /^product (\d+)$/;
/** Things by the form of their subjects. The values of the groups are ids. */
const THINGS: readonly (readonly [
  form: RegExp,
  thing: (ids: readonly string[], names: ActivityNames) => Thing,
])[] = [
  [
    /^application (\d+) of user \d+$/,
    ([id = ''], { applications }) => ({
      text: applications.get(Number(id)) ?? id,
      href: applications.has(Number(id)) ? `${APPLICATIONS_PATH}/${id}` : null,
    }),
  ],
  [
    /^webhook endpoint (\d+) of user \d+$/,
    ([id = '']) => ({ text: `endpoint ${id}`, href: `${WEBHOOKS_PATH}/${id}` }),
  ],
  [/^upstream \d+ of user \d+$/, () => ({ text: null, href: UPSTREAM_PATH })],
  [
    TERMS,
    ([affiliate = '', product = ''], { affiliates, products }) => ({
      text: `${nameOf('affiliate', affiliate, affiliates)}, ${nameOf('product', product, products)}`,
      href: withQuery(termsPath(Number(affiliate)), { product }),
    }),
  ],
  [/^recurring payment (\d+)$/, ([id = '']) => ({ text: id, href: null })],
  [PRODUCT, ([id = ''], { products }) => ({ text: products.get(Number(id)) ?? id, href: null })],
];

/** Returns null if the sentence names the thing already. */
export function thingOf(subject: string, names: ActivityNames): Thing | null {
  if (SAID.test(subject)) return null;
  for (const [form, thing] of THINGS) {
    const found = form.exec(subject);
    if (found !== null) return thing(found.slice(1), names);
  }
  return { text: subject, href: null };
}

/** Returns the name of an affiliate or a product, or what it is and its id if it has no name. */
function nameOf(what: string, id: string, names: ReadonlyMap<number, string>): string {
  const name = names.get(Number(id)) ?? id;
  return name === id ? `${what} ${id}` : isolatedText(name);
}

/** Returns a subject as a sentence names it: affiliate terms by names, all others as they are. */
export function subjectText(subject: string, names: ActivityNames): string {
  return (TERMS.test(subject) ? thingOf(subject, names)?.text : null) ?? subject;
}

/** Returns the ids of the affiliates and of the products that subjects name. */
export function idsIn(subjects: readonly string[]) {
  const terms = subjects.flatMap((subject) => [TERMS.exec(subject)?.slice(1).map(Number) ?? []]);
  const affiliates = terms.flatMap(([affiliate]) => affiliate ?? []);
  const ofTerms = terms.flatMap(([, product]) => product ?? []);
  const alone = subjects.flatMap((subject) => PRODUCT.exec(subject)?.slice(1).map(Number) ?? []);
  return {
    affiliates: [...new Set(affiliates)],
    products: [...new Set([...ofTerms, ...alone])],
  };
}
