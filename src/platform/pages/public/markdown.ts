import { readFileSync } from 'node:fs';
import { slugOf, titleOf, VERSIONS, type CoreVersion } from '../../../api/versions/api-versions.js';
import { API_TITLE } from '../../openapi/api-documents.js';
import { documentFile } from '../../openapi/document-files.js';
import { documentPath } from '../../openapi/serve-documents.js';
import { isRecord } from '../../values/is-record.js';
import {
  COPY_MARK,
  guideSource,
  LANGUAGES,
  OWN_MARK,
  snippetMark,
  snippetsOf,
  TOPICS,
} from './snippets.view.js';

export type Fields = Readonly<Record<string, unknown>>;

/** Returns the path of the reference of a version as Markdown. */
export function markdownPath(version: CoreVersion): string {
  return `/docs/${slugOf(version)}.md`;
}

/** Returns the list of texts for language models, which `/llms.txt` serves. */
export function llmsText(basePath: string): string {
  const link = (path: string, title: string, about: string) =>
    `- [${title}](${basePath}${path}): ${about}`;
  return linesOf([
    `# ${API_TITLE}`,
    '',
    '> Transactions, customers, affiliates, products and recurring payments of vendors of digital products, exact to the cent, as a JSON API. An API key is the user name of HTTP Basic authentication; the password is `x`.',
    '',
    'Assistants can call the same operations as tools of the Model Context Protocol, with the same keys: `POST ' +
      `${basePath}/mcp\`, revisions 2026-07-28 and 2025-11-25, without sessions.`,
    '',
    '## Guide',
    '',
    link(
      '/docs/guide.md',
      'Guide',
      'from the first call to a program that keeps up with new sales',
    ),
    '',
    '## Reference',
    '',
    ...VERSIONS.flatMap((version) => [
      link(markdownPath(version), titleOf(version), 'every operation with its parameters'),
      link(documentPath(version), `${titleOf(version)}, OpenAPI`, 'the same for client generators'),
    ]),
  ]);
}

/** Returns the guide as Markdown, with the snippets of all languages. */
export function guideMarkdown(basePath: string): string {
  const source = guideSource().replace(COPY_MARK, '').replace(OWN_MARK, '');
  const text = blocksOf(source, basePath).replaceAll(/\n{3,}/g, '\n\n');
  const whole = TOPICS.reduce(
    (before, topic) => before.replace(snippetMark(topic), () => snippetBlocks(topic)),
    text,
  );
  return `# Guide\n\n${whole.trim()}\n`;
}

function snippetBlocks(topic: (typeof TOPICS)[number]): string {
  const blocks = snippetsOf(topic).map(({ language, file, code }) => {
    const name = LANGUAGES.find(([end]) => end === language)?.[1] ?? language;
    return `\n${name}, \`${file}\`:\n\n\`\`\`${language}\n${code.trimEnd()}\n\`\`\`\n`;
  });
  return blocks.join('');
}

/** Turns the blocks of the guide's HTML into Markdown. The file has few kinds of tags. */
function blocksOf(html: string, basePath: string): string {
  const parts = html.split(/(<pre .*?<\/pre>)/s);
  const texts = parts.map((part) => (part.startsWith('<pre ') ? codeOf(part) : proseOf(part)));
  return unescaped(texts.join('').replaceAll('](/', `](${basePath}/`));
}

function codeOf(html: string): string {
  const code = html.replace(/^<pre[^>]*><code[^>]*>/, '').replace(/<\/code><\/pre>$/, '');
  return `\n\`\`\`sh\n${code}\n\`\`\`\n`;
}

function proseOf(html: string): string {
  return html
    .replaceAll(/<figcaption>[^<]*<\/figcaption>|<\/?figure[^<>]*>/g, '')
    .replaceAll(/<a href="([^"]*)">(.*?)<\/a>/g, '[$2]($1)')
    .replaceAll(/<h([23])[^>]*>(.*?)<\/h\1>/g, (_, level: string, title: string) => {
      return `\n\n${'#'.repeat(Number(level))} ${title}\n\n`;
    })
    .replaceAll(/<li>(.*?)<\/li>/g, '\n- $1')
    .replaceAll(/<\/?code>/g, '`')
    .replaceAll(/<\/?strong>/g, '**')
    .replaceAll(/<\/?(?:p|ul)(?: [^>]*)?>/g, '\n\n');
}

const ENTITIES = { quot: '"', lt: '<', gt: '>', amp: '&' } as const;

function unescaped(text: string): string {
  return text.replaceAll(/&(quot|lt|gt|amp);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name]);
}

/** Returns the reference of a version as Markdown, from its OpenAPI document. */
export function referenceMarkdown(version: CoreVersion): string {
  const document: unknown = JSON.parse(readFileSync(documentFile(version), 'utf8'));
  const { info, paths, components } = fieldsOf(document);
  return linesOf([
    `# ${API_TITLE}, ${titleOf(version).toLowerCase()}`,
    '',
    textOf(fieldsOf(info).description),
    ...Object.entries(fieldsOf(paths)).flatMap(([path, methods]) =>
      Object.entries(fieldsOf(methods)).flatMap(([method, operation]) =>
        operationLines(`${method.toUpperCase()} ${path}`, fieldsOf(operation)),
      ),
    ),
    '',
    '## Objects',
    ...Object.entries(fieldsOf(fieldsOf(components).schemas)).flatMap(objectLines),
  ]);
}

function operationLines(name: string, operation: Fields): string[] {
  const { summary, description, parameters, requestBody, responses } = operation;
  const list = Array.isArray(parameters) ? parameters.map(fieldsOf) : [];
  const own = list.filter(({ name: parameter }) => typeof parameter === 'string');
  return [
    '',
    `## ${name}`,
    '',
    `${textOf(summary)}.`,
    ...(description === undefined ? [] : ['', textOf(description)]),
    ...(own.length === 0 ? [] : ['', 'Parameters:', '', ...own.map(parameterLine)]),
    ...(requestBody === undefined ? [] : ['', bodyLine(fieldsOf(requestBody))]),
    '',
    'Answers:',
    '',
    ...Object.entries(fieldsOf(responses)).map(([status, answer]) => {
      const { description: about, content } = fieldsOf(answer);
      const [[, body] = []] = Object.entries(fieldsOf(content));
      return `- ${status}: ${inOneLine(about)}${schemaOf(body)}`;
    }),
  ];
}

function parameterLine(parameter: Fields): string {
  const { name, in: place, required, description, schema } = parameter;
  const need = required === true ? ', required' : '';
  const { default: value } = fieldsOf(schema);
  const given = value === undefined ? '' : ` Default: \`${JSON.stringify(value)}\`.`;
  return `- \`${textOf(name)}\` (${textOf(place)}${need}): ${inOneLine(description)}${given}`;
}

function bodyLine({ description, content }: Fields): string {
  const kinds = Object.entries(fieldsOf(content)).map(([type, body]) => `${type}${schemaOf(body)}`);
  return `Body: ${kinds.join(', ')}. ${inOneLine(description)}`;
}

function objectLines([name, schema]: [string, unknown]): string[] {
  const { properties, description } = fieldsOf(schema);
  if (!isRecord(properties)) return [];
  return [
    '',
    `### ${name}`,
    '',
    ...(description === undefined ? [] : [inOneLine(description), '']),
    ...Object.entries(properties).map(([field, value]) => {
      const { description: about, type, items } = fieldsOf(value);
      const kind =
        type === undefined
          ? ''
          : ` (${Array.isArray(type) ? type.map(textOf).join(' or ') : textOf(type)})`;
      return `- \`${field}\`${kind}: ${inOneLine(about)}${refOf(value) || refOf(items)}`;
    }),
  ];
}

/** Names the schema of a body, such as `, object GetTransactionAnswer`. */
function schemaOf(body: unknown): string {
  return refOf(fieldsOf(body).schema);
}

function refOf(schema: unknown): string {
  const { $ref } = fieldsOf(schema);
  return typeof $ref === 'string' ? ` (${$ref.slice($ref.lastIndexOf('/') + 1)})` : '';
}

function inOneLine(text: unknown): string {
  return textOf(text).replaceAll(/\s+/g, ' ').trim();
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function linesOf(lines: readonly string[]): string {
  return `${lines.join('\n').trim()}\n`;
}
