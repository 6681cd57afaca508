import { envelopeOf, type Answer } from '../service/http.js';

/** At most so many pages of a list are read in a row. */
const MOST_PAGES = 20;

/**
 * Reads a list as the envelope says: to its end, and once more with one result on each page, so that
 * a short list has later pages, too.
 * @param path path of the first page
 * @returns the answers, that to `path` first; one answer if it is no paged list
 */
export async function answersOf<Received extends Answer>(
  path: string,
  ask: (path: string) => Promise<Received>,
): Promise<readonly [Received, ...Received[]]> {
  const first = await ask(path);
  const further = await pagesAfter(path, first, ask);
  if (pageOf(first) === undefined) return [first];
  const start = withPage(path, 1, 0);
  const smallest = await ask(start);
  return [first, ...further, smallest, ...(await pagesAfter(start, smallest, ask))];
}

async function pagesAfter<Received extends Answer>(
  path: string,
  first: Received,
  ask: (path: string) => Promise<Received>,
): Promise<Received[]> {
  const answers: Received[] = [];
  let page = pageOf(first);
  while (page?.has_more === true && answers.length < MOST_PAGES) {
    const answer = await ask(withPage(path, page.page_size, page.page_index + 1));
    answers.push(answer);
    page = pageOf(answer);
  }
  return answers;
}

/** Returns the page that an answer has, or undefined if it is no page of a list. */
function pageOf(answer: Answer) {
  try {
    return envelopeOf(answer).meta.pagination;
  } catch {
    return undefined;
  }
}

function withPage(path: string, page_size: number, page_index: number): string {
  const [route = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('page_size', String(page_size));
  parameters.set('page_index', String(page_index));
  return `${route}?${parameters.toString()}`;
}
