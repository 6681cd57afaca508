import type { MigrationInterface, QueryRunner } from 'typeorm';
import { StartError } from '../../errors/domain-error.js';
import { recordedNames, FORMER_NAMES } from './migration-records.js';
import { LEDGER_TABLES } from './ledger-tables.js';
import { SERVICE_TABLES } from './service-tables.js';
import { createTables, type Table, type Tables, DAY, INTEGER, TEXT, WORD } from './create-table.js';
import { schemaDifferences } from './schema-differences.js';

/** The kept sums of each ledger. */
const SUM_TABLES: Tables = {
  sale_counts: {
    columns: { vendor_id: INTEGER, sale_day: DAY, sales: INTEGER },
    primaryKey: ['vendor_id', 'sale_day'],
  },
  refund_counts: {
    columns: { vendor_id: INTEGER, refund_day: DAY, sale_day: DAY, refunds: INTEGER },
    primaryKey: ['vendor_id', 'refund_day', 'sale_day'],
  },
  affiliate_sales: {
    columns: {
      affiliate_id: INTEGER,
      product_id: INTEGER,
      sales: INTEGER,
      refunds: INTEGER,
      chargebacks: INTEGER,
      revenue: INTEGER,
      refund_amount: INTEGER,
      commission_earned: INTEGER,
      commission_paid: INTEGER,
    },
    primaryKey: ['affiliate_id', 'product_id'],
  },
  vendor_sums: {
    columns: {
      vendor_id: INTEGER,
      series: WORD,
      kind: WORD,
      day: DAY,
      item_id: INTEGER,
      transactions: INTEGER,
      amount: INTEGER,
      earnings: INTEGER,
      commissions: INTEGER,
      fees: INTEGER,
    },
    primaryKey: ['vendor_id', 'series', 'kind', 'day', 'item_id'],
  },
  affiliate_day_sums: {
    columns: {
      vendor_id: INTEGER,
      kind: WORD,
      day: DAY,
      affiliate_id: INTEGER,
      product_id: INTEGER,
      transactions: INTEGER,
      amount: INTEGER,
      earnings: INTEGER,
      commission: INTEGER,
    },
    primaryKey: ['vendor_id', 'kind', 'day', 'affiliate_id', 'product_id'],
    indexes: { affiliate_day_sums_by_affiliate: ['affiliate_id', 'day'] },
  },
  refund_cohorts: {
    columns: {
      vendor_id: INTEGER,
      series: WORD,
      item_id: INTEGER,
      sale_month: DAY,
      refund_month: DAY,
      kind: WORD,
      transactions: INTEGER,
      amount: INTEGER,
    },
    primaryKey: ['vendor_id', 'series', 'item_id', 'sale_month', 'refund_month', 'kind'],
  },
  unpaid_commissions: {
    columns: {
      vendor_id: INTEGER,
      series: WORD,
      day: DAY,
      affiliate_id: INTEGER,
      sales: INTEGER,
      commission: INTEGER,
    },
    primaryKey: ['vendor_id', 'series', 'day', 'affiliate_id'],
  },
  recurring_sums: {
    columns: { vendor_id: INTEGER, status: WORD, day: DAY, agreements: INTEGER, amount: INTEGER },
    primaryKey: ['vendor_id', 'status', 'day'],
  },
  tracking_values: {
    columns: { vendor_id: INTEGER, field: WORD, id: INTEGER, value: TEXT },
    primaryKey: ['vendor_id', 'field', 'id'],
    unique: { tracking_values_by_value: ['vendor_id', 'field', 'value'] },
  },
  tracking_sums: {
    columns: {
      vendor_id: INTEGER,
      series: WORD,
      kind: WORD,
      day: DAY,
      value_id: INTEGER,
      transactions: INTEGER,
      amount: INTEGER,
      earnings: INTEGER,
    },
    primaryKey: ['vendor_id', 'series', 'kind', 'day', 'value_id'],
  },
};

const TABLES = Object.entries({ ...SERVICE_TABLES, ...LEDGER_TABLES, ...SUM_TABLES }).map(
  ([name, table]): Table => ({ name, ...table }),
);

/** The tables after docs/sql/partition-by-month.sql, which gives the transactions other keys. */
const PARTITIONED: readonly Table[] = TABLES.map((table) => {
  if (table.name !== 'transactions') return table;
  const { unique, indexes, ...rest } = table;
  return {
    ...rest,
    primaryKey: ['vendor_id', 'sale_date', 'arrival'],
    indexes: { ...indexes, ...unique, transactions_by_arrival: ['arrival', 'vendor_id'] },
  };
});

/** Error for a database whose tables the baseline neither created nor can adopt. */
export class OtherSchemaError extends StartError {
  constructor(reason: string) {
    super(
      `The schema was not changed, because ${reason}; first update it with the command migrate of commit ce1b8c12cf89.`,
    );
  }
}

/**
 * Creates all tables. A database in which the former migrations created them is adopted: it is not
 * changed. An interrupted run continues with the tables that are missing.
 */
export class Baseline1767600000000 implements MigrationInterface {
  readonly name = 'Baseline1767600000000';

  async up(runner: QueryRunner): Promise<void> {
    const recorded = await recordedNames(runner, 'migrations');
    const unrecorded = FORMER_NAMES.filter((name) => !recorded.includes(name));
    const isAdopted = unrecorded.length < FORMER_NAMES.length;
    const [name] = unrecorded;
    if (isAdopted && name !== undefined) {
      throw new OtherSchemaError(`the migration ${name} is not recorded`);
    }
    const existing = await comparedTables(runner);
    if (!isAdopted) {
      await assertEmpty(runner, existing);
      await createTables(runner, TABLES);
      return;
    }
    const missing = TABLES.find((table) => !existing.includes(table.name));
    if (missing !== undefined) {
      throw new OtherSchemaError(`the table ${missing.name} does not exist`);
    }
  }

  /** Always fails, since reverting would delete the ledger. Restore a backup instead. */
  down(): Promise<void> {
    return Promise.reject(new Error('The first migration cannot be reverted'));
  }
}

/**
 * Fails if an existing table differs from its declaration.
 * @returns the names of the existing tables
 */
async function comparedTables(runner: QueryRunner): Promise<readonly string[]> {
  const usual = await schemaDifferences(runner, TABLES);
  const partitioned = await schemaDifferences(runner, PARTITIONED);
  const [first] = [usual.differences, partitioned.differences].sort(
    (left, right) => left.length - right.length,
  );
  if (first?.[0] !== undefined) throw new OtherSchemaError(first[0]);
  return usual.existing;
}

/** Fails if a table has rows: those of an interrupted run have none. */
async function assertEmpty(runner: QueryRunner, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const rows: unknown = await runner.query(`SELECT 1 FROM ${table} LIMIT 1`);
    if (Array.isArray(rows) && rows.length > 0) {
      throw new OtherSchemaError(`the table ${table} has rows, but no migration is recorded`);
    }
  }
}
