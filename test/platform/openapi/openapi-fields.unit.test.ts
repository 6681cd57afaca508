import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { IsInt, IsOptional } from 'class-validator';
import {
  IsCalendarDay,
  IsOneOf,
  IsOnOrAfter,
  IsText,
  IsInteger,
} from '../../../src/api/validation/validators.js';
import { ApiField } from '../../../src/api/validation/api-field.js';
import { fieldsOf, formBodyOf, jsonBodyOf } from '../../../src/platform/openapi/requests.js';

class Query {
  @IsCalendarDay()
  from!: string;

  @IsCalendarDay()
  @IsOnOrAfter('from')
  to!: string;

  @IsInteger({ min: 1, max: 9 })
  size = '5';

  @IsOneOf(['UP', 'DOWN'])
  order = 'UP';
}

class Body {
  @IsInteger({ min: 0, max: 100 })
  percent!: number;

  @ApiField('What to remember.', 'Call back')
  @IsOptional()
  @IsText()
  note?: string | null;
}

class Unchecked {
  @IsInt()
  count!: number;
}

describe('the fields of a class of checks', () => {
  it('are told with their bounds, defaults and sentences', () => {
    const day = { type: 'string', format: 'date', default: undefined };
    const sentence = 'A date in the form YYYY-MM-DD';
    expect(fieldsOf(Query)).toEqual([
      { name: 'from', required: true, nullable: false, description: `${sentence}.`, schema: day },
      {
        name: 'to',
        required: true,
        nullable: false,
        description: `${sentence}; on or after from.`,
        schema: day,
      },
      {
        name: 'size',
        required: false,
        nullable: false,
        description: 'An integer from 1 to 9.',
        schema: { type: 'integer', minimum: 1, maximum: 9, default: 5 },
      },
      {
        name: 'order',
        required: false,
        nullable: false,
        description: 'One of UP, DOWN.',
        schema: { type: 'string', enum: ['UP', 'DOWN'], default: 'UP' },
      },
    ]);
  });

  it('fail the documents if a field has no documented validator', () => {
    expect(() => fieldsOf(Unchecked)).toThrow('Unchecked.count has no documented validator');
  });
});

describe('a body', () => {
  const percent = {
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'An integer from 0 to 100.',
  };

  it('clears a field by null as JSON', () => {
    expect(jsonBodyOf(Body)).toEqual({
      type: 'object',
      required: ['percent'],
      properties: {
        percent,
        note: {
          type: ['string', 'null'],
          description: 'What to remember. Send null to clear it.',
          examples: ['Call back'],
        },
      },
    });
  });

  it('clears a field by an empty value as a form', () => {
    expect(formBodyOf(Body)).toEqual({
      type: 'object',
      required: ['percent'],
      properties: {
        percent,
        note: {
          anyOf: [{ type: 'string' }, { type: 'string', maxLength: 0 }],
          description: 'What to remember. Send an empty value to clear it.',
          examples: ['Call back'],
        },
      },
    });
  });
});
