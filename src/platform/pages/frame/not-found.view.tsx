import { Actions } from '../ui/facts.view.js';
import { REPORTS_PATH, SEARCH_PATH } from '../paths.js';

const PLACES = [
  [SEARCH_PATH, 'Search'],
  ['/docs/guide', 'Guide'],
  ['/docs', 'API reference'],
] as const;

/** Says that a page does not exist, and leads to others. */
export function NotFound({ detail }: { readonly detail: string | null }) {
  return (
    <>
      <p class="lead">
        {detail ?? 'This page does not exist.'} The address may be mistyped, or from an old link.
      </p>
      <Actions>
        <a class="button" href={REPORTS_PATH}>
          Reports
        </a>
        {PLACES.map(([href, words]) => (
          <a class="button quiet" href={href}>
            {words}
          </a>
        ))}
      </Actions>
    </>
  );
}
