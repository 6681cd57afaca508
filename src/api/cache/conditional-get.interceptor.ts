import { hash } from 'node:crypto';
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
import { codingFor, type ContentCoding } from '../envelope/content-coding.js';
import {
  RenderedAnswer,
  type PiecedAnswer,
  SendableAnswer,
  type RenderableAnswer,
} from '../envelope/rendered-answer.js';
import { queryNamesOf } from '../validation/request-inputs.js';
import { PageCache } from './page-cache.js';
import { RevisionSource, type AnswerAtRevision, type Variant } from './revision-source.js';

declare global {
  // Express's types let an application extend `Request` under this name.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Express {
    interface Request {
      /** The revision that was read for this request; absent if none was read. */
      revision?: number;
    }
  }
}

export const TAGGED_ANSWERS = 'tagged-answers';
const CACHED_ANSWERS = 'cached-answers';

/** Gives the answers of an operation an ETag from the revision of the data. */
export function TaggedByRevision(): MethodDecorator {
  return applyDecorators(
    SetMetadata(TAGGED_ANSWERS, true),
    UseInterceptors(ConditionalGetInterceptor),
  );
}

/**
 * Gives the answers of an operation an ETag from the revision of the data, and caches them until
 * the data changes.
 */
export function CachedByRevision(): MethodDecorator {
  return applyDecorators(SetMetadata(CACHED_ANSWERS, true), TaggedByRevision());
}

interface TaggedRequest {
  readonly request: Request;
  readonly response: Response;
  readonly user_id: number;
  readonly view: string | null;
  /** Null if the answer is not cached. */
  readonly pageKey: string | null;
  readonly ifNoneMatch: string | undefined;
}

type Handled = RenderableAnswer | SendableAnswer;

/**
 * Answers a request for unchanged data without reading the data: with 304 if the client has the
 * answer, from the cache if this process has it. Both are valid for the revision that is read here
 * for each such request. If neither is possible, the revision is not read.
 */
@Injectable()
class ConditionalGetInterceptor implements NestInterceptor<AnswerAtRevision | Handled, Handled> {
  constructor(
    private readonly reflector: Reflector,
    private readonly source: RevisionSource,
    private readonly pages: PageCache,
  ) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler<AnswerAtRevision | Handled>,
  ): Observable<Handled> | Promise<Observable<Handled>> {
    const tagged = this.requestOf(context);
    // An answer without a revision shows more than the ledger, or is a file, and has no tag.
    const handle = () =>
      next
        .handle()
        .pipe(map((answer) => ('revision' in answer ? this.tag(tagged, answer) : answer)));
    const { ifNoneMatch, pageKey } = tagged;
    const mayBeKnown = ifNoneMatch !== undefined || (pageKey !== null && this.pages.has(pageKey));
    if (!mayBeKnown) return handle();
    return this.knownAnswer(tagged).then((known) => (known === null ? handle() : of(known)));
  }

  private requestOf(context: ExecutionContext): TaggedRequest {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const user_id = this.source.userOf(context);
    const view = this.source.viewOf(context);
    const isCached = this.reflector.get<true | undefined>(CACHED_ANSWERS, context.getHandler());
    return {
      request,
      response: http.getResponse<Response>(),
      user_id,
      view,
      pageKey: isCached === true ? pageKeyOf(context, `${user_id} ${view ?? ''}`) : null,
      ifNoneMatch: request.headers['if-none-match'],
    };
  }

  /**
   * Returns the answer that the client or this process already has.
   * @returns null if neither has it
   */
  private async knownAnswer(tagged: TaggedRequest): Promise<SendableAnswer | null> {
    const { request, response, user_id, pageKey } = tagged;
    const revision = await this.source.revisionOf(user_id);
    request.revision = revision;
    const notModified = this.notModified(tagged, revision);
    if (notModified !== null) return notModified;
    const page = pageKey === null ? null : this.pages.get(pageKey, revision, response);
    return page === null ? null : this.withTag(tagged, revision, null, page);
  }

  /**
   * Returns a 304 for an answer that the client has.
   * @returns null if the client does not have the answer
   */
  private notModified(tagged: TaggedRequest, revision: number): NotModified | null {
    const { request, response, ifNoneMatch } = tagged;
    // It is not known yet for `*` whether there is an answer.
    if (ifNoneMatch === undefined || ifNoneMatch.trim() === '*') return null;
    const variants = [null, ...this.source.variantsFor(request)];
    // A short answer is not compressed, even if the client accepts it, so its tag has no coding.
    for (const coding of [codingFor(request), null]) {
      for (const variant of variants) {
        const tag = tagFor(tagged, revision, variant, coding);
        if (!matchesIfNoneMatch(ifNoneMatch, tag)) continue;
        if (variant !== null) response.setHeader(variant.header, variant.name);
        return new NotModified(tag);
      }
    }
    return null;
  }

  /** Caches and tags the answer once its bytes are known. */
  private tag(tagged: TaggedRequest, answer: AnswerAtRevision): RenderableAnswer {
    const { revision, variant = null } = answer;
    const { pageKey, request, response } = tagged;
    if (variant !== null) response.setHeader(variant.header, variant.name);
    const onRendered = (rendered: RenderedAnswer | PiecedAnswer) => {
      const isCached = pageKey !== null && rendered instanceof RenderedAnswer;
      const sent = isCached ? this.pages.set(pageKey, revision, rendered, response) : rendered;
      return this.withTag(tagged, revision, variant, sent);
    };
    if (pageKey === null || codingFor(request) !== null) return { ...answer, onRendered };
    const allocate = (length: number) => this.pages.allocate(pageKey, length);
    return { ...answer, allocate, onRendered };
  }

  /**
   * Adds the tag to an answer. The tag is computed for each request, since a cached page may come
   * from a request with another URL.
   */
  private withTag(
    tagged: TaggedRequest,
    revision: number,
    variant: Variant | null,
    answer: RenderedAnswer | PiecedAnswer,
  ): SendableAnswer {
    const tag = tagFor(tagged, revision, variant, answer.coding);
    const { ifNoneMatch } = tagged;
    if (ifNoneMatch !== undefined && matchesIfNoneMatch(ifNoneMatch, tag)) {
      return new NotModified(tag);
    }
    return answer.tagged(tag);
  }
}

function tagFor(
  { request: { url }, user_id, view }: TaggedRequest,
  revision: number,
  variant: Variant | null,
  coding: ContentCoding | null,
): string {
  return tagOf({ url, user_id, view, revision, coding, variant: variant?.name ?? null });
}

/**
 * Returns the key of a page. Ignored parameters and the spelling of the query are not part of the
 * key.
 * @param caller the user, and the caller's view of the user's data
 */
function pageKeyOf(context: ExecutionContext, caller: string): string {
  const request = context.switchToHttp().getRequest<Request>();
  const { path, query } = request;
  const pairs = [...queryNamesOf(context)].flatMap((name) => {
    const values = [query[name] ?? []].flat().filter((value) => typeof value === 'string');
    return values.map((value) => `${name}=${encodeURIComponent(value)}`);
  });
  const address = pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
  return `${caller} ${codingFor(request) ?? 'identity'} ${address}`;
}

/**
 * Version of the format. Raise it when the JSON of the same data changes, so that no client keeps
 * the old one.
 */
const FORMAT = 2;
const LENGTH = 22;

/** Holds the properties that identify an answer. */
export interface Tagged {
  /** Path and query. */
  readonly url: string;
  readonly user_id: number;
  /** The part of the data that the caller sees, or null for everything. */
  readonly view: string | null;
  readonly revision: number;
  readonly coding: ContentCoding | null;
  /** The name of the variant, or null for the usual answer. */
  readonly variant: string | null;
}

/** Returns the value of ETag, different for every answer (RFC 9110, 8.8.3). */
export function tagOf({ url, user_id, view, revision, coding, variant }: Tagged): string {
  const seen = view === null ? url : `${url} ${view}`;
  const name = hash('sha256', `${FORMAT} ${user_id} ${revision} ${seen}`, 'base64url');
  const marks = [variant, coding].filter((mark) => mark !== null);
  return `"${[name.slice(0, LENGTH), ...marks].join('-')}"`;
}

/**
 * Returns true if If-None-Match lists the tag. A proxy that compresses may have made it weak; weak
 * comparison applies (RFC 9110, 13.1.2). `*` matches every tag.
 */
export function matchesIfNoneMatch(known: string, tag: string): boolean {
  if (known.trim() === '*') return true;
  return known.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}

/** Sends a 304 response (RFC 9110, 15.4.5). */
class NotModified extends SendableAnswer {
  constructor(private readonly tag: string) {
    super();
  }

  override send(response: Response): void {
    response.statusCode = 304;
    response.setHeader('ETag', this.tag);
    response.setHeader('Vary', 'Accept-Encoding');
    response.end();
  }
}
