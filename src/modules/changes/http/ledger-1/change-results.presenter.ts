import { JsonResults } from '../../../../common/envelope/envelope.js';
import { type FeedItem, feedItemJson } from '../../feed/changes-feed.model.js';

const SEPARATOR = ',';

/** Writes changes as JSON, each with its object in a field named after its kind. */
export class ChangeResults extends JsonResults {
  readonly count: number;
  readonly byteLength: number;
  private readonly texts: readonly string[];

  constructor(items: readonly FeedItem[]) {
    super();
    this.texts = items.map(feedItemJson);
    this.count = items.length;
    const commas = Math.max(0, items.length - 1);
    this.byteLength = this.texts.reduce((sum, text) => sum + Buffer.byteLength(text), commas);
  }

  writeTo(target: Buffer, position: number): number {
    let end = position;
    this.texts.forEach((text, index) => {
      if (index > 0) end += target.write(SEPARATOR, end);
      end += target.write(text, end);
    });
    return end;
  }
}
