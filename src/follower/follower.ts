import type { CopyFile } from './copy-file.js';
import type { FeedClient } from './feed-client.js';
import { FollowError } from './follow-error.js';

/** Longest time that the service waits for a change (docs/changes.md). */
const WAIT_SECONDS = 20;

interface FollowOptions {
  /** True to end when the copy is up to date. */
  readonly once: boolean;
  readonly onProgress: (progress: FollowProgress) => void;
}

export interface FollowProgress {
  readonly changes: number;
  readonly cursor: string;
  readonly has_more: boolean;
}

/**
 * Follows a ledger from the cursor of its copy.
 * @throws FollowError if it cannot continue
 */
export async function follow(
  client: FeedClient,
  copy: CopyFile,
  { once, onProgress }: FollowOptions,
): Promise<void> {
  await assertSameLedger(client, copy);
  for (let isCurrent = false; !(once && isCurrent);) {
    const after = copy.cursor;
    const page = await client.pageAfter(after, isCurrent ? WAIT_SECONDS : 0);
    copy.apply(page, after);
    const { changes, cursor, has_more } = page;
    isCurrent = !has_more;
    onProgress({ changes: changes.length, cursor, has_more });
  }
}

/**
 * Checks that the copy contains the first object of the feed, unless the object changed after the
 * cursor.
 */
async function assertSameLedger(client: FeedClient, copy: CopyFile): Promise<void> {
  if (copy.cursor === '0') return;
  const [first] = (await client.pageAfter('0', 0, 1)).changes;
  if (first === undefined || first.sequence > Number(copy.cursor) || copy.has(first)) return;
  throw new FollowError('the file is a copy of another ledger: use another file');
}
