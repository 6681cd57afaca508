import { EntitySchema } from 'typeorm';
import {
  dateTime,
  day,
  key,
  optional,
  text,
  wholeNumber,
  type Column,
} from '../../database/columns.js';
import type { RetainedLedger, RetentionRule } from './retention.model.js';

export const RetentionRuleEntity = new EntitySchema<RetentionRule>({
  name: 'RetentionRule',
  tableName: 'retention_rules',
  columns: {
    vendor_id: key(wholeNumber()),
    months: optional(wholeNumber()),
  } satisfies Record<keyof RetentionRule, Column>,
});

export const RetainedLedgerEntity = new EntitySchema<RetainedLedger>({
  name: 'RetainedLedger',
  tableName: 'retained_ledgers',
  columns: {
    vendor_id: key(wholeNumber()),
    retained_from: day(),
    emptied_to: dateTime(),
    emptied_arrival: wholeNumber(),
    transactions: wholeNumber(),
    recurring_payments: wholeNumber(),
    done_on: optional(day()),
    claim: optional(text(36)),
    claim_ends: optional(dateTime()),
  } satisfies Record<keyof RetainedLedger, Column>,
});
