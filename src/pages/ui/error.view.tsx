import type { ApiError } from '../../common/errors/api-error.js';
import { CATALOGUE, type Failure } from '../../common/errors/catalogue.js';
import type { Page } from '../http/page-answer.js';
import { isSignedIn, type Visit } from '../session/visit.js';

/** Titles for users; the messages of the catalogue are for programs. */
const TITLES: Readonly<Partial<Record<Failure, string>>> = {
  forbidden: 'Request refused',
  insufficient_access: 'Request refused',
  not_found: 'Page not found',
  too_many_requests: 'Too many requests',
};

export function errorPage({ failure, detail }: ApiError, visit: Visit): Page {
  const title = TITLES[failure] ?? CATALOGUE[failure].message;
  return {
    kind: 'page',
    title,
    failure,
    view: (
      <>
        <h1>{title}</h1>
        {detail !== null && <p>{detail}</p>}
        <p>
          {isSignedIn(visit) ? (
            <a href="/account">Back to the account</a>
          ) : (
            <a href="/">Back to the home page</a>
          )}
        </p>
      </>
    ),
  };
}
