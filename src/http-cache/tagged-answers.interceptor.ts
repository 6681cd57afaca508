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
import type { Request, Response } from 'express';
import { map, of, type Observable } from 'rxjs';
import { principalOf } from '../../accounts/http/current-principal.js';
import { codingFor, type ContentCoding } from '../../../common/envelope/content-coding.js';
import type { Answer } from '../../../common/envelope/envelope.js';
import {
  NotModified,
  renderAnswer,
  RenderedAnswer,
} from '../../../common/envelope/rendered-answer.js';
import { TaggedAnswers } from '../../../routing/api-operation.js';
import { knownAddressOf } from '../../../routing/known-address.js';
import { LedgerRevisionsService } from '../revisions/ledger-revisions.service.js';
import { matchesIfNoneMatch, tagOf, type Tagged } from '../../../http-cache/entity-tag.js';
import { PageCache } from '../../../http-cache/page-cache.js';
import { tellUnknownPaykey } from './unknown-paykey.js';

/** An answer, and of which revision of the vendor's ledger it tells at least. */
export interface AnswerAtRevision extends Answer {
  readonly revision: number;
  /** True where a feed does not have the paykey that it was given. */
  readonly isUnknownPaykey?: boolean;
}

const KEPT = 'kept-page';

/** Names the answers of an operation by the ledger's revision, so that a client can ask for news. */
export function TaggedByRevision(): MethodDecorator {
  return applyDecorators(TaggedAnswers(), UseInterceptors(LedgerRevisionInterceptor));
}

/** The same for an operation whose answers are worth keeping here until the ledger changes. */
export function KeptByRevision(): MethodDecorator {
  return applyDecorators(SetMetadata(KEPT, true), TaggedByRevision());
}

const seenRevisions = new WeakMap<Request, number>();

/** The revision that was read for this very request, or null where there was no need to. */
export const SeenRevision = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    seenRevisions.get(context.switchToHttp().getRequest<Request>()) ?? null,
);

/** A request, and what is known of it before it is answered. */
interface Asked {
  readonly request: Request;
  readonly response: Response;
  readonly user_id: number;
  /** Under which the answer is kept, or null where it is not. */
  readonly key: string | null;
  /** The value of If-None-Match. */
  readonly known: string | undefined;
}

type Outcome = RenderedAnswer | NotModified;
type Outcomes = Observable<Outcome | Promise<Outcome>>;

/**
 * Answers what did not change since it was asked for without touching the ledger: by 304 where the
 * client has it, from memory where this process has it. Both hold for the revision that is read here,
 * on each such request; a change in the ledger changes it in the same transaction. What nobody can
 * have yet is answered without that look.
 */
@Injectable()
class LedgerRevisionInterceptor implements NestInterceptor<
  AnswerAtRevision,
  Outcome | Promise<Outcome>
> {
  constructor(
    private readonly reflector: Reflector,
    private readonly revisions: LedgerRevisionsService,
    private readonly pages: PageCache,
  ) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler<AnswerAtRevision>,
  ): Outcomes | Promise<Outcomes> {
    const asked = this.askedBy(context);
    const toldNow = () => next.handle().pipe(map((answer) => this.render(asked, answer)));
    const { known, key } = asked;
    const mayBeTold = known !== undefined || (key !== null && this.pages.has(key));
    if (!mayBeTold) return toldNow();
    return this.toldBefore(asked).then((told) => (told === null ? toldNow() : of(told)));
  }

  private askedBy(context: ExecutionContext): Asked {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { user_id } = principalOf(context);
    const isKept = this.reflector.get<true | undefined>(KEPT, context.getHandler()) === true;
    return {
      request,
      response: http.getResponse<Response>(),
      user_id,
      key: isKept ? pageKeyOf(context, user_id) : null,
      known: request.headers['if-none-match'],
    };
  }

  /** @returns null where the client does not hold the answer, nor this process */
  private async toldBefore(asked: Asked): Promise<Outcome | null> {
    const { request, response, user_id, key, known } = asked;
    const revision = await this.revisions.revisionOf(user_id);
    seenRevisions.set(request, revision);
    const held = known === undefined ? null : heldTag(asked, revision, known);
    if (held !== null) {
      if (held.isUnknownPaykey) tellUnknownPaykey(response);
      return new NotModified(tagOf(held));
    }
    const page = key === null ? null : this.pages.take(key, revision, response);
    if (page === null) return null;
    // It may have been asked for by another address, with parameters that are ignored.
    const { body, coding } = page;
    return unlessHeld(new RenderedAnswer(body, coding, tagFor(asked, revision, coding)), known);
  }

  private async render(asked: Asked, answer: AnswerAtRevision): Promise<Outcome> {
    const { request, response, key, known } = asked;
    const { revision, isUnknownPaykey = false } = answer;
    if (isUnknownPaykey) tellUnknownPaykey(response);
    const rendered = await renderAnswer(request, answer, (coding) =>
      tagFor(asked, revision, coding, isUnknownPaykey),
    );
    const sent = key === null ? rendered : this.pages.keep(key, revision, rendered, response);
    return unlessHeld(sent, known);
  }
}

/** @returns what the client holds and would be sent, if it does */
function heldTag({ request, user_id }: Asked, revision: number, known: string): Tagged | null {
  // Whether there is anything at all is not known yet.
  if (known.trim() === '*') return null;
  const { url } = request;
  // At one revision a feed has a paykey or has it not: only one of the two was ever told.
  const forms = request.params.paykey === undefined ? [false] : [false, true];
  // A short answer is not compressed, whatever the client would take.
  const tags = [codingFor(request), null].flatMap((coding) =>
    forms.map((isUnknownPaykey) => ({ url, user_id, revision, coding, isUnknownPaykey })),
  );
  return tags.find((tag) => matchesIfNoneMatch(known, tagOf(tag))) ?? null;
}

/** @param known the value of If-None-Match */
function unlessHeld(answer: RenderedAnswer, known: string | undefined): Outcome {
  const { tag } = answer;
  return known !== undefined && tag !== null && matchesIfNoneMatch(known, tag)
    ? new NotModified(tag)
    : answer;
}

function tagFor(
  { request: { url }, user_id }: Asked,
  revision: number,
  coding: ContentCoding | null,
  isUnknownPaykey = false,
): string {
  return tagOf({ url, user_id, revision, coding, isUnknownPaykey });
}

/** Who asks for the same with parameters that are ignored is sent the same page. */
function pageKeyOf(context: ExecutionContext, user_id: number): string {
  const request = context.switchToHttp().getRequest<Request>();
  return `${user_id} ${codingFor(request) ?? 'identity'} ${knownAddressOf(context)}`;
}
