import { JsonResults } from '../../../../common/envelope/json-results.js';
import type { FeedItem } from '../../feed/changes-feed.model.js';
import { feedItemJson } from '../../feed/feed-item-json.model.js';

/** Changes as JSON: each with its object under the name of its kind. */
export class ChangeResults extends JsonResults {
  readonly count: number;
  readonly byteLength: number;
  private readonly text: string;

  constructor(items: readonly FeedItem[]) {
    super();
    this.text = items.map(feedItemJson).join(',');
    this.count = items.length;
    this.byteLength = Buffer.byteLength(this.text);
  }

  writeTo(target: Buffer, position: number): number {
    return position + target.write(this.text, position);
  }
}
