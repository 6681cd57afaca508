import { JsonResults } from '../../../../common/envelope/json-results.js';
import { formatDateTime } from '../../../../common/time.js';
import type { FeedItem } from '../../feed/changes-feed.model.js';

/** Changes as JSON: each with its object under the name of its kind. */
export class ChangeResults extends JsonResults {
  readonly count: number;
  readonly byteLength: number;
  private readonly text: string;

  constructor(items: readonly FeedItem[]) {
    super();
    this.text = items.map(presentChange).join(',');
    this.count = items.length;
    this.byteLength = Buffer.byteLength(this.text);
  }

  writeTo(target: Buffer, position: number): number {
    return position + target.write(this.text, position);
  }
}

function presentChange({ sequence, kind, changed_at, json }: FeedItem): string {
  const head = JSON.stringify({ sequence, kind, changed_at: formatDateTime(changed_at) });
  return `${head.slice(0, -1)},"${kind}":${json}}`;
}
