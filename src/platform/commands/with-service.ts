import type { INestApplicationContext } from '@nestjs/common';

/** Starts the services without HTTP, and ends them after the work. */
type ServiceRunner = (
  work: (services: INestApplicationContext) => Promise<unknown>,
) => Promise<void>;

let runner: ServiceRunner | undefined;

/** Sets what starts the services. The command line calls it before it runs a command. */
export function startServicesWith(given: ServiceRunner): void {
  runner = given;
}

/**
 * Runs a command with the services, but without HTTP. A DomainError is printed, and causes exit
 * status 1.
 * @param work returns the exit status as a number, or false for 1
 */
export const withService: ServiceRunner = async (work) => {
  if (runner === undefined) throw new Error('The command line was not started.');
  return runner(work);
};
