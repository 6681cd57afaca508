import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { TRACKING_FIELDS } from '../../../ledger-format/transaction-fields.js';
import type { Transaction } from '../../transactions/transaction.model.js';
import type { WalkedTransactions } from '../../transactions/list/transaction-walk.model.js';
import { columnDataOf, SCHEMA } from './parquet-columns.js';

/** Rows of a row group. Other requests wait while one is encoded; smaller ones make the file larger. */
const GROUP_SIZE = 5_000;
/** Rows with long texts make smaller groups. */
const GROUP_CHARACTERS = 2 * 1_048_576;
/** The footer of a file without row groups: no rows, a list of no type without items, the next field. */
const UNTYPED_GROUPS = Uint8Array.of(0x16, 0x00, 0x19, 0x00, 0x28);
const LIST_OF_STRUCTS = 0x0c;

/** One column for each field. */
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
 * The writer takes the type of a list from its first item, so a list without items has none. arrow-rs
 * requires the type of an empty list of row groups, too.
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

/** Counts the characters of the longest texts. */
function charactersOf(batch: readonly Transaction[]): number {
  let characters = 0;
  for (const row of batch) {
    for (const field of TRACKING_FIELDS) characters += row[field]?.length ?? 0;
  }
  return characters;
}

/** What was written since the last call. The writer goes on at the beginning of its buffer. */
function taken(output: ByteWriter): Uint8Array {
  const bytes = Uint8Array.from(output.getBytes());
  output.index = 0;
  return bytes;
}
