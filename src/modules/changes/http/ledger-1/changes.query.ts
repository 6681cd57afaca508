import { ApiField } from '../../../../common/validation/api-field.js';
import { IsCursor, IsInteger, IsListOf } from '../../../../common/validation/validators.js';
import { CHANGE_KINDS, LEDGER_KINDS } from '../../change.model.js';
import {
  FEED_BYTES,
  FEED_LIMIT,
  FEED_WAIT,
  type FeedCriteria,
} from '../../feed/changes-feed.model.js';

/** Describes the query of `GET /ledger/v1/changes`. Each field holds the text as sent. */
export class ChangesQuery {
  @ApiField('The cursor of the last answer; `0` is the beginning.', '0')
  @IsCursor()
  after = '0';

  @ApiField('Maximum number of changes in the answer.', FEED_LIMIT.default)
  @IsInteger(FEED_LIMIT)
  limit = String(FEED_LIMIT.default);

  @ApiField(
    'Only changes of these kinds, with commas between them. Changes of the kind `removed` are always there.',
    CHANGE_KINDS.join(','),
  )
  @IsListOf(CHANGE_KINDS)
  kinds = CHANGE_KINDS.join(',');

  @ApiField('Seconds to wait for a change if there is none yet.', FEED_WAIT.default)
  @IsInteger(FEED_WAIT)
  wait = String(FEED_WAIT.default);

  get waitMs(): number {
    return Number(this.wait) * 1_000;
  }

  toCriteria(vendor_id: number, isMasked: boolean): FeedCriteria {
    const words = new Set(this.kinds.split(','));
    return {
      vendor_id,
      isMasked,
      after: Number(this.after),
      limit: Number(this.limit),
      max_bytes: FEED_BYTES,
      kinds: LEDGER_KINDS.filter((kind) => words.has(kind)),
    };
  }
}
