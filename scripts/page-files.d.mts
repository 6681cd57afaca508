/** A file in docs/adding-a-module.md. */
export interface PageFile {
  /** Path within the repository. */
  readonly path: string;
  readonly content: string;
}

export function filesOfPage(): PageFile[];

/** Returns the commands that the page lists, in their order. */
export function commandsOfPage(): string[];

/** Writes files of the page into a folder. */
export function writePageFiles(folder: string, files: readonly PageFile[]): void;
