import {
  createParamDecorator,
  Injectable,
  SetMetadata,
  UseInterceptors,
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { mergeMap, of, type Observable } from 'rxjs';
import { principalOf } from '../../../access/current-principal.js';
import { codingFor } from '../../../common/envelope/content-coding.js';
import type { Answer } from '../../../common/envelope/envelope.js';
import {
  NotModified,
  renderAnswer,
  type RenderedAnswer,
} from '../../../common/envelope/rendered-answer.js';
import { LedgerRevisionsService } from '../ledger-revisions.service.js';
import { isOneOf, tagOf } from './entity-tag.js';
import { PageCache } from './page-cache.js';

/** An answer, and of which revision of the vendor's ledger it tells at least. */
export interface AnswerAtRevision extends Answer {
  readonly revision: number;
}

const KEPT = 'kept-page';

/** Names the answers of an operation by the ledger's revision, so that a client can ask for news. */
export function TaggedByRevision(): MethodDecorator {
  return UseInterceptors(LedgerRevisionInterceptor);
}

/** The same for an operation whose answers are worth keeping here until the ledger changes. */
export function KeptByRevision(): MethodDecorator {
  return applyDecorators(SetMetadata(KEPT, true), TaggedByRevision());
}

const seenRevisions = new WeakMap<Request, number>();

/** The revision that was read for this very request, or null where none was needed so far. */
export const SeenRevision = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    seenRevisions.get(context.switchToHttp().getRequest<Request>()) ?? null,
);

type Outcome = RenderedAnswer | NotModified;

/**
 * Answers what did not change since it was asked for without touching the ledger: by 304 where the
 * client has it, from memory where this process has it. Both hold for the revision that is read here,
 * on each request; a change in the ledger changes it in the same transaction.
 */
@Injectable()
export class LedgerRevisionInterceptor implements NestInterceptor<AnswerAtRevision, Outcome> {
  constructor(
    private readonly reflector: Reflector,
    private readonly revisions: LedgerRevisionsService,
    private readonly pages: PageCache,
  ) {}

  async intercept(
    context: ExecutionContext,
    next: CallHandler<AnswerAtRevision>,
  ): Promise<Observable<Outcome>> {
    const request = context.switchToHttp().getRequest<Request>();
    const { user_id } = principalOf(context);
    const known = request.headers['if-none-match'];
    const isKept =
      this.pages.isOn && this.reflector.get<true | undefined>(KEPT, context.getHandler()) === true;
    if (isKept || known !== undefined) {
      const revision = await this.revisions.revisionOf(user_id);
      seenRevisions.set(request, revision);
      const told = this.toldBefore(request, user_id, revision, isKept);
      if (told !== undefined) return of(told);
    }
    return next.handle().pipe(mergeMap((answer) => this.toldNow(request, user_id, answer, isKept)));
  }

  private toldBefore(
    request: Request,
    user_id: number,
    revision: number,
    isKept: boolean,
  ): Outcome | undefined {
    const coding = codingFor(request);
    const known = request.headers['if-none-match'];
    if (known !== undefined && known.trim() !== '*') {
      // A short answer is not compressed, whatever the client would take.
      const tags = [coding, null].map((each) => tagOf(request.url, user_id, revision, each));
      const held = tags.find((tag) => isOneOf(known, tag));
      if (held !== undefined) return new NotModified(held);
    }
    return isKept ? this.pages.get(pageKeyOf(request, user_id, revision, coding)) : undefined;
  }

  private async toldNow(
    request: Request,
    user_id: number,
    answer: AnswerAtRevision,
    isKept: boolean,
  ): Promise<Outcome> {
    const { revision } = answer;
    const rendered = await renderAnswer(request, answer, (coding) =>
      tagOf(request.url, user_id, revision, coding),
    );
    if (isKept) {
      const key = pageKeyOf(request, user_id, revision, codingFor(request));
      this.pages.set(key, rendered);
    }
    const known = request.headers['if-none-match'];
    const { tag } = rendered;
    const isHeld = known !== undefined && tag !== null && isOneOf(known, tag);
    return isHeld ? new NotModified(tag) : rendered;
  }
}

function pageKeyOf(
  { url }: Request,
  user_id: number,
  revision: number,
  coding: string | null,
): string {
  return `${user_id} ${revision} ${coding ?? 'identity'} ${url}`;
}
