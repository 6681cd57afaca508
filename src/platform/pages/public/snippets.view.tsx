import { readFileSync } from 'node:fs';
import { FILES } from '../../files/project-files.js';
import { Copy } from '../resource.view.js';

const FOLDER = new URL('assets/guide/', FILES);

/** Languages by their file extensions. */
const LANGUAGES = [
  ['sh', 'curl'],
  ['mjs', 'JavaScript'],
  ['py', 'Python'],
  ['php', 'PHP'],
] as const;

export const TOPICS = [
  'first-call',
  'error',
  'client',
  'paging',
  'etag',
  'export',
  'changes',
  'feed',
  'ranges',
  'send',
] as const;
export type Topic = (typeof TOPICS)[number];

/** Returns the snippets of a topic, one for each language. The tests run these files. */
export function snippetsOf(topic: Topic) {
  return LANGUAGES.map(([language]) => {
    const file = `${topic}.${language}`;
    return { language, file, code: readFileSync(new URL(file, FOLDER), 'utf8') };
  });
}

/** Selects the language of the snippets; the style sheet hides the others. */
export function LanguageChoice() {
  return (
    <form class="card languages">
      <fieldset>
        <legend>Show the snippets in</legend>
        {LANGUAGES.map(([language, name], at) => (
          <label class="choice">
            <input
              type="radio"
              name="language"
              value={language}
              id={`language-${language}`}
              checked={at === 0}
            />
            {name}
          </label>
        ))}
      </fieldset>
    </form>
  );
}

export function Snippets({ topic }: { readonly topic: Topic }) {
  const snippets = snippetsOf(topic).map(({ language, file, code }) => {
    const id = file.replace('.', '-');
    return (
      <figure class={`snippet in-${language}`}>
        <figcaption>
          <a href={`/docs/guide/${file}`}>{file}</a>
          <Copy of={id} class="quiet" label={`Copy ${file}`} />
          <span class="hint" role="status" data-copied={id} />
        </figcaption>
        <pre tabindex={0} role="group" aria-label={file}>
          <code id={id}>{code}</code>
        </pre>
      </figure>
    );
  });
  return <>{snippets}</>;
}
