import { Injectable } from '@nestjs/common';
import { Audiences, type Audience } from '../../platform/pages/audiences.js';
import { AffiliatesRepository } from './affiliates.repository.js';

/** Tells users who sell products from those who only refer sales. */
@Injectable()
export class AffiliateAudiences extends Audiences {
  constructor(private readonly affiliates: AffiliatesRepository) {
    super();
  }

  async audiencesOf(user_id: number): Promise<ReadonlySet<Audience>> {
    const audiences = await this.affiliates.audiencesOf(user_id);
    return new Set<Audience>(audiences.length === 0 ? ['sellers'] : audiences);
  }
}
