import type { CopyFile } from './copy-file.js';
import type { FeedClient } from './feed-client.js';
import { FollowError } from './follow-error.js';

/** The longest that the service waits (ledger interface, Changes out). */
const WAIT_SECONDS = 20;

interface FollowOptions {
  /** Ends when nothing more is there. */
  readonly once: boolean;
  readonly onProgress: (progress: FollowProgress) => void;
}

export interface FollowProgress {
  readonly changes: number;
  readonly cursor: string;
  readonly has_more: boolean;
}

/**
 * Follows a ledger from where its copy ends.
 * @throws FollowError if it cannot go on
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

/** The first thing of the feed must be in the copy, unless it changed after the cursor. */
async function assertSameLedger(client: FeedClient, copy: CopyFile): Promise<void> {
  if (copy.cursor === '0') return;
  const [first] = (await client.pageAfter('0', 0, 1)).changes;
  if (first === undefined || first.sequence > Number(copy.cursor) || copy.has(first)) return;
  throw new FollowError('the file is a copy of another ledger: use another file');
}
