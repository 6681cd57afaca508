import type { ComponentChildren } from 'preact';

/**
 * Parts of a program that have a colour. A string without an end goes on to the end of the text, so
 * that the expression takes linear time.
 */
const PART =
  /(?<comment>(?<!\S)(?:#|\/\/|\/\*)[^\n]*)|(?<string>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(?<variable>\$\{?\w+)|(?<word>\w+)/gs;

/** Keywords, and commands of a shell, by the file extension of a language. */
const WORDS = {
  sh: 'case curl do done elif else esac exit export fi for function if in jq local return then until while',
  mjs: 'async await break const continue else export for from function if import let new of return throw try catch typeof while',
  py: 'and as assert break class continue def elif else except for from if import in is lambda None not or raise return True False try while with yield',
  php: 'array as break catch class continue echo else exit false fn for foreach function if new null require require_once return static throw true try while',
} as const;

/** Returns the text of a program with its comments, strings and keywords in elements of their own. */
export function highlighted(code: string, language: keyof typeof WORDS): ComponentChildren[] {
  const keywords = new Set(WORDS[language].split(' '));
  const shown: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(PART)) {
    const kind = kindOf(groups, keywords);
    if (kind === null) continue;
    shown.push(code.slice(end, index), <span class={`code-${kind}`}>{text}</span>);
    end = index + text.length;
  }
  return [...shown, code.slice(end)];
}

function kindOf(
  { comment, string, variable, word }: Readonly<Record<string, string | undefined>>,
  keywords: ReadonlySet<string>,
): 'comment' | 'string' | 'variable' | 'number' | 'keyword' | null {
  if (comment !== undefined) return 'comment';
  if (string !== undefined) return 'string';
  if (variable !== undefined) return 'variable';
  if (word === undefined) return null;
  if (/^\d/.test(word)) return 'number';
  return keywords.has(word) ? 'keyword' : null;
}
