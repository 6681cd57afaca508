import 'reflect-metadata';
import type { ExecutionContext, Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { getMetadataStorage } from 'class-validator';

/** Names the DTO class of one part of a request. */
export interface RequestInput {
  readonly from: 'path' | 'query' | 'body';
  readonly type: Type<object>;
}

const PLACES: Readonly<Record<string, RequestInput['from']>> = {
  [RouteParamtypes.PARAM]: 'path',
  [RouteParamtypes.QUERY]: 'query',
  [RouteParamtypes.BODY]: 'body',
};
/** The order in which validation errors are reported. */
const ORDER: readonly RequestInput['from'][] = ['path', 'query', 'body'];

/** The types that TypeScript emits for parameters without a class of their own. */
const NATIVE = new Set<unknown>([String, Number, Boolean, Object, Array]);

/** Returns the DTO classes of a handler. */
export function requestInputsOf(controller: Type<object>, handler: string): RequestInput[] {
  return parametersOf(controller, handler)
    .flatMap(({ from, type }) => (isDto(type) ? [{ from, type }] : []))
    .sort((left, right) => ORDER.indexOf(left.from) - ORDER.indexOf(right.from));
}

const queryNames = new WeakMap<object, ReadonlySet<string>>();

/** Returns the query parameters that a handler declares. */
export function queryNamesOf(context: ExecutionContext): ReadonlySet<string> {
  const handler = context.getHandler();
  const names = queryNames.get(handler) ?? declaredNamesOf(context.getClass(), handler.name);
  queryNames.set(handler, names);
  return names;
}

function declaredNamesOf(controller: Type<object>, handler: string): ReadonlySet<string> {
  const names = parametersOf(controller, handler).flatMap(({ from, name, type }) => {
    if (from !== 'query') return [];
    if (typeof name === 'string') return [name];
    return isDto(type) ? checkedNamesOf(type) : [];
  });
  return new Set(names);
}

function parametersOf(controller: Type<object>, handler: string) {
  const types = metadataOf(PARAMTYPES_METADATA, controller.prototype, handler);
  const places = metadataOf(ROUTE_ARGS_METADATA, controller, handler);
  return Object.entries(places ?? {}).flatMap(([key, argument]: [string, unknown]) => {
    const [place = '', index] = key.split(':');
    const from = PLACES[place];
    if (from === undefined) return [];
    const type: unknown = Array.isArray(types) ? types[Number(index)] : undefined;
    const isNamed = typeof argument === 'object' && argument !== null && 'data' in argument;
    // A single parameter has a name, such as `@Query('name')`.
    return [{ from, type, name: isNamed ? argument.data : undefined }];
  });
}

/** Returns the decorator metadata of a class, a handler or a property. */
export function metadataOf(key: string, target: unknown, property?: string): unknown {
  if (!isFunction(target) && (typeof target !== 'object' || target === null)) return undefined;
  const value: unknown =
    property === undefined
      ? Reflect.getMetadata(key, target)
      : Reflect.getMetadata(key, target, property);
  return value;
}

function isDto(value: unknown): value is Type<object> {
  return isClass(value) && !NATIVE.has(value);
}

export type AnyFunction = (...parameters: unknown[]) => unknown;

export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

export function isClass(value: unknown): value is Type<object> {
  return typeof value === 'function';
}

/** Returns the validators on the fields of a class. */
export function checksOf(type: Type<object>) {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
}

/** Returns the validated fields of a class, in the order of their declaration. */
export function checkedNamesOf(type: Type<object>): string[] {
  return [...new Set(checksOf(type).map(({ propertyName }) => propertyName))];
}
