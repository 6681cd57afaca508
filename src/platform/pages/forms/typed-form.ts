import type { Request } from 'express';
import { ownPath } from '../paths.js';
import { CSRF_FIELD, isSignedIn, type TypedForm, type Visit } from '../visit.js';

/** Field of each form with the user and the address of the page that has the form. */
export const PAGE_FIELD = 'form_page';
/** Fields with these words in their names are not kept. */
const SECRET = /pass|code|secret|key|token/i;
/** Maximum number of characters of the fields, so that a form can carry them encrypted. */
const MAX_TYPED = 6_000;
/** Maximum number of characters of the address of a page; proxies limit the length of headers. */
export const MAX_PAGE_LENGTH = 1_000;

/** Returns the value of PAGE_FIELD for the forms of a page. */
export function pageFieldOf(visit: Visit): string | null {
  if (!isSignedIn(visit)) return null;
  const { method, originalUrl } = visit.request;
  // A page that answers a form has the fields of that form.
  const page = method === 'POST' ? pageIn(visit)?.page : originalUrl;
  if (page === undefined || page.length > MAX_PAGE_LENGTH) return null;
  return `${visit.user.id} ${page}`;
}

/**
 * Returns what was typed into a form of this service, or null for a form of another site, which
 * must not fill a form here.
 */
export function typedFormIn(visit: Visit): TypedForm | null {
  const { request } = visit;
  const from = pageIn(visit);
  if (from === null || !isFromHere(request)) return null;
  const fields = [...visit.fields].filter(
    ([name]) => name !== CSRF_FIELD && name !== PAGE_FIELD && !SECRET.test(name),
  );
  const length = fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return {
    ...from,
    action: request.originalUrl,
    fields: length > MAX_TYPED ? {} : Object.fromEntries(fields),
  };
}

function pageIn(visit: Visit): Pick<TypedForm, 'user_id' | 'page'> | null {
  const [, user_id, page = ''] = /^(\d{1,15}) (.+)$/.exec(visit.field(PAGE_FIELD)) ?? [];
  const isOwn = page.length <= MAX_PAGE_LENGTH && ownPath(page, '') !== '';
  return user_id === undefined || !isOwn ? null : { user_id: Number(user_id), page };
}

/** Returns true if the browser says that a page of this service sent the form. */
function isFromHere(request: Request): boolean {
  const site = request.get('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.get('Origin') ?? '';
  return URL.canParse(origin) && new URL(origin).host === request.host;
}
