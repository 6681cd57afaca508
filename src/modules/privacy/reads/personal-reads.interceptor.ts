import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import {
  PiecedAnswer,
  RenderedAnswer,
  SendableAnswer,
  type RenderableAnswer,
  FileAnswer,
} from '../../../api/envelope/rendered-answer.js';
import { DESCRIPTION, type Description } from '../../../api/versions/api-operation.js';
import { isMasked, principalOf } from '../../../api/access/principal.js';
import {
  currentScope,
  type PersonalScope,
} from '../../../platform/database/extensions/personal-scope.js';
import { extensionOfPath } from './extension-operations.js';
import { PersonalReadLog } from './personal-read-log.service.js';
import {
  SHOWS_PERSONAL_DATA,
  type AnswerWithReads,
  type ShownPersonalData,
  type ShownRecords,
} from '../../../api/access/personal-reads.js';

type Handled = RenderableAnswer | AnswerWithReads | SendableAnswer;
type Add = (shown: ShownRecords) => void;

/** Path parameters with the key of the one record that an operation of an extension shows. */
const RECORD_PARAMETERS = ['transaction_id', 'preKey', 'pre_key'];

/**
 * Records who reads personal data over the API. A masked key, a request for headers only and a 304
 * are shown no personal data.
 */
@Injectable()
export class PersonalReadsInterceptor implements NestInterceptor<Handled, Handled> {
  constructor(
    private readonly log: PersonalReadLog,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<Handled>): Observable<Handled> {
    const handler = context.getHandler();
    const declared = this.reflector.get<ShownPersonalData | undefined>(
      SHOWS_PERSONAL_DATA,
      handler,
    );
    const request = context.switchToHttp().getRequest<Request>();
    const scope = declared === undefined ? currentScope() : undefined;
    const shown = declared ?? (scope && this.ofExtension(request, handler));
    if (shown === undefined) return next.handle();
    const { method, params, query } = request;
    const principal = principalOf(context);
    if (method === 'HEAD' || isMasked(principal)) return next.handle();
    const { user_id, application_id } = principal;
    const { operation, record, days } = shown;
    const read = {
      vendor_id: user_id,
      user_id,
      application_id,
      operation,
      record_key: record === undefined ? null : textOf(params[record]),
      first_day: days === true ? textOf(query.start_date) : null,
      last_day: days === true ? textOf(query.end_date) : null,
    };
    const add: Add = (more) => {
      this.log.add({ ...read, ...more });
    };
    const response = context.switchToHttp().getResponse<Response>();
    const addIfRead = scope === undefined ? add : whenRead(scope, request, response, add);
    return next.handle().pipe(map((answer) => recorded(answer, addIfRead)));
  }

  /** Returns how an operation of an extension is recorded if it reads personal data. */
  private ofExtension(
    { path, params }: Request,
    handler: ReturnType<ExecutionContext['getHandler']>,
  ): ShownPersonalData | undefined {
    const description = this.reflector.get<Description | undefined>(DESCRIPTION, handler);
    const extension = extensionOfPath(path);
    if (description === undefined || extension === null) return undefined;
    const operation: ShownPersonalData['operation'] = `${extension}.${description.id}`;
    const record = RECORD_PARAMETERS.find((name) => Object.hasOwn(params, name));
    return record === undefined ? { operation } : { operation, record };
  }
}

/**
 * Records an answer if one of its statements read personal data, now or while it is sent. A write
 * may read what it changes, so it is recorded only if it answers with results.
 */
function whenRead(scope: PersonalScope, { method }: Request, response: Response, add: Add): Add {
  return (shown) => {
    if (method !== 'GET' && shown.records === 0) return;
    if (scope.hasRead) add(shown);
    else {
      response.once('close', () => {
        if (scope.hasRead) add(shown);
      });
    }
  };
}

/** Returns the answer, and records it when it is known what it shows. */
function recorded(answer: Handled, add: Add): Handled {
  if (answer instanceof FileAnswer) {
    // A file that ends early has already shown a part.
    return new FileAnswer((send) =>
      answer.withFile((file) => {
        add({ records: file.count ?? null });
        return send(file);
      }),
    );
  }
  if (answer instanceof SendableAnswer) return recordedResults(answer, add);
  if ('reads' in answer) {
    for (const read of answer.reads) add(read);
    return answer;
  }
  const { onRendered } = answer;
  return {
    ...answer,
    onRendered: (rendered) => recordedResults(onRendered?.(rendered) ?? rendered, add),
  };
}

function recordedResults(answer: SendableAnswer, add: Add): SendableAnswer {
  const hasResults = answer instanceof RenderedAnswer || answer instanceof PiecedAnswer;
  if (hasResults) add({ records: answer.count });
  return answer;
}

/** Returns the text of a parameter, which the operation has already validated. */
function textOf(parameter: unknown): string | null {
  return typeof parameter === 'string' ? parameter : null;
}
