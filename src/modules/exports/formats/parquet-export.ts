import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { TRACKING_FIELDS } from '../../../ledger-format/transaction-fields.js';
import type { Transaction } from '../../transactions/transaction.model.js';
import type { WalkedTransactions } from '../../transactions/list/transaction-walk.model.js';
import { columnDataOf, SCHEMA } from './parquet-columns.js';

/**
 * Number of rows in a row group. Other requests wait while a group is encoded, but smaller groups
 * make the file larger.
 */
const GROUP_SIZE = 5_000;
/** A group with long texts ends at this number of characters. */
const GROUP_CHARACTERS = 2 * 1_048_576;
/**
 * These bytes are in the footer of a file without row groups: no rows, an empty list without a
 * type, and the start of the next field.
 */
const UNTYPED_GROUPS = Uint8Array.of(0x16, 0x00, 0x19, 0x00, 0x28);
const LIST_OF_STRUCTS = 0x0c;

/** Yields a Parquet file with one column for each field. */
export async function* parquetOf(walk: WalkedTransactions): AsyncGenerator<Uint8Array> {
  const output = new ByteWriter();
  const writer = new ParquetWriter({
    writer: output,
    schema: SCHEMA,
    createdBy: 'vendor-reporting-api',
  });
  for await (const group of groupsOf(walk)) {
    await writer.write({ columnData: columnDataOf(group), rowGroupSize: GROUP_SIZE });
    yield taken(output);
  }
  await writer.finish();
  const end = taken(output);
  yield writer.num_rows === 0n ? withTypedGroups(end) : end;
}

/**
 * Adds the type of an empty list of row groups, which arrow-rs requires. The writer uses the type
 * of the first item, so it writes no type for an empty list.
 */
function withTypedGroups(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file);
  const at = bytes.lastIndexOf(UNTYPED_GROUPS);
  if (at !== -1) bytes[at + UNTYPED_GROUPS.indexOf(0x19) + 1] = LIST_OF_STRUCTS;
  return bytes;
}

async function* groupsOf(walk: WalkedTransactions): AsyncGenerator<readonly Transaction[]> {
  let group: Transaction[] = [];
  let characters = 0;
  for await (const batch of walk.columns()) {
    group.push(...batch);
    characters += charactersOf(batch);
    if (group.length < GROUP_SIZE && characters < GROUP_CHARACTERS) continue;
    yield group;
    group = [];
    characters = 0;
  }
  if (group.length > 0) yield group;
}

/** Counts the characters in the fields with the longest texts. */
function charactersOf(batch: readonly Transaction[]): number {
  let characters = 0;
  for (const row of batch) {
    for (const field of TRACKING_FIELDS) characters += row[field]?.length ?? 0;
  }
  return characters;
}

/**
 * Returns the bytes written since the last call. The writer then continues at the start of its
 * buffer.
 */
function taken(output: ByteWriter): Uint8Array {
  const bytes = Uint8Array.from(output.getBytes());
  output.index = 0;
  return bytes;
}
