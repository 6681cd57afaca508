import { readFileSync } from 'node:fs';
import { FILES } from '../../common/project-files.js';

const FOLDER = new URL('assets/guide/', FILES);

/** Names of the languages, by file extension. */
export const LANGUAGES = {
  sh: 'curl',
  mjs: 'JavaScript',
  py: 'Python',
  php: 'PHP',
} as const;
export type Language = keyof typeof LANGUAGES;

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

export interface Snippet {
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

export function isLanguage(ending: string): ending is Language {
  return Object.hasOwn(LANGUAGES, ending);
}
