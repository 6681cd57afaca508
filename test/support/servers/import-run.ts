import {
  ImportService,
  type ImportSummary,
} from '../../../src/modules/records-in/import.service.js';
import { bytesOf, type Line } from '../builders/test-ledger.js';
import type { TestService } from './service.js';

/** The messages about each line, and the summary of the run. */
export interface ImportRun {
  readonly summary: ImportSummary;
  readonly told: readonly string[];
}

/** Imports a ledger in the service's own process. */
export async function runImport(
  service: TestService,
  bytes: AsyncIterable<Buffer>,
  dryRun = false,
): Promise<ImportRun> {
  const told: string[] = [];
  const summary = await service.app.get(ImportService).import(bytes, {
    source: 'test',
    dryRun,
    strict: false,
    onProblem: (line, problem) => told.push(`line ${line}: ${problem}`),
    onWarning: (line, warning) => told.push(`line ${line}: warning: ${warning}`),
    onProgress: () => undefined,
  });
  return { summary, told };
}

// oxlint-disable-next-line typescript/require-await -- lines that wait for nothing
export async function* source(lines: readonly Line[]): AsyncGenerator<Buffer> {
  yield bytesOf(lines);
}
