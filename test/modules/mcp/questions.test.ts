/** Questions about a ledger are answered exactly by calling the tools. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiApplicationsService } from '../../../src/modules/accounts/index.js';
import {
  AGREEMENTS,
  lineOf,
  lineOfAgreement,
  linesOfQuestionedLedger,
  SALES,
} from '../../support/builders/questioned-ledger.js';
import { McpCaller, REVISIONS, type ToolData } from '../../support/http/mcp.js';
import type { Found, Given } from '../../support/oracles/question.js';
import { FIGURE_QUESTIONS } from '../../support/oracles/questions-of-figures.js';
import { LIST_QUESTIONS } from '../../support/oracles/questions-of-lists.js';
import { TestService } from '../../support/servers/service.js';

let service: TestService;
let callers: readonly McpCaller[];
/** State before the last changes of the ledger. */
let before: unknown;

beforeAll(async () => {
  service = await TestService.start();
  await service.import(linesOfQuestionedLedger());
  const applications = service.app.get(ApiApplicationsService);
  const { application, key } = await applications.createApplication(1, 'Assistant', null);
  await applications.setMcpWrites(application.id, true);
  callers = REVISIONS.map((revision) => new McpCaller(service, key, revision));
  before = (await found('list_transactions', {})).first.cursor;
});
afterAll(() => service.stop());

/** Calls a tool until there are no more pages, in both revisions in turn. */
async function found(tool: string, given: Given): Promise<Found> {
  const pages: ToolData[] = [];
  let next: Given | null = given;
  while (next !== null) {
    const [caller] = callers.slice(pages.length % 2);
    const page = await caller?.data(tool, next);
    if (page === undefined) throw new Error('there is no caller');
    pages.push(page);
    next = afterPage(given, page);
  }
  const [first] = pages;
  if (first === undefined) throw new Error('there is no page');
  return { results: pages.flatMap(({ results }) => results), first };
}

function afterPage(given: Given, page: ToolData): Given | null {
  if (typeof page.next_cursor === 'string') return { ...given, after: page.next_cursor };
  if (page.has_more === true) return { ...given, after: page.cursor };
  return typeof page.next_offset === 'number' ? { ...given, offset: page.next_offset } : null;
}

it.each([...FIGURE_QUESTIONS, ...LIST_QUESTIONS])(
  '%s',
  async (_question, tool, given, read, answer) => {
    expect(read(await found(tool, given))).toEqual(answer);
  },
);

it('What has changed since the last look, and why?', async () => {
  const sold = {
    day: '2025-07-02',
    product: 20,
    affiliate: null,
    amount: 20,
    buyer: 'mia',
  } as const;
  await service.import([
    lineOf({ ...sold, id: 'S21', status: 'completed' }),
    ...SALES.filter(({ id }) => id === 'S15').map((sale) =>
      lineOf({ ...sale, status: 'refunded', back: ['2025-07-03', 100] }),
    ),
    ...AGREEMENTS.filter(({ key }) => key === 'PRE-BOB').map((bobs) =>
      lineOfAgreement({ ...bobs, status: 'CANCELED' }),
    ),
  ]);
  const { results } = await found('changes_since', { after: before, limit: 2 });
  const changes = results.map(({ transaction, recurring_payment, reasons }) => [
    (transaction as Given | undefined)?.transaction_id ?? (recurring_payment as Given).preKey,
    reasons,
  ]);
  expect(new Map(changes as [string, unknown][])).toEqual(
    new Map<string, unknown>([
      ['S21', ['sold']],
      ['S15', ['refunded']],
      ['PRE-BOB', ['canceled']],
    ]),
  );
});

it('has at least 60 questions', () => {
  expect(FIGURE_QUESTIONS.length + LIST_QUESTIONS.length).toBeGreaterThanOrEqual(60);
});
