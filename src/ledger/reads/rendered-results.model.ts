import { JsonPieces, JsonResults } from '../../api/envelope/envelope.js';
import {
  JSON_AT,
  NULL_BYTES,
  positionOfName,
  type ListedTransaction,
} from './rendered-transaction.model.js';

const COMMA = 44;
const LINE_FEED = 10;

/**
 * Writes transactions as JSON, each with its affiliate's name. Their bytes have the current form.
 */
export class RenderedResults extends JsonResults {
  readonly byteLength: number;
  /** JSON that replaces `null` in each transaction; null if `null` stays. */
  private readonly names: readonly (string | null)[];

  /** @param separator the byte between two transactions */
  constructor(
    private readonly transactions: readonly ListedTransaction[],
    private readonly separator = COMMA,
  ) {
    super();
    this.names = transactions.map(nameOf);
    let length = Math.max(0, transactions.length - 1);
    transactions.forEach(({ rendered }, index) => {
      const name = this.names[index] ?? null;
      const added = name === null ? 0 : Buffer.byteLength(name) - NULL_BYTES;
      length += rendered.length - JSON_AT + added;
    });
    this.byteLength = length;
  }

  get count(): number {
    return this.transactions.length;
  }

  /** Returns the JSON of all transactions, with separators between them. */
  override toString(): string {
    return bytesOf(this).toString();
  }

  /** Returns the JSON of the transactions, each on a line of its own. */
  static linesOf(transactions: readonly ListedTransaction[]): Uint8Array {
    const lines = new RenderedResults(transactions, LINE_FEED);
    const bytes = Buffer.allocUnsafe(lines.byteLength + 1);
    bytes[lines.writeTo(bytes, 0)] = LINE_FEED;
    return bytes;
  }

  writeTo(target: Buffer, position: number): number {
    let end = position;
    this.transactions.forEach(({ rendered }, index) => {
      if (index > 0) end = target.writeUInt8(this.separator, end);
      const name = this.names[index] ?? null;
      if (name === null) {
        end += rendered.copy(target, end, JSON_AT);
        return;
      }
      const at = positionOfName(rendered);
      end += rendered.copy(target, end, JSON_AT, at);
      end += target.write(name, end);
      end += rendered.copy(target, end, at + NULL_BYTES);
    });
    return end;
  }
}

/** Writes transactions as JSON, part by part. */
export class RenderedPieces extends JsonPieces {
  constructor(
    private readonly transactions: {
      readonly count: number;
      readonly pieces: () => AsyncIterable<readonly ListedTransaction[]>;
    },
  ) {
    super();
  }

  get count(): number {
    return this.transactions.count;
  }

  async *pieces(): AsyncGenerator<Buffer> {
    for await (const piece of this.transactions.pieces()) yield bytesOf(new RenderedResults(piece));
  }
}

function bytesOf(results: JsonResults): Buffer {
  const bytes = Buffer.allocUnsafe(results.byteLength);
  results.writeTo(bytes, 0);
  return bytes;
}

function nameOf({ rendered, affiliate_display_name }: ListedTransaction): string | null {
  return affiliate_display_name === null || positionOfName(rendered) === 0
    ? null
    : JSON.stringify(affiliate_display_name);
}
