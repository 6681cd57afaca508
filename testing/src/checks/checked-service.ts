import {
  methodOf,
  USERS,
  type Access,
  type Row,
  type Who,
  type Whose,
} from '../ledger/access-row.js';
import { MARKS, personalMark, records, users } from '../ledger/checked-ledger.js';
import { basic, envelopeOf, type Answer } from '../service/http.js';
import type { TestService } from '../service/test-service.js';
import { shown } from './problems.js';

const ACCESSES: readonly Access[] = ['full', 'read', 'masked', 'source'];
/** Works come in this order, so that a record is deleted after it was read and changed. */
const ORDER = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'];
/** Pairs of users: the first owns the data, the second requests it. */
export const FOREIGN: readonly Foreign[] = [
  { of: 'other', who: 'vendor' },
  { of: 'suspended', who: 'vendor' },
  { of: 'vendor', who: 'other' },
  { of: 'vendor', who: 'affiliate' },
];

export interface Foreign {
  readonly of: Who;
  readonly who: Who;
}

export interface CheckOptions {
  /**
   * Fills tables that no operation of a row fills, for `USERS.vendor` and `USERS.other`. It runs
   * whenever the rows have filled theirs. Personal data must contain the word of `personalMark`.
   */
  readonly prepare?: (service: TestService) => Promise<unknown>;
}

/** A service with the ledger of the checks, and a key for each user and access level. */
export class CheckedService {
  /** Checks may follow each other on one service. */
  private static readonly known = new WeakMap<TestService, CheckedService>();
  /** Answers to the foreign requests of each row before the requested record existed. */
  private readonly beforehand = new Map<string, string>();
  private readonly keys = new Map<Who | Access, string>();

  private constructor(
    readonly service: TestService,
    readonly rows: readonly Row[],
    private readonly options: CheckOptions,
  ) {}

  /**
   * Prepares a service for a check, and fills the tables of its extension.
   * @throws Error if a row does not work for the owner of its records
   */
  static async of(
    service: TestService,
    rows: readonly Row[],
    options: CheckOptions,
  ): Promise<CheckedService> {
    const sorted = rows.toSorted((a, b) => orderOf(a) - orderOf(b));
    const checked = this.known.get(service) ?? new CheckedService(service, sorted, options);
    if (checked.rows.some((row) => !rows.includes(row)) || checked.rows.length !== rows.length) {
      throw new Error('Pass the same rows to each check of a service, or start another service.');
    }
    if (!this.known.has(service)) await checked.create();
    this.known.set(service, checked);
    await checked.fill();
    return checked;
  }

  /** Returns the name of the version of a row, such as `notes-1`. */
  versionOf({ operation }: Row): string {
    return /\/extensions\/([^/]+)\/v(\d+)/.exec(operation)?.slice(1, 3).join('-') ?? '';
  }

  keyOf(who: Who | Access): string {
    const key = this.keys.get(who);
    if (key === undefined) throw new Error(`there is no key of ${who}`);
    return key;
  }

  /** Sends the request of a row that names the record of a user, with a key or without one. */
  ask(row: Row, whose: Whose, who?: Who | Access): Promise<Answer> {
    return this.service.send({
      method: methodOf(row),
      path: row.path(whose),
      headers: {
        'X-Request-Id': 'the-same',
        ...(who === undefined ? {} : basic(this.keyOf(who))),
        ...(row.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(row.body === undefined ? {} : { body: JSON.stringify(bodyOf(row, who)) }),
    });
  }

  /** Returns the answer to a foreign request before the requested record existed. */
  earlier(row: Row, foreign: Foreign): string | undefined {
    return this.beforehand.get(nameOf(row, foreign));
  }

  /**
   * Stores something by each row that writes, for two vendors, with their marks.
   * @throws Error if a row does not work for the owner of its records
   */
  async fill(): Promise<void> {
    for (const row of this.rows.filter(({ body }) => body !== undefined)) {
      for (const who of ['vendor', 'other'] as const) await this.write(row, who);
    }
    await this.options.prepare?.(this.service);
    await this.service.settled();
  }

  private async create(): Promise<void> {
    await this.service.import(users());
    for (const who of Object.keys(USERS) as Who[]) {
      this.keys.set(who, await this.service.key(USERS[who]));
    }
    for (const access of ACCESSES) {
      this.keys.set(access, await this.service.key(USERS.vendor, access));
    }
    for (const row of this.rows) {
      for (const foreign of FOREIGN) {
        const answer = await this.ask(row, foreign.of, foreign.who);
        this.beforehand.set(nameOf(row, foreign), seen(answer));
      }
    }
    await this.service.import(records());
  }

  private async write(row: Row, who: 'vendor' | 'other'): Promise<void> {
    if (methodOf(row) === 'DELETE') return;
    const answer = await this.ask(row, who, who);
    if (answer.status < 300) return;
    const { status, text } = answer;
    const sent = JSON.stringify(bodyOf(row, who));
    throw new Error(`${row.operation} answers ${status} to its owner and ${sent}: ${shown(text)}`);
  }
}

function orderOf(row: Row): number {
  return ORDER.indexOf(methodOf(row));
}

function nameOf({ operation }: Row, { of, who }: Foreign): string {
  return `${operation} of ${of} for ${who}`;
}

/**
 * Returns the body of a row. Its texts have the mark of the sender, and look like the id of another
 * vendor's transaction.
 */
function bodyOf({ body, texts = [], personal = false }: Row, who: Who | Access | undefined) {
  const sender = senderOf(who);
  const mark = personal ? personalMark(sender) : MARKS[sender];
  const own = Object.keys(body ?? {}).filter((name) => texts.includes(name));
  return { ...body, ...Object.fromEntries(own.map((name) => [name, `${mark} of-other`])) };
}

/** Returns the vendor whose mark a caller writes. Requests that must be refused have another one. */
function senderOf(who: Who | Access | undefined) {
  if (who === 'other') return 'other';
  return who === undefined || who === 'affiliate' || who === 'suspended' ? 'suspended' : 'vendor';
}

/** Returns all parts of an answer that a client can see. */
export function seen({ status, headers, text }: Answer): string {
  // A tag also depends on the request, so it may differ between two requests.
  return JSON.stringify([status, text, { ...headers, date: '', etag: typeof headers.etag }]);
}

/** Returns the names of the operations that a version lists. */
export async function operationsOf(checked: CheckedService, path: string): Promise<string[]> {
  const answer = await checked.service.get(path, checked.keyOf('vendor'));
  const operations = envelopeOf(answer).results[0]?.operations;
  if (!Array.isArray(operations)) throw new Error(`GET ${path} answers ${shown(answer.text)}`);
  return operations.map((each: unknown) => {
    const { method, path: template } = each as { method: string; path: string };
    return `${method} ${template}`;
  });
}
