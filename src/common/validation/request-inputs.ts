import 'reflect-metadata';
import type { ExecutionContext, Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { checkedNamesOf } from './checked-names.js';

/** The class that a handler takes a part of the request as. */
export interface RequestInput {
  readonly from: 'path' | 'query' | 'body';
  readonly type: Type<object>;
}

const PLACES: Readonly<Record<string, RequestInput['from']>> = {
  [RouteParamtypes.PARAM]: 'path',
  [RouteParamtypes.QUERY]: 'query',
  [RouteParamtypes.BODY]: 'body',
};
/** In which the faults of a request are told. */
const ORDER: readonly RequestInput['from'][] = ['path', 'query', 'body'];

/** As which TypeScript tells parameters that have no class of their own. */
const NATIVE = new Set<unknown>([String, Number, Boolean, Object, Array]);

interface Parameter {
  readonly from: RequestInput['from'];
  readonly type: unknown;
  /** Of the one parameter that is taken alone, if it is. */
  readonly name: unknown;
}

/** What a handler takes as a class of checks; a single parameter is taken by its name alone. */
export function requestInputsOf(controller: Type<object>, handler: string): RequestInput[] {
  return parametersOf(controller, handler)
    .flatMap(({ from, type }) => (isClass(type) && !NATIVE.has(type) ? [{ from, type }] : []))
    .sort((left, right) => ORDER.indexOf(left.from) - ORDER.indexOf(right.from));
}

const queryNames = new WeakMap<object, ReadonlySet<string>>();

/** The query parameters that the operation of a request knows, in the order of their declaration. */
export function queryNamesOf(context: ExecutionContext): ReadonlySet<string> {
  const handler = context.getHandler();
  const names = queryNames.get(handler) ?? declaredNamesOf(context.getClass(), handler.name);
  queryNames.set(handler, names);
  return names;
}

function declaredNamesOf(controller: Type<object>, handler: string): ReadonlySet<string> {
  const alone = parametersOf(controller, handler).flatMap(({ from, name }) =>
    from === 'query' && typeof name === 'string' ? [name] : [],
  );
  const inClasses = requestInputsOf(controller, handler)
    .filter(({ from }) => from === 'query')
    .flatMap(({ type }) => checkedNamesOf(type));
  return new Set([...alone, ...inClasses]);
}

function parametersOf(controller: Type<object>, handler: string): Parameter[] {
  const types = told(PARAMTYPES_METADATA, controller.prototype, handler);
  const places = told(ROUTE_ARGS_METADATA, controller, handler);
  return Object.entries(places ?? {}).flatMap(([key, argument]: [string, unknown]) => {
    const [place = '', index] = key.split(':');
    const from = PLACES[place];
    if (from === undefined) return [];
    const type: unknown = Array.isArray(types) ? types[Number(index)] : undefined;
    const isNamed = typeof argument === 'object' && argument !== null && 'data' in argument;
    return [{ from, type, name: isNamed ? argument.data : undefined }];
  });
}

/** What decorators tell of a class, a handler or a property. */
export function told(key: string, target: unknown, property?: string): unknown {
  if (!isFunction(target) && (typeof target !== 'object' || target === null)) return undefined;
  const value: unknown =
    property === undefined
      ? Reflect.getMetadata(key, target)
      : Reflect.getMetadata(key, target, property);
  return value;
}

export type AnyFunction = (...parameters: unknown[]) => unknown;

export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

export function isClass(value: unknown): value is Type<object> {
  return typeof value === 'function';
}
