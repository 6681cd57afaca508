import { AsyncLocalStorage } from 'node:async_hooks';
import type { Type } from '@nestjs/common';
import { Injector } from '@nestjs/core/injector/injector.js';
import { isClass } from '../../api/validation/request-inputs.js';

/** A part whose constructor or factory has thrown. */
interface FailedPart {
  readonly thrown: unknown;
  readonly type: unknown;
  readonly module: Type | null;
  /** The part is described such as `the constructor of NotesService`. */
  readonly doing: string;
}

/** The first part that failed, while Nest creates the parts. */
// oxlint-disable-next-line house/nothing-lasts -- it has a value only while Nest creates parts
const WATCHED = new AsyncLocalStorage<FailedPart[]>();

/**
 * Nest does not tell which part has thrown, and what an extension throws may have no stack. This
 * method of Nest creates each part.
 */
// oxlint-disable-next-line typescript/unbound-method -- it is called with the same `this` below
const instantiate = Injector.prototype.instantiateClass;
Injector.prototype.instantiateClass = async function watched<Part>(
  this: Injector,
  ...given: Parameters<typeof instantiate>
): Promise<Part> {
  try {
    return await instantiate.call<Injector, Parameters<typeof instantiate>, Promise<Part>>(
      this,
      ...given,
    );
  } catch (thrown) {
    const [, { metatype, inject, host }] = given;
    const name: unknown = given[1].name;
    const type: unknown = host?.metatype;
    const isFactory = inject !== undefined && inject !== null;
    WATCHED.getStore()?.push({
      thrown,
      type: metatype,
      module: isClass(type) ? type : null,
      doing: isFactory ? `the factory of ${String(name)}` : `the constructor of ${String(name)}`,
    });
    throw thrown;
  }
};

/** Lets Nest create the parts, and returns what it has created, or which part has thrown. */
export async function watchingParts<Result>(
  create: () => Promise<Result>,
): Promise<
  { readonly result: Result } | { readonly thrown: unknown; readonly failed: FailedPart | null }
> {
  const failures: FailedPart[] = [];
  try {
    return { result: await WATCHED.run(failures, create) };
  } catch (thrown) {
    return { thrown, failed: failures.find((each) => Object.is(each.thrown, thrown)) ?? null };
  }
}
