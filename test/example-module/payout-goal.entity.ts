import { EntitySchema } from 'typeorm';
import { key, money, text, wholeNumber } from '../../src/database/columns.js';

/** What a vendor wants to earn in a month. */
export const PayoutGoalEntity = new EntitySchema({
  name: 'PayoutGoal',
  tableName: 'payout_goals',
  columns: { vendor_id: key(wholeNumber()), month: key(text(7)), goal: money() },
});
