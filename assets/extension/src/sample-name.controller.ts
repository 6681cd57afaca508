import {
  ApiField,
  ApiOperation,
  Body,
  CurrentPrincipal,
  ExtensionController,
  formatDateTime,
  Get,
  IsString,
  IsText,
  MaxLength,
  Param,
  Put,
  type Answer,
  type Principal,
} from 'vendor-reporting-api/extension';
import { MAX_LENGTH } from './settings.js';
import { SampleNameService } from './sample-name.service.js';
import type { SampleName } from './sample-name.table.js';

class SaleParams {
  @ApiField('Id of your transaction. Case-sensitive.', 'X4Q7B2M1')
  @IsText()
  transaction_id!: string;
}

class TextBody {
  @ApiField('The text. The operator may have set a lower limit.', 'Called, wants a refund.')
  @IsString()
  @MaxLength(MAX_LENGTH.max)
  text!: string;
}

/** JSON Schema of a result. */
const TEXT = {
  type: 'object',
  required: ['transaction_id', 'text', 'saved'],
  properties: {
    transaction_id: { type: 'string', description: 'Id of the transaction.' },
    text: { type: 'string', description: 'The text. Empty after an erasure of the customer.' },
    saved: { type: 'string', format: 'date-time', description: 'Time of the last change.' },
  },
} as const;

@ExtensionController('sample-name', 1, 'sales/:transaction_id')
export class SampleNameController {
  constructor(private readonly texts: SampleNameService) {}

  @Get()
  @ApiOperation({
    id: 'getSampleName',
    summary: 'Get the text on a sale',
    failures: ['not_found'],
    result: TEXT,
  })
  async get(
    @CurrentPrincipal() { user_id }: Principal,
    @Param() { transaction_id }: SaleParams,
  ): Promise<Answer> {
    return { results: [presented(await this.texts.textOf(user_id, transaction_id))] };
  }

  @Put()
  @ApiOperation({
    id: 'saveSampleName',
    summary: 'Save the text on a sale',
    failures: ['not_found'],
    result: TEXT,
  })
  async save(
    @CurrentPrincipal() principal: Principal,
    @Param() { transaction_id }: SaleParams,
    @Body() { text }: TextBody,
  ): Promise<Answer> {
    return { results: [presented(await this.texts.save(principal, transaction_id, text))] };
  }
}

function presented({ transaction_id, text, saved }: SampleName) {
  return { transaction_id, text, saved: formatDateTime(saved) };
}
