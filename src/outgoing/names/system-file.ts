import { readFile } from 'node:fs/promises';

const KEPT_MS = 5_000;

/**
 * Reads a text file of the operating system, and reads it again after some seconds. A file that
 * cannot be read counts as empty.
 */
export class SystemFile<Content> {
  private content: Promise<Content> | null = null;
  /** Time of the last read by the monotonic clock, in ms. */
  private readAt = 0;

  constructor(
    private readonly path: string,
    private readonly parse: (text: string) => Content,
  ) {}

  read(): Promise<Content> {
    const now = performance.now();
    if (this.content !== null && now - this.readAt < KEPT_MS) return this.content;
    this.readAt = now;
    this.content = readFile(this.path, 'utf8')
      .catch(() => '')
      .then(this.parse);
    return this.content;
  }
}
