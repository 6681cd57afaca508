import { readFileSync } from 'node:fs';
import { renderToString } from 'preact-render-to-string';
import { FILES } from '../../files/project-files.js';
import { CodeBox, Copy } from '../resource.view.js';
import { highlighted } from './highlighted.view.js';
import { OWN_APPLICATIONS } from './public-page.js';

const FOLDER = new URL('assets/guide/', FILES);

/** Languages by their file extensions. */
export const LANGUAGES = [
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
  'queries',
  'figures',
  'export',
  'changes',
  'reasons',
  'webhook',
  'feed',
  'ranges',
  'send',
] as const;
type Topic = (typeof TOPICS)[number];

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
    <form class="languages">
      <fieldset>
        <legend>Show the snippets in</legend>
        <div class="tabs">
          {LANGUAGES.map(([language, name], at) => (
            <label>
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
        </div>
      </fieldset>
    </form>
  );
}

function Snippets({ topic }: { readonly topic: Topic }) {
  const snippets = snippetsOf(topic).map(({ language, file, code }) => {
    const id = file.replace('.', '-');
    return (
      <CodeBox
        id={id}
        name={file}
        title={<a href={`/docs/guide/${file}`}>{file}</a>}
        style={`in-${language}`}
      >
        {highlighted(code, language)}
      </CodeBox>
    );
  });
  return <>{snippets}</>;
}

/** Address of the service in the text of the guide, in whose place the page shows the real one. */
export const EXAMPLE_ADDRESS = 'https://reports.example';
/** Mark of the guide's text in whose place the page has a button that copies the environment. */
export const COPY_MARK = '<!-- copy environment -->';

/** Mark of the guide's text in whose place a user who is signed in sees the own applications. */
export const OWN_MARK = '<!-- own applications -->';

function CopyButton({ id, label }: { readonly id: string; readonly label: string }) {
  return (
    <>
      <Copy of={id} label={label} />
      <span class="hint" role="status" data-copied={id} />
    </>
  );
}

/** Returns the HTML of the guide's text with its snippets. */
export function guideText(): string {
  const copy = renderToString(
    <CopyButton id="environment" label="Copy the environment variables" />,
  );
  const source = guideSource()
    .replace(COPY_MARK, () => copy)
    .replace(OWN_MARK, OWN_APPLICATIONS);
  return TOPICS.reduce((html, topic) => {
    const snippets = renderToString(<Snippets topic={topic} />);
    return html.replace(snippetMark(topic), () => snippets);
  }, source);
}

/** Returns the mark of the guide's text in whose place the snippets of a topic are shown. */
export function snippetMark(topic: Topic): string {
  return `<!-- snippets ${topic} -->`;
}

/**
 * Returns the HTML of the guide's text, with marks in place of the snippets. The text is in a file,
 * whose line breaks and indentation are no part of the text outside `pre`.
 */
export function guideSource(): string {
  const file = readFileSync(new URL('guide.html', FOLDER), 'utf8');
  const tags = file.replaceAll(/<[^<>]+>/g, (tag) =>
    tag.replaceAll(/\s+/g, ' ').replace(' >', '>'),
  );
  const parts = tags.split(/(<pre .*?<\/pre>)/s);
  return parts.map((part) => (part.startsWith('<pre ') ? part : inOneLine(part))).join('');
}

/** Removes line breaks, and the spaces beside the tags of blocks. */
function inOneLine(html: string): string {
  return html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?(<!--.*?-->|<\/?(?:h[23]|li|p|ul|figure|figcaption)(?: [^>]*)?>|^|$) ?/g, '$1');
}
