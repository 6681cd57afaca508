import 'reflect-metadata';
import { Injectable, RequestMethod, type Type } from '@nestjs/common';
import {
  METHOD_METADATA,
  PARAMTYPES_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { ApiVersion } from '../common/api-versions.js';
import { DESCRIPTION, TAGGED_ANSWERS, type Description } from '../routing/described.js';
import { SUCCESSOR } from '../routing/successor-version.js';

/** The class that a handler takes a part of the request as. */
export interface Taken {
  readonly from: 'path' | 'query' | 'body';
  readonly type: Type<object>;
}

/** A handler of one version, as its decorators tell it. */
export interface RoutedOperation {
  readonly method: string;
  /** As the router knows it: `/v2.0/latest-transactions{/:paykey}`. */
  readonly route: string;
  readonly group: string;
  readonly description: Description;
  readonly hasTag: boolean;
  readonly hasSuccessor: boolean;
  readonly takes: readonly Taken[];
}

const PLACES: Readonly<Record<string, Taken['from']>> = {
  [RouteParamtypes.PARAM]: 'path',
  [RouteParamtypes.QUERY]: 'query',
  [RouteParamtypes.BODY]: 'body',
};

/** Every operation of a version, read off the decorators of the controllers that there are. */
@Injectable()
export class RoutedOperations {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Error that names a handler without a description */
  of(version: ApiVersion): RoutedOperation[] {
    return this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (isClass(metatype) ? this.operationsIn(metatype, version) : []))
      .sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
  }

  private operationsIn(controller: Type<object>, version: ApiVersion): RoutedOperation[] {
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
  ): RoutedOperation[] {
    const method = told(METHOD_METADATA, handler);
    const paths = [told(PATH_METADATA, controller), told(PATH_METADATA, handler)];
    if (typeof method !== 'number' || !paths.every((path) => typeof path === 'string')) return [];
    const description = this.reflector.get<Description | undefined>(DESCRIPTION, handler);
    if (description === undefined) {
      throw new Error(`${controller.name}.${name} has no @Described(…)`);
    }
    return [
      {
        method: RequestMethod[method] ?? '',
        route: `/v${version}/${paths.join('/')}`.replace(/\/{2,}/g, '/').replace(/\/$/, ''),
        group: wordsOf(controller.name),
        description,
        hasTag: this.reflector.get<true | undefined>(TAGGED_ANSWERS, handler) === true,
        hasSuccessor: told(SUCCESSOR, handler) !== undefined,
        takes: takenBy(controller, name),
      },
    ];
  }
}

function nameOf({ route, method }: RoutedOperation): string {
  return `${route} ${method}`;
}

function isOfVersion(version: ApiVersion, handler: AnyFunction, controller: Type): boolean {
  const served = told(VERSION_METADATA, handler) ?? told(VERSION_METADATA, controller);
  return Array.isArray(served) ? served.includes(version) : served === version;
}

/** What a handler takes as a class of checks; a single parameter is taken by its name alone. */
function takenBy(controller: Type<object>, name: string): Taken[] {
  const types = told(PARAMTYPES_METADATA, controller.prototype, name);
  const places = told(ROUTE_ARGS_METADATA, controller, name);
  return Object.keys(places ?? {})
    .map((key) => key.split(':'))
    .flatMap(([place = '', index]) => {
      const from = PLACES[place];
      const type: unknown = Array.isArray(types) ? types[Number(index)] : undefined;
      return from !== undefined && isClass(type) && !NATIVE.has(type) ? [{ from, type }] : [];
    });
}

/** As which TypeScript tells parameters that have no class of their own. */
const NATIVE = new Set<unknown>([String, Number, Boolean, Object, Array]);

function told(key: string, target: unknown, property?: string): unknown {
  if (!isFunction(target) && (typeof target !== 'object' || target === null)) return undefined;
  const value: unknown =
    property === undefined
      ? Reflect.getMetadata(key, target)
      : Reflect.getMetadata(key, target, property);
  return value;
}

/** `Recurring payments` for RecurringPaymentsController. */
function wordsOf(controller: string): string {
  const [first = '', ...rest] = controller.replace(/Controller$/, '').split(/(?=[A-Z])/);
  return [first, ...rest.map((word) => word.toLowerCase())].join(' ');
}

type AnyFunction = (...parameters: unknown[]) => unknown;

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

function isClass(value: unknown): value is Type<object> {
  return typeof value === 'function';
}
