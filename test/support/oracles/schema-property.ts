import { expect } from '@jest/globals';
import type { CoreVersion } from '../../../src/api/versions/api-versions.js';
import { expectCommonHeaders } from './failure.js';
import { basic, envelopeOf } from '../http/http.js';
import { AnswerSchemas } from './json-schema.js';
import { idsOf, recordsOf, type LedgerIds, type RandomLedger } from '../random/random-records.js';
import type { TestService } from '../servers/service.js';

export interface Call {
  /** Name of the operation in the schemas. */
  readonly operation: string;
  readonly path: string;
  /** True if the affiliate's key is sent; the vendor's key is the default. */
  readonly asAffiliate?: boolean;
  readonly body?: object;
}

/**
 * Imports a random ledger and checks the responses of all calls against the schema of their
 * version.
 */
export class SchemaProperty {
  private number = 1;
  private readonly schemas: AnswerSchemas;
  /** Operations that returned at least one item. */
  readonly answered = new Set<string>();

  constructor(
    private readonly service: TestService,
    private readonly version: CoreVersion,
    private readonly callsOf: (ids: LedgerIds) => readonly Call[],
  ) {
    this.schemas = new AnswerSchemas(version);
  }

  async check(ledger: RandomLedger): Promise<void> {
    const ids = idsOf(this.number++, ledger);
    await this.service.import(recordsOf(ids, ledger));
    const [vendor, affiliate] = [
      await this.service.key(ids.vendor),
      await this.service.key(ids.affiliate),
    ];
    for (const call of this.callsOf(ids)) {
      await this.checkCall(call, call.asAffiliate === true ? affiliate : vendor);
    }
  }

  private async checkCall({ operation, path, body }: Call, key: string): Promise<void> {
    const answer = await this.service.send({
      method: operation.slice(0, operation.indexOf(' ')),
      path,
      headers: { ...basic(key), ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const envelope = envelopeOf(answer);
    expect(answer.status).toBe(200);
    expectCommonHeaders(answer, this.version);
    expect(this.schemas.faults(operation, envelope)).toEqual([]);
    expect(envelope.meta.results_count).toBe(envelope.results.length);
    if (envelope.results.length > 0) this.answered.add(operation);
  }
}
