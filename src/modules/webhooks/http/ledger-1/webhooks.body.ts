import { IsOptional } from 'class-validator';
import { ApiField } from '../../../../common/validation/api-field.js';
import { IsCalendarDay, IsOneOf, IsText } from '../../../../common/validation/validators.js';

const STATES = ['active', 'paused'] as const;
const STARTS = ['now', 'beginning'] as const;

/** A new endpoint. */
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
}

/** What is changed of an endpoint. */
export class WebhookChangeBody {
  @ApiField('The new URL.', 'https://shop.example/hook')
  @IsOptional()
  @IsText()
  url?: string | null;

  @ApiField('`paused` sends nothing until it is `active` again.', 'paused')
  @IsOptional()
  @IsOneOf(STATES)
  state?: (typeof STATES)[number] | null;
}

/** From where changes are sent again. */
export class WebhookReplayBody {
  @ApiField(
    'The first day in UTC, as YYYY-MM-DD. Without it, everything is sent again.',
    '2025-06-01',
  )
  @IsOptional()
  @IsCalendarDay()
  from?: string | null;
}
