import { HttpStatus, Injectable, RequestMethod, VERSION_NEUTRAL, type Type } from '@nestjs/common';
import {
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { pathOfVersion, type ApiVersion } from '../../api/versions/api-versions.js';
import { TAGGED_ANSWERS } from '../../api/cache/conditional-get.interceptor.js';
import {
  DESCRIPTION,
  type Description,
  isOpenOperation,
  hasLenientBody,
} from '../../api/versions/api-operation.js';
import {
  isClass,
  isFunction,
  requestInputsOf,
  metadataOf,
  type AnyFunction,
} from '../../api/validation/request-inputs.js';
import { SUCCESSOR } from '../../api/versions/successor-version.js';

export type RoutedOperation = ReturnType<RoutedOperations['of']>[number];

/** Finds the operations of a version in the decorators of the controllers. */
@Injectable()
export class RoutedOperations {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Error that names a handler without a description */
  of(version: ApiVersion) {
    return this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (isClass(metatype) ? this.operationsIn(metatype, version) : []))
      .sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
  }

  private operationsIn(controller: Type<object>, version: ApiVersion) {
    const prototype: unknown = controller.prototype;
    if (typeof prototype !== 'object' || prototype === null) return [];
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler: unknown = Reflect.get(prototype, name);
      return isFunction(handler) && isOfVersion(version, handler, controller)
        ? this.operationOf(controller, name, handler, version)
        : [];
    });
  }

  private operationOf(
    controller: Type<object>,
    name: string,
    handler: AnyFunction,
    version: ApiVersion,
  ) {
    const method = metadataOf(METHOD_METADATA, handler);
    if (typeof method !== 'number') return [];
    const description = this.reflector.get<Description | undefined>(DESCRIPTION, handler);
    if (description === undefined) {
      throw new Error(`${controller.name}.${name} has no @ApiOperation(…)`);
    }
    return [
      {
        method: RequestMethod[method] ?? '',
        /** Path of the route, such as `/v2.0/latest-transactions{/:paykey}`. */
        route: routeOf(version, handler, controller),
        /** HTTP status of a success. */
        status: statusOf(handler, method),
        group: wordsOf(controller.name),
        description,
        hasETag: this.reflector.get<true | undefined>(TAGGED_ANSWERS, handler) === true,
        hasSuccessor: metadataOf(SUCCESSOR, handler) !== undefined,
        /** True if the operation needs no key. */
        isOpen: isOpenOperation(handler),
        /** True if the operation accepts any body, so that no field of it is invalid. */
        isLenient: hasLenientBody(handler),
        inputs: requestInputsOf(controller, name),
      },
    ];
  }
}

/** Returns the status of `@HttpCode`, or that of Nest. */
function statusOf(handler: AnyFunction, method: number): number {
  const declared = metadataOf(HTTP_CODE_METADATA, handler);
  if (typeof declared === 'number') return declared;
  return RequestMethod[method] === 'POST' ? HttpStatus.CREATED : HttpStatus.OK;
}

function nameOf({ route, method }: Readonly<Record<'route' | 'method', string>>): string {
  return `${route} ${method}`;
}

/**
 * Returns the route below the path of the version, or the handler's own path if it has no version
 * in Nest.
 */
function routeOf(version: ApiVersion, handler: AnyFunction, controller: Type): string {
  const own = `/${pathOf(controller)}/${pathOf(handler)}`;
  const route = isNeutral(handler, controller) ? own : `${pathOfVersion(version)}${own}`;
  return route.replace(/\/{2,}/g, '/').replace(/\/$/, '');
}

function pathOf(target: AnyFunction | Type): string {
  const path = metadataOf(PATH_METADATA, target);
  if (typeof path !== 'string') throw new Error(`${target.name} has more than one path`);
  return path;
}

function versionsOf(handler: AnyFunction, controller: Type): unknown {
  return metadataOf(VERSION_METADATA, handler) ?? metadataOf(VERSION_METADATA, controller);
}

function isNeutral(handler: AnyFunction, controller: Type): boolean {
  return versionsOf(handler, controller) === VERSION_NEUTRAL;
}

function isOfVersion(version: ApiVersion, handler: AnyFunction, controller: Type): boolean {
  if (isNeutral(handler, controller)) {
    if (metadataOf(METHOD_METADATA, handler) === undefined) return false;
    const route = `${routeOf(version, handler, controller)}/`;
    return route.startsWith(`${pathOfVersion(version)}/`);
  }
  const served = versionsOf(handler, controller);
  return Array.isArray(served) ? served.includes(version) : served === version;
}

/**
 * Returns the words of a controller's name, such as `Recurring payments` for
 * RecurringPaymentsController.
 */
function wordsOf(controller: string): string {
  const [first = '', ...rest] = controller.replace(/Controller$/, '').split(/(?=[A-Z])/);
  return [first, ...rest.map((word) => word.toLowerCase())].join(' ');
}
