import { isLanguage, LANGUAGES, snippetsOf, type Topic } from './snippets.js';

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
