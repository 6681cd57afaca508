import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';

/**
 * Runs a command with the services, but without HTTP. A DomainError is printed, and causes exit
 * status 1. The services contain all features, so a command loads them when it runs.
 * @param work returns the exit status as a number, or false for 1
 * @param hasExtensions false to work without the extensions, which may be broken
 */
export async function withService(
  work: (services: INestApplicationContext) => Promise<unknown>,
  hasExtensions = true,
): Promise<void> {
  const { runWithService } = await import('../../start/run-with-service.js');
  await runWithService(work, hasExtensions);
}

/** Describes a command that works with the services. */
export class ServiceCommand extends Command {
  private hasExtensions = true;

  /**
   * Makes the command run without the extensions, which may be broken.
   * @internal
   */
  withoutExtensions(): this {
    this.hasExtensions = false;
    return this;
  }

  /** Sets what the command does with the services, its arguments and its options. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the work declares its arguments
  run<Given extends unknown[]>(
    work: (services: INestApplicationContext, ...given: Given) => Promise<unknown>,
  ): this {
    return this.action((...given: Given) =>
      withService((services) => work(services, ...given), this.hasExtensions),
    );
  }
}
