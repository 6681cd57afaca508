import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { map, of, type Observable } from 'rxjs';
import { codingFor, type ContentCoding } from '../common/envelope/content-coding.js';
import {
  RenderedAnswer,
  type SendableAnswer,
  type RenderableAnswer,
} from '../common/envelope/rendered-answer.js';
import { queryNamesOf } from '../common/validation/request-inputs.js';
import { matchesIfNoneMatch, tagOf } from './entity-tag.js';
import { NotModified } from './not-modified.js';
import { PageCache } from './page-cache.js';
import { RevisionSource } from './revision-source.js';
import { setVariant, type AnswerAtRevision, type Variant } from './answer-at-revision.js';

declare global {
  // The name under which Express's own types let an application add to its requests.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      /** The revision that was read for this very request; missing where there was no need to. */
      revision?: number;
    }
  }
}

export const TAGGED_ANSWERS = 'tagged-answers';
const KEPT_ANSWERS = 'kept-answers';

/** Names the answers of an operation by the data's revision, so that a client can ask for news. */
export function TaggedByRevision(): MethodDecorator {
  return applyDecorators(
    SetMetadata(TAGGED_ANSWERS, true),
    UseInterceptors(TaggedAnswersInterceptor),
  );
}

/** The same for an operation whose answers are worth keeping here until the data changes. */
export function KeptByRevision(): MethodDecorator {
  return applyDecorators(SetMetadata(KEPT_ANSWERS, true), TaggedByRevision());
}

/** A request, and what is known of it before it is answered. */
interface Asked {
  readonly request: Request;
  readonly response: Response;
  readonly user_id: number;
  /** Null where the answer is not kept. */
  readonly pageKey: string | null;
  readonly ifNoneMatch: string | undefined;
}

type Handled = RenderableAnswer | SendableAnswer;

/**
 * Answers what did not change since it was asked for without touching the data: by 304 where the
 * client has it, from memory where this process has it. Both hold for the revision that is read here,
 * on each such request. What nobody can have yet is answered without that look.
 */
@Injectable()
class TaggedAnswersInterceptor implements NestInterceptor<AnswerAtRevision, Handled> {
  constructor(
    private readonly reflector: Reflector,
    private readonly source: RevisionSource,
    private readonly pages: PageCache,
  ) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler<AnswerAtRevision>,
  ): Observable<Handled> | Promise<Observable<Handled>> {
    const asked = this.askedBy(context);
    const answered = () => next.handle().pipe(map((answer) => this.tagged(asked, answer)));
    const { ifNoneMatch, pageKey } = asked;
    const mayBeKnown = ifNoneMatch !== undefined || (pageKey !== null && this.pages.has(pageKey));
    if (!mayBeKnown) return answered();
    return this.answerBefore(asked).then((before) => (before === null ? answered() : of(before)));
  }

  private askedBy(context: ExecutionContext): Asked {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const user_id = this.source.userOf(context);
    const isKept = this.reflector.get<true | undefined>(KEPT_ANSWERS, context.getHandler());
    return {
      request,
      response: http.getResponse<Response>(),
      user_id,
      pageKey: isKept === true ? pageKeyOf(context, user_id) : null,
      ifNoneMatch: request.headers['if-none-match'],
    };
  }

  /** @returns null where neither the client holds the answer nor this process does */
  private async answerBefore(asked: Asked): Promise<SendableAnswer | null> {
    const { request, response, user_id, pageKey, ifNoneMatch } = asked;
    const revision = await this.source.revisionOf(user_id);
    request.revision = revision;
    const held = ifNoneMatch === undefined ? null : this.heldAnswer(asked, revision, ifNoneMatch);
    if (held !== null) return held;
    const page = pageKey === null ? null : this.pages.take(pageKey, revision, response);
    return page === null ? null : named(asked, revision, null, page);
  }

  /** @returns 304 where the client holds what it would be sent, or null */
  private heldAnswer(asked: Asked, revision: number, ifNoneMatch: string): NotModified | null {
    // Whether there is anything at all is not known yet.
    if (ifNoneMatch.trim() === '*') return null;
    const { request, response } = asked;
    const variants = [null, ...this.source.variantsFor(request)];
    // A short answer is not compressed, whatever the client would take.
    for (const coding of [codingFor(request), null]) {
      for (const variant of variants) {
        const tag = tagFor(asked, revision, variant, coding);
        if (!matchesIfNoneMatch(ifNoneMatch, tag)) continue;
        if (variant !== null) setVariant(response, variant);
        return new NotModified(tag);
      }
    }
    return null;
  }

  /** Once its bytes are known, the answer is kept, and named by its tag. */
  private tagged(asked: Asked, answer: AnswerAtRevision): RenderableAnswer {
    const { revision, variant = null } = answer;
    const { pageKey, response } = asked;
    if (variant !== null) setVariant(response, variant);
    const onRendered = (rendered: RenderedAnswer) => {
      const sent =
        pageKey === null ? rendered : this.pages.keep(pageKey, revision, rendered, response);
      return named(asked, revision, variant, sent);
    };
    return { ...answer, onRendered };
  }
}

/** A page that is kept may have been asked for by another address: its tag is made anew. */
function named(
  asked: Asked,
  revision: number,
  variant: Variant | null,
  { body, coding }: RenderedAnswer,
): SendableAnswer {
  const tag = tagFor(asked, revision, variant, coding);
  const { ifNoneMatch } = asked;
  return ifNoneMatch !== undefined && matchesIfNoneMatch(ifNoneMatch, tag)
    ? new NotModified(tag)
    : new RenderedAnswer(body, coding, tag);
}

function tagFor(
  { request: { url }, user_id }: Asked,
  revision: number,
  variant: Variant | null,
  coding: ContentCoding | null,
): string {
  return tagOf({ url, user_id, revision, coding, variant: variant?.name ?? null });
}

/** Who asks for the same in another spelling, or with parameters that are ignored, gets the same page. */
function pageKeyOf(context: ExecutionContext, user_id: number): string {
  const request = context.switchToHttp().getRequest<Request>();
  const { path, query } = request;
  const pairs = [...queryNamesOf(context)].flatMap((name) => {
    const values = [query[name] ?? []].flat().filter((value) => typeof value === 'string');
    return values.map((value) => `${name}=${encodeURIComponent(value)}`);
  });
  const address = pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
  return `${user_id} ${codingFor(request) ?? 'identity'} ${address}`;
}
