import { methodOf, type Access, type Row, type Who, type Whose } from '../ledger/access-row.js';
import { basic, type Answer, type Request } from '../service/http.js';
import { problemsOf, refusalProblems } from './problems.js';

export const ACCESSES: readonly Access[] = ['full', 'read', 'masked', 'source'];
/** Users who may use operations. */
export const CALLERS: readonly Who[] = ['vendor', 'other', 'affiliate'];
/** Owners of records whose requests are refused whatever they name. */
export const OWNERS: readonly Whose[] = ['vendor', 'nobody', 'suspended'];

/** The first user owns the data, the second requests it. */
export interface Foreign {
  readonly of: Who;
  readonly who: Who;
}

export const FOREIGN: readonly Foreign[] = [
  { of: 'other', who: 'vendor' },
  { of: 'suspended', who: 'vendor' },
  { of: 'vendor', who: 'other' },
  { of: 'vendor', who: 'affiliate' },
];

type AnyRow = Row<string>;

/**
 * Sends the requests of rows as each user, and with a key of each access level of a vendor. Each
 * method with problems in its name returns what is wrong in the answers, as texts.
 */
export abstract class AccessMatrix<Received extends Answer = Answer> {
  /** Answers to the foreign requests of each row before the requested record existed. */
  private readonly beforehand = new Map<string, string>();
  private readonly keys = new Map<Who | Access, string>();

  abstract send(request: Request): Promise<Received>;

  /** Returns the version of an operation, such as `notes-1`. */
  abstract versionOf(row: AnyRow): string;

  /** Returns the body that a caller sends. */
  protected abstract bodyOf(row: AnyRow, who: Who | Access | undefined): object | undefined;

  /** Returns a problem for each other vendor whose data an answer shows, if the ledger has marks. */
  leaksIn(_answer: Received, _who: Who): string[] {
    return [];
  }

  setKey(who: Who | Access, key: string): void {
    this.keys.set(who, key);
  }

  keyOf(who: Who | Access): string {
    const key = this.keys.get(who);
    if (key === undefined) throw new Error(`there is no key of ${who}`);
    return key;
  }

  /** Sends the request of a row that names the record of a user, with a key or without one. */
  ask(row: AnyRow, whose: Whose, who?: Who | Access): Promise<Received> {
    const body = this.bodyOf(row, who);
    return this.send({
      method: methodOf(row),
      path: row.path(whose),
      headers: {
        'X-Request-Id': 'the-same',
        ...(who === undefined ? {} : basic(this.keyOf(who))),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Sends the foreign requests of a row while the requested record does not exist. */
  async askBeforehand(row: AnyRow): Promise<void> {
    for (const foreign of FOREIGN) {
      const answer = await this.ask(row, foreign.of, foreign.who);
      this.beforehand.set(nameOf(row, foreign), seen(answer));
    }
  }

  /** Checks the answer to a key of the owner. */
  async levelProblems(row: AnyRow, access: Access): Promise<string[]> {
    const answer = await this.ask(row, 'vendor', access);
    const version = this.versionOf(row);
    if (row.allows.includes(access)) {
      const { status } = answer;
      return [...(status < 300 ? [] : [`answers ${status}`]), ...problemsOf(answer, version)];
    }
    const unknown = await this.ask(row, 'nobody', access);
    return [
      ...refusalProblems(answer, 4030, version),
      ...(seen(unknown) === seen(answer) ? [] : [EXISTENCE]),
    ];
  }

  async keylessProblems(row: AnyRow, whose: Whose): Promise<string[]> {
    return refusalProblems(await this.ask(row, whose), 4010, this.versionOf(row));
  }

  async suspendedProblems(row: AnyRow, whose: Whose): Promise<string[]> {
    return refusalProblems(await this.ask(row, whose, 'suspended'), 4030, this.versionOf(row));
  }

  /** Checks the answer about a record that does not exist. */
  async unknownProblems(row: AnyRow, who: Who): Promise<string[]> {
    return refusalProblems(await this.ask(row, 'nobody', who), 4040, this.versionOf(row));
  }

  /** Checks the answer about a record of another user. */
  async foreignProblems(row: AnyRow, { of, who }: Foreign): Promise<string[]> {
    const answer = await this.ask(row, of, who);
    const isProduct = row.names === 'product';
    const isSame = seen(answer) === this.beforehand.get(nameOf(row, { of, who }));
    return [
      ...refusalProblems(answer, isProduct ? 4012 : 4040, this.versionOf(row)),
      ...this.leaksIn(answer, who),
      ...(isProduct || isSame ? [] : [EXISTENCE]),
    ];
  }
}

const EXISTENCE = 'answers differently if the record does not exist';

function nameOf(row: AnyRow, { of, who }: Foreign): string {
  return `${row.operation} of ${of} for ${who}`;
}

/** Returns all parts of an answer that a client can see. */
export function seen({ status, headers, text }: Answer): string {
  // A tag also depends on the request, so it may differ between two requests.
  return JSON.stringify([status, text, { ...headers, date: '', etag: typeof headers.etag }]);
}
