import { Expose, Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { ApiField } from '../../api/validation/api-field.js';
import {
  IsCalendarDay,
  IsInteger,
  IsOneOf,
  IsText,
  type IntegerInput,
} from '../../api/validation/validators.js';
import { DELIVERY_BYTES } from './webhook.model.js';

const STATES = ['active', 'paused'] as const;
const STARTS = ['now', 'beginning'] as const;

/** Describes the body of a request that creates an endpoint. */
export class WebhookBody {
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
export class WebhookChangeBody {
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
export class WebhookSkipBody {
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
export class WebhookReplayBody {
  @ApiField(
    'The first day in UTC, as YYYY-MM-DD. Without it, everything is sent again.',
    '2025-06-01',
  )
  @IsOptional()
  @IsCalendarDay()
  from?: string | null;
}
