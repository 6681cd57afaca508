import { readFileSync } from 'node:fs';
import { FILES } from '../../common/project-files.js';

const FOLDER = new URL('assets/guide/', FILES);

/** Names of the languages, by file extension. */
const LANGUAGES = {
  sh: 'curl',
  mjs: 'JavaScript',
  py: 'Python',
  php: 'PHP',
} as const;
type Language = keyof typeof LANGUAGES;

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

interface Snippet {
  readonly language: Language;
  /** File name, such as `client.mjs`. */
  readonly file: string;
  readonly code: string;
}

/** Returns the snippets of a topic, one for each language. The tests run these files. */
export function snippetsOf(topic: Topic): Snippet[] {
  return Object.keys(LANGUAGES)
    .filter(isLanguage)
    .map((language) => {
      const file = `${topic}.${language}`;
      return { language, file, code: readFileSync(new URL(file, FOLDER), 'utf8') };
    });
}

function isLanguage(ending: string): ending is Language {
  return Object.hasOwn(LANGUAGES, ending);
}

/** Selects the language of the snippets; the style sheet hides the others. */
export function LanguageChoice() {
  const languages = Object.keys(LANGUAGES).filter(isLanguage);
  return (
    <form class="card languages">
      <fieldset>
        <legend>Show the snippets in</legend>
        {languages.map((language, at) => (
          <label class="choice">
            <input
              type="radio"
              name="language"
              value={language}
              id={`language-${language}`}
              checked={at === 0}
            />
            {LANGUAGES[language]}
          </label>
        ))}
      </fieldset>
    </form>
  );
}

export function Snippets({ topic }: { readonly topic: Topic }) {
  return (
    <>
      {snippetsOf(topic).map(({ language, file, code }) => (
        <Code language={language} file={file} code={code} />
      ))}
    </>
  );
}

function Code({
  language,
  file,
  code,
}: {
  readonly language: string;
  readonly file: string;
  readonly code: string;
}) {
  const id = file.replace('.', '-');
  return (
    <figure class={`snippet in-${language}`}>
      <figcaption>
        <a href={`/docs/guide/${file}`}>{file}</a>
        <button type="button" class="quiet" data-copy={id} aria-label={`Copy ${file}`} hidden>
          Copy
        </button>
        <span class="hint" role="status" data-copied={id} />
      </figcaption>
      <pre tabindex={0} role="group" aria-label={file}>
        <code id={id}>{code}</code>
      </pre>
    </figure>
  );
}
