import {
  Body,
  type CallHandler,
  Controller,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Injectable,
  type NestInterceptor,
  Param,
  Patch,
  Post,
  UseInterceptors,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { Expose, Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import type { Request } from 'express';
import { catchError, type Observable } from 'rxjs';
import { CurrentPrincipal, type Principal } from '../../api/access/principal.js';
import type { Answer } from '../../api/envelope/envelope.js';
import { ApiError } from '../../api/errors/api-error.js';
import { ApiField } from '../../api/validation/api-field.js';
import { cursorText } from '../../api/validation/feed-cursor.js';
import { InvalidParametersError } from '../../api/validation/parameters.pipe.js';
import {
  type IntegerInput,
  IsCalendarDay,
  IsInteger,
  IsOneOf,
  IsText,
  IsWords,
  pathIdOf,
  type WordsInput,
} from '../../api/validation/validators.js';
import { AllowAccess, ApiOperation } from '../../api/versions/api-operation.js';
import { LEDGER_PATH } from '../../api/versions/api-versions.js';
import { isRecord } from '../../platform/values/is-record.js';
import { formatDateTime } from '../../platform/values/time.js';
import { CHANGE_REASONS } from '../../ledger/changes/reasons/change-reasons.js';
import { MAX_PRODUCTS, wordsIn, type FilterInput } from './filter-input.js';
import {
  DELIVERY_BYTES,
  type EndpointWithSecret,
  type FailingDelivery,
  NotFailingError,
  type ShownEndpoint,
  RefusedEndpointError,
  UnknownEndpointError,
} from './webhook.model.js';
import { WebhooksService } from './webhooks.service.js';

const STATES = ['active', 'paused'] as const;
const STARTS = ['now', 'beginning'] as const;

/** Describes the part of a body that filters the changes of an endpoint. */
class FilterBody {
  @ApiField('Only changes of these kinds are sent. Changes of the kind `removed` always are.', [
    'transaction',
    'recurring_payment',
  ])
  @IsOptional()
  @IsWords({ type: 'string' })
  kinds?: WordsInput | null;

  @ApiField('Only changes with one of these reasons are sent, so none of kinds without reasons.', [
    'refunded',
    'charged_back',
    'canceled',
  ])
  @IsOptional()
  @IsWords({ type: 'string', enum: CHANGE_REASONS })
  reasons?: WordsInput | null;

  @ApiField(
    `Only transactions, recurring payments, relationships and products of these products are sent; at most ${MAX_PRODUCTS}.`,
    [101],
  )
  @IsOptional()
  @IsWords({ type: 'integer' })
  product_ids?: WordsInput | null;
}

/** Describes the body of a request that creates an endpoint. */
class WebhookBody extends FilterBody {
  @ApiField(
    'Where changes are sent: an https URL with a public address.',
    'https://shop.example/hook',
  )
  @IsText()
  url!: string;

  @ApiField('`now` sends what changes from now on; `beginning` sends everything first.', 'now')
  @IsOptional()
  @IsOneOf(STARTS)
  from?: (typeof STARTS)[number] | null;

  @ApiField(
    `The body of a delivery has at most so many bytes, unless a single change is larger. Without it, ${DELIVERY_BYTES.default}.`,
    DELIVERY_BYTES.default,
  )
  @IsOptional()
  @IsInteger(DELIVERY_BYTES)
  max_bytes?: IntegerInput | null;
}

/** Describes the body of a request that changes an endpoint; absent fields stay as they are. */
class WebhookChangeBody extends FilterBody {
  @ApiField('The new URL.', 'https://shop.example/hook')
  @IsOptional()
  @IsText()
  url?: string | null;

  @ApiField('`paused` sends nothing until it is `active` again.', 'paused')
  @IsOptional()
  @IsOneOf(STATES)
  state?: (typeof STATES)[number] | null;

  @ApiField(
    'The new size: the body of a delivery has at most so many bytes, unless a single change is larger.',
    DELIVERY_BYTES.default,
  )
  @IsOptional()
  @IsInteger(DELIVERY_BYTES)
  max_bytes?: IntegerInput | null;
}

/** Describes the body of a request that skips a delivery. */
class WebhookSkipBody {
  @ApiField(
    'The `webhook-id` of the delivery that is failing. The field may also be named as the header is.',
    `msg_${'A'.repeat(43)}`,
  )
  @Expose()
  @Transform(({ obj }: { readonly obj: Readonly<Record<string, unknown>> }) => {
    return obj.webhook_id ?? obj['webhook-id'];
  })
  @IsText()
  webhook_id!: string;
}

/** Describes the body of a request that sends changes again. */
class WebhookReplayBody {
  @ApiField(
    'The first day in UTC, as YYYY-MM-DD. Without it, everything is sent again.',
    '2025-06-01',
  )
  @IsOptional()
  @IsCalendarDay()
  from?: string | null;
}

/**
 * Reports an unusable URL together with the errors of the other fields. Which URLs can be called
 * depends on the settings, which the validators of a body do not know.
 */
@Injectable()
class UrlFaultsInterceptor implements NestInterceptor {
  constructor(private readonly webhooks: WebhooksService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        if (!(error instanceof InvalidParametersError)) throw error;
        const request = context.switchToHttp().getRequest<Request>();
        throw new InvalidParametersError([...this.faultsOf(request.body), ...error.faults]);
      }),
    );
  }

  /** Returns the fault of the URL. A URL that is not text is among the other errors already. */
  private faultsOf(body: unknown): string[] {
    if (!isRecord(body) || typeof body.url !== 'string') return [];
    const problem = this.webhooks.problemOfUrl(body.url);
    return problem === null ? [] : [`url ${problem}`];
  }
}

/** Manages webhook endpoints. See docs/webhooks.md. */
@Controller({ path: `${LEDGER_PATH}/webhooks`, version: VERSION_NEUTRAL })
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @AllowAccess('full')
  @ApiOperation({ id: 'listWebhooks', summary: 'List webhook endpoints' })
  async list(@CurrentPrincipal() { user_id }: Principal): Promise<Answer> {
    const endpoints = await this.webhooks.list(user_id);
    return { results: await Promise.all(endpoints.map((endpoint) => this.present(endpoint))) };
  }

  @Post()
  @HttpCode(200)
  @UseInterceptors(UrlFaultsInterceptor)
  @ApiOperation({
    id: 'createWebhook',
    summary: 'Create a webhook endpoint',
    description:
      'Sends changes to a URL from now on, or from the beginning. Verify what you receive with the `secret`: deliveries are signed as Standard Webhooks. You can have 10 endpoints.',
  })
  async create(@CurrentPrincipal() by: Principal, @Body() body: WebhookBody): Promise<Answer> {
    const { url, from, max_bytes } = body;
    const start = { from: from ?? ('now' as const), max_bytes: numberIn(max_bytes) };
    const wanted = { url, ...start, ...filterIn(body) };
    const created = this.webhooks.create(by.user_id, wanted, by);
    return { results: [await this.presentWithSecret(created)] };
  }

  @Get(':id')
  @AllowAccess('full')
  @ApiOperation({ id: 'getWebhook', summary: 'Get a webhook endpoint', failures: ['not_found'] })
  async get(@CurrentPrincipal() { user_id }: Principal, @Param('id') id: string): Promise<Answer> {
    return { results: [await this.present(await told(this.webhooks.get(user_id, pathIdOf(id))))] };
  }

  @Get(':id/secret')
  @AllowAccess('full')
  @ApiOperation({
    id: 'getWebhookSecret',
    summary: 'Show the secret of a webhook endpoint again',
    failures: ['not_found'],
  })
  async showSecret(@CurrentPrincipal() by: Principal, @Param('id') id: string): Promise<Answer> {
    const endpoint = this.webhooks.showSecret(by.user_id, pathIdOf(id), by);
    return { results: [await this.presentWithSecret(endpoint)] };
  }

  @Patch(':id')
  @UseInterceptors(UrlFaultsInterceptor)
  @ApiOperation({
    id: 'changeWebhook',
    summary: 'Change, pause or resume a webhook endpoint',
    description:
      'Fields that are absent stay as they are. An endpoint with another filter goes on at its position.',
    failures: ['not_found'],
  })
  async change(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: WebhookChangeBody,
  ): Promise<Answer> {
    const { url, state, max_bytes } = body;
    const edit = {
      url: url ?? undefined,
      state: state ?? undefined,
      max_bytes: numberIn(max_bytes),
      ...filterIn(body),
    };
    if (Object.values(edit).every((value) => value === undefined)) return this.get(by, id);
    const changed = this.webhooks.edit(by.user_id, pathIdOf(id), edit, by);
    return { results: [await this.present(await told(changed))] };
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @ApiOperation({
    id: 'rotateWebhookSecret',
    summary: 'Give a webhook endpoint a new secret',
    description: 'The old secret signs as well for 24 hours.',
    failures: ['not_found'],
  })
  async rotate(@CurrentPrincipal() by: Principal, @Param('id') id: string): Promise<Answer> {
    const rotated = this.webhooks.rotate(by.user_id, pathIdOf(id), by);
    return { results: [await this.presentWithSecret(rotated)] };
  }

  @Post(':id/test')
  @HttpCode(200)
  @ApiOperation({ id: 'testWebhook', summary: 'Send a test', failures: ['not_found'] })
  async test(@CurrentPrincipal() { user_id }: Principal, @Param('id') id: string): Promise<Answer> {
    const tested = await told(this.webhooks.test(user_id, pathIdOf(id)));
    const { sent, duration_ms, status, problem, answer } = tested;
    return { results: [{ sent: formatDateTime(sent), duration_ms, status, problem, answer }] };
  }

  @Post(':id/replay')
  @HttpCode(200)
  @ApiOperation({
    id: 'replayWebhook',
    summary: 'Send changes again',
    description: 'Sends again what changed since the start of a day in UTC, or everything.',
    failures: ['not_found'],
  })
  async replay(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() { from }: WebhookReplayBody,
  ): Promise<Answer> {
    const replayed = this.webhooks.replay(by.user_id, pathIdOf(id), from ?? null, by);
    return { results: [await this.present(await told(replayed))] };
  }

  @Post(':id/skip')
  @HttpCode(200)
  @ApiOperation({
    id: 'skipWebhookDelivery',
    summary: 'Skip a delivery that is failing',
    description:
      'Moves the endpoint past the delivery that its receiver keeps rejecting: the receiver does not get its changes, and the next delivery is sent at once. `failing` of the endpoint names it. If it is not failing, or another delivery is due because something has changed since, the answer is 4001 and nothing changes.',
    failures: ['not_found'],
  })
  async skip(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() { webhook_id }: WebhookSkipBody,
  ): Promise<Answer> {
    const skip = this.webhooks.skip(by.user_id, pathIdOf(id), webhook_id, by);
    const { endpoint, skipped } = await told(skip);
    return { results: [{ ...(await this.present(endpoint)), skipped }] };
  }

  @Delete(':id')
  @ApiOperation({
    id: 'deleteWebhook',
    summary: 'Delete a webhook endpoint',
    failures: ['not_found'],
  })
  async remove(@CurrentPrincipal() by: Principal, @Param('id') id: string): Promise<Answer> {
    const removed = await told(this.webhooks.remove(by.user_id, pathIdOf(id), by));
    return { results: [presentEndpoint(removed, null)] };
  }

  private async present(endpoint: ShownEndpoint) {
    return presentEndpoint(endpoint, await this.webhooks.failingOf(endpoint));
  }

  private async presentWithSecret(work: Promise<EndpointWithSecret>) {
    const endpoint = await told(work);
    return { ...(await this.present(endpoint)), secret: endpoint.secret };
  }
}

function numberIn(input: IntegerInput | null | undefined): number | undefined {
  return input === null || input === undefined ? undefined : Number(input);
}

/** Returns the filter of a body. Null is an empty list, which removes that part of the filter. */
function filterIn({ kinds, reasons, product_ids }: FilterBody): FilterInput {
  return { kinds: listIn(kinds), reasons: listIn(reasons), product_ids: listIn(product_ids) };
}

function listIn(input: WordsInput | null | undefined): string[] | undefined {
  return input === undefined ? undefined : wordsIn(input ?? '');
}

/** Converts errors of the service to API errors. */
async function told<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UnknownEndpointError) {
      throw new ApiError('not_found', 'There is no such webhook endpoint.');
    }
    if (error instanceof RefusedEndpointError || error instanceof NotFailingError) {
      throw new ApiError('invalid_parameters', error.message);
    }
    throw error;
  }
}

/** @param failing the delivery that its receiver rejects */
function presentEndpoint(endpoint: ShownEndpoint, failing: FailingDelivery | null) {
  const { id, url, state, failures, problem, next_try, created, last_taken } = endpoint;
  return {
    id,
    url,
    state,
    max_bytes: endpoint.max_bytes,
    kinds: endpoint.kinds,
    reasons: endpoint.reasons,
    product_ids: endpoint.product_ids,
    cursor: cursorText(endpoint),
    failures,
    problem,
    failing,
    next_try: state === 'active' ? formatDateTime(next_try) : null,
    created: formatDateTime(created),
    last_taken: last_taken === null ? null : formatDateTime(last_taken),
  };
}
