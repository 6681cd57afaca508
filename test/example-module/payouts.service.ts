import { Injectable } from '@nestjs/common';
import { ApiError } from '../../src/common/errors/api-error.js';
import type { MonthlyPayout } from './payout.model.js';
import { PayoutsRepository } from './payouts.repository.js';

@Injectable()
export class PayoutsService {
  constructor(private readonly repository: PayoutsRepository) {}

  /** @throws ApiError not_found where the vendor sold nothing in that year */
  async payoutsByMonth(vendor_id: number, year: string): Promise<MonthlyPayout[]> {
    const payouts = await this.repository.payoutsByMonth(vendor_id, year);
    if (payouts.length === 0) throw new ApiError('not_found', 'Nothing was sold in this year.');
    return payouts;
  }
}
