import { Injectable } from '@nestjs/common';
import { OwnKeys, type OwnApplication } from '../../../platform/pages/own-keys.js';
import { dateTimeOf } from '../../../platform/values/time.js';
import { ApiApplicationsService } from './api-applications.service.js';

/** Knows the applications whose keys can read the API. */
@Injectable()
export class OwnApplications extends OwnKeys {
  constructor(private readonly applications: ApiApplicationsService) {
    super();
  }

  async applicationsOf(user_id: number): Promise<OwnApplication[]> {
    const [all, now] = [await this.applications.applicationsOf(user_id), dateTimeOf(new Date())];
    return all.filter(
      ({ state, access, expires }) =>
        state === 'active' && access !== 'source' && (expires === null || expires > now),
    );
  }
}
