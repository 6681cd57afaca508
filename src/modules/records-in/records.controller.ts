import { Controller, HttpCode, Post, Query, Req, VERSION_NEUTRAL } from '@nestjs/common';
import type { Request } from 'express';
import { LEDGER_PATH } from '../../api/versions/api-versions.js';
import type { Answer } from '../../api/envelope/envelope.js';
import { RECORD_TYPES } from '../../ledger/records/record-type.js';
import { AllowAccess, ApiOperation, StreamedBody } from '../../api/versions/api-operation.js';
import { vendorOfSource, type Principal, CurrentPrincipal } from '../../api/access/principal.js';
import {
  MAX_BODY_MIB,
  MAX_RECORDS,
  MAX_RECORD_KIB,
  type RecordResult,
} from './incoming/incoming.model.js';
import { IncomingRecordsService } from './incoming/incoming-records.service.js';
import { bodyOf, discardRest } from './record-body.js';
import { ApiField } from '../../api/validation/api-field.js';
import { IsOneOf } from '../../api/validation/validators.js';
import { recordOf } from '../../platform/values/record-of.js';
import { VERDICTS } from './import.model.js';

class RecordsQuery {
  @ApiField('`true`: all records or none, at most 2,000 of them.', 'true')
  @IsOneOf(['true', 'false'])
  atomic = 'false';
}

const RECORDS = RECORD_TYPES.map((type) => `${camelCase(type)}Record`);
const DESCRIPTION = [
  'Writes records of the ledger format: sales, refunds, products, users and all else. For the key of a source.',
  `A request has at most ${MAX_RECORDS.toLocaleString('en')} records and ${MAX_BODY_MIB} MiB, unpacked; a record has at most ${MAX_RECORD_KIB} KiB. A body that is larger, or cannot be read, is rejected as a whole, and nothing is written.`,
  'The answer reports the result of each record, in order. Reported writes are committed. A rejected record does not affect others, unless `atomic` is `true`.',
  'Send the same records again if there was no answer, or a 429 or 500: they end in the same state. A record may refer only to what is stored or comes before it; if it was rejected for that reason, send it again later.',
  'A source of one vendor writes only for that vendor. It can add users and change those that it added, unless they have a password, an API application, a product or a sale of another vendor; all other users stay as they are.',
].join('\n\n');

/** Receives records from sources. See docs/records.md. */
@Controller({ path: `${LEDGER_PATH}/records`, version: VERSION_NEUTRAL })
export class RecordsController {
  constructor(private readonly records: IncomingRecordsService) {}

  @Post()
  @HttpCode(200)
  @AllowAccess('source')
  @StreamedBody()
  @ApiOperation({
    id: 'sendRecords',
    summary: 'Send records',
    description: DESCRIPTION,
    records: RECORDS,
  })
  async send(
    @Req() request: Request,
    @CurrentPrincipal() principal: Principal,
    @Query() { atomic }: RecordsQuery,
  ): Promise<Answer> {
    const sender = { principal, vendor_id: vendorOfSource(principal) };
    try {
      const isAtomic = atomic === 'true';
      return presentResults(await this.records.apply(bodyOf(request), sender, isAtomic));
    } finally {
      discardRest(request);
    }
  }
}

/** Returns the name in camel case, such as `recurringPayment` for `recurring_payment`. */
function camelCase(type: string): string {
  return type.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Presents the result of each record, and counts them by result. */
function presentResults(results: readonly RecordResult[]): Answer {
  const summary = recordOf(VERDICTS, () => 0);
  for (const { verdict } of results) summary[verdict] += 1;
  return {
    meta: { summary },
    results: results.map(({ line, type, key, verdict, problem }) => {
      return { line, type, key, verdict, problem };
    }),
  };
}
