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

const REFUSES_UNKNOWN = 'refuses-unknown-parameters';

/**
 * Makes a DTO of a query refuse parameters that it does not declare, because a mistyped filter must
 * not return everything. Other queries ignore them, and name them in a header.
 * @param filters names of parameters; if given, unknown parameters are refused only in queries that
 *   have one of these
 */
export function RefusesUnknown(filters: readonly string[] | null = null): ClassDecorator {
  return Reflect.metadata(REFUSES_UNKNOWN, { filters });
}

/** The query of an operation without parameters, which refuses all. */
@RefusesUnknown()
export class NoQuery {}

/** Returns true if a query of this DTO class may not have unknown parameters. */
export function refusesUnknown(type: unknown, query: object): boolean {
  const rule = metadataOf(REFUSES_UNKNOWN, type);
  if (typeof rule !== 'object' || rule === null || !('filters' in rule)) return false;
  const { filters } = rule;
  return !Array.isArray(filters) || filters.some((name) => Object.hasOwn(query, String(name)));
}

/** Describes the query of a handler. */
interface DeclaredQuery {
  readonly names: ReadonlySet<string>;
  readonly types: readonly Type<object>[];
}

const declaredQueries = new WeakMap<object, DeclaredQuery>();

/** Returns the query parameters that a handler declares. */
export function queryNamesOf(context: ExecutionContext): ReadonlySet<string> {
  return declaredQueryOf(context).names;
}

/**
 * Returns the parameters of a query that the operation ignores. It ignores none if it refuses the
 * query because of them.
 */
export function ignoredParameters(context: ExecutionContext, query: object): string[] {
  const { names, types } = declaredQueryOf(context);
  const ignored = Object.keys(query).filter((name) => name !== '' && !names.has(name));
  const isRefused = ignored.length > 0 && types.some((type) => refusesUnknown(type, query));
  return isRefused ? [] : ignored;
}

function declaredQueryOf(context: ExecutionContext): DeclaredQuery {
  const handler = context.getHandler();
  const known = declaredQueries.get(handler) ?? readQuery(context.getClass(), handler.name);
  declaredQueries.set(handler, known);
  return known;
}

function readQuery(controller: Type<object>, handler: string): DeclaredQuery {
  const inputs = parametersOf(controller, handler).filter(({ from }) => from === 'query');
  const types = inputs.flatMap(({ name, type }) =>
    typeof name !== 'string' && isDto(type) ? [type] : [],
  );
  const single = inputs.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  return { names: new Set([...single, ...types.flatMap(checkedNamesOf)]), types };
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
