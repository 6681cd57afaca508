import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { bytesAfter, recordedAnswer } from './recorded-answer.js';
import { bytesToSend, titleOf, type RecordedRequest, type Secrets } from './recorded-request.js';

/** Begins each request of a recording. */
const MARK = '=== ';

/** The recorded answers by the requests, in the order in which they were sent. */
export type Recorded = ReadonlyMap<string, string>;

/** Sends requests one after another. */
export class Recorder {
  private index = 0;

  constructor(
    private readonly port: number,
    private readonly secrets: Secrets,
  ) {}

  /** @throws Error if two requests have the same title */
  async record(requests: readonly RecordedRequest[]): Promise<Recorded> {
    const recorded = new Map<string, string>();
    for (const request of requests) {
      const title = titleOf(request);
      if (recorded.has(title)) throw new Error(`recorded twice: ${title}`);
      this.index += 1;
      const bytes = bytesToSend(request, this.secrets, this.index);
      recorded.set(title, recordedAnswer(await bytesAfter(this.port, bytes)));
    }
    return recorded;
  }
}

/** The text of a recording. Requests with the same answer that follow one another share it. */
export function textOf(recorded: Recorded): string {
  let text = '';
  let last: string | undefined;
  for (const [title, answer] of recorded) {
    if (answer !== last && last !== undefined) text += `\n${last}\n\n`;
    text += `${MARK}${title}\n`;
    last = answer;
  }
  return `${text}\n${last ?? ''}\n`;
}

/** Sorted by the requests, with those that have the same answer behind the first of them. */
export function sorted(recorded: Recorded): Recorded {
  const inOrder = [...recorded].sort(([one], [other]) => compare(one, other));
  const first = new Map([...inOrder].reverse().map(([title, answer]) => [answer, title]));
  const firstOf = (answer: string) => first.get(answer) ?? '';
  return new Map(inOrder.sort(([, one], [, other]) => compare(firstOf(one), firstOf(other))));
}

/** The requests whose answers are not those of a text, each with both answers. */
export function differences(before: string, now: string): string[] {
  if (before === now) return [];
  const [old, fresh] = [partsOf(before), partsOf(now)];
  const titles = [...new Set([...old.keys(), ...fresh.keys()])];
  const changed = titles.filter((title) => old.get(title) !== fresh.get(title));
  if (changed.length === 0) return ['the order of the requests'];
  return changed.map((title) =>
    differenceOf(title, old.get(title) ?? 'not recorded', fresh.get(title) ?? 'not sent'),
  );
}

/**
 * Compares with the recording in a file; with UPDATE_RECORDING=on, writes it instead.
 * @returns the differences
 */
export function comparedWith(file: string, recorded: Recorded): string[] {
  const text = textOf(recorded);
  if (process.env.UPDATE_RECORDING === 'on') writeFileSync(file, text);
  return differences(existsSync(file) ? readFileSync(file, 'utf8') : '', text);
}

/** The answers of a text by their requests. */
function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  let waiting: string[] = [];
  for (const part of `\n${text}`.split(`\n${MARK}`).slice(1)) {
    const end = part.indexOf('\n\n');
    waiting.push(end < 0 ? part : part.slice(0, end));
    if (end < 0) continue;
    for (const title of waiting) parts.set(title, part.slice(end));
    waiting = [];
  }
  return parts;
}

/** The first lines of both answers that differ. */
function differenceOf(title: string, before: string, now: string): string {
  const [old, fresh] = [before.split('\n'), now.split('\n')];
  const at = old.findIndex((line, index) => line !== fresh[index]);
  const line = at < 0 ? old.length : at;
  return `${title}\n- ${old[line] ?? '(nothing)'}\n+ ${fresh[line] ?? '(nothing)'}`;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
