import { NO_APPLICATION, OPERATOR } from '../../../src/platform/values/author.js';
import { UpstreamsService } from '../../../src/modules/mirror/upstreams/upstreams.service.js';
import { OWN_WORDS } from '../../../src/modules/mirror/upstreams/upstream.model.js';
import type { TestService } from '../servers/service.js';

const BY = { user_id: OPERATOR, application_id: NO_APPLICATION };
/** This address is found without a name server and is not public, so no request is sent. */
const WANTED = { url: 'https://localhost', key: 'key', words: OWN_WORDS, every_seconds: 300 };

/**
 * Adds an upstream that is paused.
 * @returns the path that receives its notifications
 */
export async function addUpstream({ app }: TestService, vendor_id: number): Promise<string> {
  const upstreams = app.get(UpstreamsService);
  const { id } = await upstreams.add(vendor_id, WANTED, BY);
  await upstreams.setState(id, 'paused', BY);
  const path = await upstreams.notifyPathOf(vendor_id);
  if (path === null) throw new Error('there is no upstream');
  return path;
}
