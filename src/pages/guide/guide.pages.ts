import { PublicFile } from '../../server/middleware/public-file.js';
import { renderGuide } from './guide.view.js';
import { snippetsOf, TOPICS } from './snippets.js';

/** Returns the guide and its snippet files, by path below /docs. */
export function guideFiles(
  headers: Readonly<Record<string, string>>,
  basePath: string,
): Map<string, PublicFile> {
  const snippets = TOPICS.flatMap(snippetsOf).map(
    ({ file, code }) => [`/guide/${file}`, new PublicFile(code, 'text/plain', headers)] as const,
  );
  return new Map([
    ['/guide', new PublicFile(renderGuide(basePath), 'text/html', headers)],
    ...snippets,
  ]);
}
