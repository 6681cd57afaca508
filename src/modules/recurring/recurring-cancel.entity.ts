import { EntitySchema } from 'typeorm';
import { key, moment, text } from '../../database/columns.js';

/** A cancel that is being told to the payment processor; a claim that has ended counts for nothing. */
export const RecurringCancelEntity = new EntitySchema({
  name: 'RecurringCancel',
  tableName: 'recurring_cancels',
  columns: { pre_key: key(text()), claim: text(36), ends: moment() },
});
