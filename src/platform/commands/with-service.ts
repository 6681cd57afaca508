import type { INestApplicationContext } from '@nestjs/common';

/**
 * Runs a command with the services, but without HTTP. A DomainError is printed, and causes exit
 * status 1. The services contain all features, so a command loads them when it runs.
 * @param work returns the exit status as a number, or false for 1
 */
export async function withService(
  work: (services: INestApplicationContext) => Promise<unknown>,
): Promise<void> {
  const { runWithService } = await import('../../start/run-with-service.js');
  await runWithService(work);
}
