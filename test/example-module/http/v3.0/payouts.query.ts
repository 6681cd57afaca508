import { IsWholeNumber } from '../../../../src/common/validation/validators.js';

export class PayoutsQuery {
  @IsWholeNumber({ least: 1000, most: 9999 })
  year!: string;
}
