/** Locates a reader in the feed of changes of a vendor. */
export interface FeedCursor {
  /** Sequence up to which the reader has read all changes. */
  readonly position: number;
  /**
   * Position at which the reader last had everything, and its present walk through the feed began.
   * The reader may not have seen the reasons of later changes.
   */
  readonly walk_from: number;
}

const CURSOR = /^(\d{1,16})(?:\.(\d{1,16}))?$/;

/** Returns the text of a cursor. It is one number if the walk begins at its position. */
export function cursorText({ position, walk_from }: FeedCursor): string {
  return walk_from < position ? `${position}.${walk_from}` : String(position);
}

/** @returns null if the text is no cursor */
export function readCursor(text: string): FeedCursor | null {
  const [, position = '', walk_from = position] = CURSOR.exec(text) ?? [];
  const cursor = { position: Number(position), walk_from: Number(walk_from) };
  const isValid =
    position !== '' && Number.isSafeInteger(cursor.position) && cursor.walk_from <= cursor.position;
  return isValid ? cursor : null;
}

/**
 * Returns the cursor that a row stores. A former version of the service only writes the position:
 * it leaves the beginning of the walk out in a new row, and may move the position back before it.
 */
export function cursorOf({
  position,
  walk_from,
}: {
  readonly position: number;
  readonly walk_from: number | null;
}): FeedCursor {
  return { position, walk_from: Math.min(walk_from ?? position, position) };
}
