import {
  methodOf,
  USERS,
  type Access,
  type Row,
  type Who,
  type Whose,
} from '../ledger/access-row.js';
import {
  customerOf,
  MARKS,
  othersIn,
  personalMark,
  records,
  users,
} from '../ledger/checked-ledger.js';
import type { Answer, Request } from '../service/http.js';
import type { TestService } from '../service/test-service.js';
import { ACCESSES, AccessMatrix } from './access-matrix.js';
import { answersOf } from './list-pages.js';
import { shown } from './problems.js';
import { withoutSent } from './sent-texts.js';

/** Works come in this order, so that a record is deleted after it was read and changed. */
const ORDER = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'];

export interface CheckOptions {
  /**
   * Fills tables that no operation of a row fills, for `USERS.vendor` and `USERS.other`. It runs
   * whenever the rows have filled theirs. Personal data must contain the word of `personalMark`.
   */
  readonly prepare?: (service: TestService) => Promise<unknown>;
}

export interface CheckedAnswer extends Answer {
  /** All that the client sees, headers included, except what it sent itself. */
  readonly unsent: string;
}

/** A service with the ledger of the checks, and a key for each user and access level. */
export class CheckedService extends AccessMatrix<CheckedAnswer> {
  /** Checks may follow each other on one service. */
  private static readonly known = new WeakMap<TestService, CheckedService>();

  private constructor(
    readonly service: TestService,
    readonly rows: readonly Row[],
    private readonly options: CheckOptions,
  ) {
    super();
  }

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

  async send(request: Request): Promise<CheckedAnswer> {
    const answer = await this.service.send(request);
    return { ...answer, unsent: withoutSent(answer, request) };
  }

  /** Asks as `ask` does, and for all pages if the answer is a list. */
  askPages(
    row: Row,
    whose: Whose,
    who: Who | Access,
  ): Promise<readonly [CheckedAnswer, ...CheckedAnswer[]]> {
    return answersOf(row.path(whose), (path) => this.ask({ ...row, path: () => path }, whose, who));
  }

  /** Fills the tables again before a request that deletes, which may succeed only once. */
  async refill(row: Row): Promise<void> {
    if (methodOf(row) === 'DELETE') await this.fill();
  }

  versionOf({ operation }: Row<string>): string {
    return /\/extensions\/([^/]+)\/v(\d+)/.exec(operation)?.slice(1, 3).join('-') ?? '';
  }

  override leaksIn({ unsent }: CheckedAnswer, who: Who): string[] {
    return othersIn(unsent, who).map((of) => `shows data of ${of}`);
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

  /**
   * Returns the body of a row. Its texts have the mark of the sender, and look like the id of
   * another vendor's transaction. A masked key sends no personal texts, so that an answer with some
   * has not got them from the request.
   */
  protected bodyOf(row: Row<string>, who?: Who | Access): object | undefined {
    const { body, texts = [], emails = [], personal = false } = row;
    if (body === undefined) return undefined;
    const sender = senderOf(who);
    const mark = personal && who !== 'masked' ? personalMark(sender) : MARKS[sender];
    const own = Object.entries(body).map(([name, value]) => {
      if (emails.includes(name)) return [name, customerOf(sender)];
      return [name, texts.includes(name) ? `${mark} of-other` : value];
    });
    return Object.fromEntries(own) as object;
  }

  private async create(): Promise<void> {
    await this.service.import(users());
    for (const who of ['vendor', 'other', 'affiliate', 'suspended'] as const) {
      this.setKey(who, await this.service.key(USERS[who]));
    }
    for (const access of ACCESSES) {
      this.setKey(access, await this.service.key(USERS.vendor, access));
    }
    // Requests that name nothing would store something before the ledger exists.
    const naming = this.rows.filter(({ names }) => names !== 'nothing');
    for (const row of naming) await this.askBeforehand(row);
    await this.service.import(records());
  }

  private async write(row: Row, who: 'vendor' | 'other'): Promise<void> {
    if (methodOf(row) === 'DELETE') return;
    const answer = await this.ask(row, who, who);
    if (answer.status < 300) return;
    const { status, text } = answer;
    const sent = JSON.stringify(this.bodyOf(row, who));
    throw new Error(`${row.operation} answers ${status} to its owner and ${sent}: ${shown(text)}`);
  }
}

function orderOf(row: Row): number {
  return ORDER.indexOf(methodOf(row));
}

/** Returns the user whose mark a caller writes. A request without a key has that of another one. */
function senderOf(who: Who | Access = 'suspended'): Who {
  return who === 'other' || who === 'affiliate' || who === 'suspended' ? who : 'vendor';
}
