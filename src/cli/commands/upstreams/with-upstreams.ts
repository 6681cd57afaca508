import type { INestApplicationContext } from '@nestjs/common';
import { UnknownAccountError } from '../../../modules/accounts/account.model.js';
import { MirrorService } from '../../../modules/mirror/runs/mirror.service.js';
import { UpstreamChangesService } from '../../../modules/upstreams/registry/upstream-changes.service.js';
import { UpstreamOwnersService } from '../../../modules/upstreams/registry/upstream-owners.service.js';
import { UpstreamsService } from '../../../modules/upstreams/registry/upstreams.service.js';
import {
  UnknownUpstreamError,
  UnusableUpstreamError,
} from '../../../modules/upstreams/upstream.model.js';
import { KeyFileError } from '../../key-file.js';
import { withServiceExpecting } from '../../with-service.js';

const EXPECTED = [KeyFileError, UnknownAccountError, UnknownUpstreamError, UnusableUpstreamError];

export interface UpstreamServices {
  readonly upstreams: UpstreamsService;
  readonly owners: UpstreamOwnersService;
  readonly changes: UpstreamChangesService;
  readonly mirror: MirrorService;
}

/**
 * Runs a command on upstreams. Exit status 1 reports a record that it cannot find or must not
 * change.
 * @param work returns false for exit status 1
 */
export function withUpstreams(
  work: (services: UpstreamServices) => Promise<unknown>,
): Promise<void> {
  return withServiceExpecting(EXPECTED, (services) => work(servicesOf(services)));
}

function servicesOf(services: INestApplicationContext): UpstreamServices {
  return {
    upstreams: services.get(UpstreamsService),
    owners: services.get(UpstreamOwnersService),
    changes: services.get(UpstreamChangesService),
    mirror: services.get(MirrorService),
  };
}
