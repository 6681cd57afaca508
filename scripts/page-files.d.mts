/** A new file in a guide of docs/. */
export interface PageFile {
  /** Path within the repository. */
  readonly path: string;
  readonly content: string;
}

/** A place of a file that a guide changes. */
export interface PageChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** @param guide name of the page, such as `adding-a-page` */
export function filesOfPage(guide: string): PageFile[];

export function changesOfPage(guide: string): PageChange[];

/** Returns the commands that a guide lists, in their order. */
export function commandsOfPage(guide: string): string[];

/** Writes files of a guide into a folder. */
export function writePageFiles(folder: string, files: readonly PageFile[]): void;

/**
 * Makes the changes of a guide in a folder.
 * @throws Error if a file does not have the lines, or has them in several places
 */
export function makePageChanges(folder: string, changes: readonly PageChange[]): void;
