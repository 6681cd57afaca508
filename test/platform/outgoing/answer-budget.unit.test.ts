/**
 * A process limits the total size of the answers that it holds, and drops the largest one above it.
 */
import { expect, it } from '@jest/globals';
import { AnswerBudget } from '../../../src/platform/outgoing/outgoing-https.js';

const MOST = 100;

function setUp() {
  const budget = new AnswerBudget(MOST);
  const given: string[] = [];
  const begin = (account: number, name: string) => budget.begin(account, () => given.push(name));
  return { budget, given, begin };
}

it('takes the largest answer from the account that holds most, whoever asks for more', () => {
  const { budget, given, begin } = setUp();
  const [small, large, other] = [begin(1, 'small'), begin(1, 'large'), begin(2, 'other')];
  budget.add(small, 20);
  budget.add(large, 35);
  budget.add(other, 45);
  expect(given).toEqual([]);
  budget.add(other, 5);
  expect(given).toEqual(['large']);
  // A dropped answer is no longer counted, even if further bytes arrive.
  budget.add(large, 1_000);
  budget.add(small, 30);
  expect(given).toEqual(['large']);
});

it('leaves answers that have come, and has room again when they end', () => {
  const { budget, given, begin } = setUp();
  const [come, next] = [begin(1, 'come'), begin(2, 'next')];
  budget.add(come, MOST);
  come.isComing = false;
  budget.add(next, 1);
  expect(given).toEqual(['next']);
  budget.end(come);
  const last = begin(2, 'last');
  budget.add(last, MOST);
  expect(given).toEqual(['next']);
});
