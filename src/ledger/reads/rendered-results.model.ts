import { JsonPieces, JsonResults } from '../../api/envelope/envelope.js';
import {
  JSON_AT,
  NULL_BYTES,
  positionOfName,
  type ListedTransaction,
  type RenderedTransaction,
} from './rendered-transaction.model.js';

const COMMA = 44;
const LINE_FEED = 10;
/** The brace at the end of a transaction. */
const BRACE_BYTES = 1;

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
    transactions.forEach(({ rendered, added }, index) => {
      const name = this.names[index] ?? null;
      length += rendered.length - JSON_AT;
      if (name !== null) length += Buffer.byteLength(name) - NULL_BYTES;
      if (added !== undefined) length += Buffer.byteLength(added) - BRACE_BYTES;
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
    this.transactions.forEach(({ rendered, added }, index) => {
      if (index > 0) end = target.writeUInt8(this.separator, end);
      end = writeNamed(target, end, rendered, this.names[index] ?? null);
      if (added === undefined) return;
      end -= BRACE_BYTES;
      end += target.write(added, end);
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

/** Writes a transaction with its affiliate's name, and returns the position after it. */
function writeNamed(
  target: Buffer,
  position: number,
  rendered: RenderedTransaction,
  name: string | null,
): number {
  if (name === null) return position + rendered.copy(target, position, JSON_AT);
  const at = positionOfName(rendered);
  let end = position + rendered.copy(target, position, JSON_AT, at);
  end += target.write(name, end);
  return end + rendered.copy(target, end, at + NULL_BYTES);
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
