import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApplicationLimits } from '../../access/limits/application-limits.js';
import { ConcurrencyLimiter } from '../../access/limits/waiting/concurrency-limiter.js';

/** Holds a user's pages and downloads to the limits that the user's API applications share. */
@Injectable()
export class PageLimits {
  constructor(
    private readonly limits: ApplicationLimits,
    private readonly underWay: ConcurrencyLimiter,
  ) {}

  /** @throws ApiError too_many_requests */
  async take(user_id: number, request: Request, response: Response): Promise<void> {
    await this.limits.takeForPage(request, user_id);
    await this.underWay.begin(user_id, response);
  }

  /** @throws ApiError too_many_requests */
  async takeDownload(user_id: number, response: Response): Promise<void> {
    await this.underWay.beginDownload(user_id, response);
  }
}
