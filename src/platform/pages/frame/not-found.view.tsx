import type { Request } from 'express';
import type { ComponentChildren } from 'preact';
import { Actions } from '../ui/facts.view.js';
import { CUSTOMERS_PATH, LIST_PATH, REPORTS_PATH, SIGN_IN_PATH } from '../paths.js';

const OWN_PLACES = [
  [REPORTS_PATH, 'Reports'],
  [LIST_PATH, 'Transactions'],
  [CUSTOMERS_PATH, 'Customers'],
] as const;
const PUBLIC_PLACES = [
  [SIGN_IN_PATH, 'Sign in'],
  ['/docs/guide', 'Guide'],
  ['/docs', 'API reference'],
] as const;

/** Maximum number of characters of an address that are shown. */
const SHOWN = 80;

/**
 * Returns the address of a request as a text to show: without its query, which may have personal
 * data, and not longer than a line or two.
 */
export function shownAddress({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  const [path = ''] = originalUrl.split('?', 1);
  return path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path;
}

/**
 * Says that a page does not exist, and leads to others.
 * @param isSignedIn false to lead to pages that need no account
 */
export function NotFound({
  address,
  detail,
  isSignedIn,
}: {
  readonly address: ComponentChildren;
  readonly detail: string | null;
  readonly isSignedIn: boolean;
}) {
  const places = isSignedIn ? OWN_PLACES : PUBLIC_PLACES;
  return (
    <>
      <p>
        {detail ?? 'This page does not exist.'} The address{' '}
        <bdi>
          <code>{address}</code>
        </bdi>{' '}
        may be mistyped, or from an old link.
      </p>
      <Actions>
        {places.map(([href, words], at) => (
          <a class={at === 0 ? 'button' : 'button quiet'} href={href}>
            {words}
          </a>
        ))}
      </Actions>
    </>
  );
}
