import { harmOf } from '../hostile/harm.js';
import { HOSTILE } from '../hostile/hostile-texts.js';
import { pointsOf, type Point } from '../hostile/injection-points.js';
import { methodOf, USERS, type Row } from '../ledger/access-row.js';
import { basic } from '../service/http.js';
import type { TestService } from '../service/test-service.js';
import { CheckedService, type CheckOptions } from './checked-service.js';
import { problemsOf, shown, throwAll } from './problems.js';

const TEXTS: readonly string[] = Object.values(HOSTILE).flat();
const AT_ONCE = 8;
/** A place other than the value of an input gets every seventh text, beginning anywhere. */
const SPARSE = 7;
/** A problem shows at most so many of the texts that cause it. */
const MOST = 3;
/** Tables that the service fills in the background. */
const IN_BACKGROUND = new Set(['change_cursors', 'personal_reads']);

/**
 * Sends hostile texts in each parameter of the path and the query, each field of the body, and
 * headers. The answer must be an envelope and no internal error, an input that takes no text must
 * reject the text, and nothing of another vendor may be shown or changed.
 * @throws Error that lists all problems
 */
export async function checkHostileValues(
  service: TestService,
  rows: readonly Row[],
  options: CheckOptions = {},
): Promise<void> {
  const checked = await CheckedService.of(service, rows, options);
  throwAll('checkHostileValues', await hostileProblems(checked));
}

export async function hostileProblems(checked: CheckedService): Promise<string[]> {
  const before = await stateOfOthers(checked);
  const problems: string[] = [];
  for (const row of checked.rows) {
    const found = await rowProblems(checked, row);
    problems.push(...found.map((problem) => `${row.operation}: ${problem}`));
  }
  await checked.service.settled();
  const after = await stateOfOthers(checked);
  const changed = [...before].filter(([part, state]) => after.get(part) !== state);
  return [...problems, ...changed.map(([part]) => `hostile values change ${part}`)];
}

async function rowProblems(checked: CheckedService, row: Row): Promise<string[]> {
  const texts = new Map<string, string[]>();
  const requests = pointsOf(row).flatMap((point, at) =>
    textsOf(point, at).map((text): readonly [Point, string] => [point, text]),
  );
  const left = requests.values();
  const sendRest = async () => {
    for (const [point, text] of left) {
      for (const problem of await requestProblems(checked, row, point, text)) {
        const name = `${point.place}: ${problem}`;
        texts.set(name, [...(texts.get(name) ?? []), text]);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendRest));
  return [...texts].map(([name, all]) => `${name}, for ${examplesOf(all)}`);
}

/** Returns a few of the texts, and the number of the others. */
function examplesOf(texts: readonly string[]): string {
  const more = texts.length > MOST ? ` and ${texts.length - MOST} more` : '';
  return texts.slice(0, MOST).map(shown).join(', ') + more;
}

function textsOf({ isValue }: Point, at: number): readonly string[] {
  return isValue ? TEXTS : TEXTS.filter((_, index) => index % SPARSE === at % SPARSE);
}

async function requestProblems(
  checked: CheckedService,
  row: Row,
  point: Point,
  text: string,
): Promise<string[]> {
  const request = point.with(text);
  const headers = { ...request.headers, ...basic(checked.keyOf('vendor')) };
  const answer = await checked.send({ ...request, headers });
  const isTaken = point.refuses && text !== '' && answer.status < 300;
  return [
    ...problemsOf(answer, checked.versionOf(row), text),
    ...checked.leaksIn(answer, 'vendor'),
    ...harmOf(answer),
    ...(isTaken ? ['takes it for a value'] : []),
  ];
}

/** Returns what other vendors have: their stored rows by table, and their answers by operation. */
async function stateOfOthers(checked: CheckedService): Promise<Map<string, string>> {
  const state = new Map<string, string>();
  for (const [table, rows] of Object.entries(await checked.service.started.storedRows())) {
    if (IN_BACKGROUND.has(table)) continue;
    const others = rows.filter(
      ({ vendor_id = null }) => vendor_id !== null && Number(vendor_id) !== USERS.vendor,
    );
    if (others.length > 0) state.set(`rows of other vendors in ${table}`, JSON.stringify(others));
  }
  for (const row of checked.rows.filter((each) => methodOf(each) === 'GET')) {
    const { text } = await checked.ask(row, 'other', 'other');
    state.set(`the answer of ${row.operation} to another vendor`, text);
  }
  return state;
}
