import type { Response } from 'express';
import type { Answer } from '../common/envelope/envelope.js';

/** An answer, and of which revision of the user's data it tells at least. */
export interface AnswerAtRevision extends Answer {
  readonly revision: number;
  /** Null for the usual answer of the operation. */
  readonly variant?: Variant | null;
}

/** What tells an answer apart from the usual one of its operation, beside another ETag. */
export interface Variant {
  readonly header: string;
  /** The value of the header. */
  readonly name: string;
}

export function setVariant(response: Response, { header, name }: Variant): void {
  response.setHeader(header, name);
}
