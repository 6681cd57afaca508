import { textOfKeys, type KeptReads, type PersonalRead } from './personal-read.model.js';

/**
 * Maximum length of the keys of a row, in characters. ROW is about the size of the rest of a row.
 */
const MAX_KEYS = 15_000;
const ROW = 200;

/** A group has the reads of one second, caller and operation. */
interface Group {
  readonly first: Omit<PersonalRead, 'record_key' | 'records'>;
  /** Keys of the records, or null for a list. */
  readonly keys: Set<string> | null;
  readonly read_at: string;
  readonly number: number;
  characters: number;
  records: number | null;
  times: number;
}

/**
 * Holds reads that are not written yet, in bounded memory. One row for each read would be costly,
 * so the reads of one second, caller and operation share a row (see
 * `docs/adr/0034-personal-data-ends.md`).
 */
export class WaitingReads {
  private groups: Group[] = [];
  private readonly ofSecond = new Map<string, Group>();
  private read_at = '';
  private lastNumber = 0;
  private characters = 0;

  /**
   * @param writer name of the process in the rows
   * @param maxCharacters maximum memory for reads, in characters
   */
  constructor(
    private readonly writer: string,
    private readonly maxCharacters: number,
  ) {}

  get isEmpty(): boolean {
    return this.groups.length === 0;
  }

  /** Number of waiting reads. */
  get times(): number {
    return this.groups.reduce((sum, { times }) => sum + times, 0);
  }

  /**
   * Adds a read.
   * @param read_at time of the read, in UTC
   * @returns false if there is no memory left for it
   */
  add(read: PersonalRead, read_at: string): boolean {
    if (this.characters >= this.maxCharacters) return false;
    if (read_at !== this.read_at) this.ofSecond.clear();
    this.read_at = read_at;
    const group = this.groupOf(read);
    group.times += 1;
    if (group.keys === null) group.records = sumOf(group.records, read.records);
    else this.addKey(group, group.keys, read.record_key ?? '');
    return true;
  }

  /** Returns the oldest rows to write. They no longer change, and stay here until `remove`. */
  oldest(most: number): KeptReads[] {
    this.ofSecond.clear();
    return this.groups.slice(0, most).map(({ first, keys, read_at, number, records, times }) => {
      const record_keys = keys === null ? null : textOfKeys(keys);
      return { ...first, record_keys, records, read_at, writer: this.writer, number, times };
    });
  }

  remove(oldest: number): void {
    for (const { characters } of this.groups.splice(0, oldest)) this.characters -= characters;
  }

  private groupOf(read: PersonalRead): Group {
    const name = nameOf(read);
    const found = this.ofSecond.get(name);
    if (found !== undefined && found.characters < MAX_KEYS) return found;
    const { vendor_id, user_id, application_id, operation, first_day, last_day } = read;
    const first = { vendor_id, user_id, application_id, operation, first_day, last_day };
    this.lastNumber += 1;
    const group: Group = {
      first,
      read_at: this.read_at,
      number: this.lastNumber,
      keys: read.record_key === null ? null : new Set(),
      records: 0,
      characters: ROW,
      times: 0,
    };
    this.characters += ROW;
    this.ofSecond.set(name, group);
    this.groups.push(group);
    return group;
  }

  private addKey(group: Group, keys: Set<string>, key: string): void {
    keys.add(key);
    if (keys.size === group.records) return;
    group.records = keys.size;
    group.characters += key.length + 1;
    this.characters += key.length + 1;
  }
}

function sumOf(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}

/** Returns a name that is the same for all reads of one row. */
function nameOf(read: PersonalRead): string {
  const { vendor_id, user_id, application_id, operation, record_key } = read;
  const who = `${operation} ${vendor_id} ${user_id} ${application_id}`;
  return record_key === null ? `${who} ${read.first_day} ${read.last_day}` : who;
}
