/** A file in docs/adding-a-module.md. */
export interface PageFile {
  /** Within the repository. */
  readonly path: string;
  readonly content: string;
}

export function filesOfPage(): PageFile[];

/** The commands that the page says to run, in their order. */
export function commandsOfPage(): string[];

/** Writes files of the page into a folder. */
export function writePageFiles(folder: string, files: readonly PageFile[]): void;
