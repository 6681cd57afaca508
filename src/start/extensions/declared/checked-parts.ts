import type { Type } from '@nestjs/common';
import type { FeatureParts } from '../../../feature.js';
import { isRecord } from '../../../platform/values/is-record.js';

/** Methods that classes need, by the list of `@Feature` that has them. */
const METHODS = [
  ['migrations', ['up', 'down']],
  ['checks', ['check']],
  ['jobs', ['start']],
  ['personalData', ['forgetPersonalData']],
  ['onChanges', ['changed']],
] as const;
const KINDS: readonly unknown[] = ['transaction', 'subscription', 'email'];

/** Returns what is wrong with the parts that an extension registers, or null. */
export function problemOfParts(parts: FeatureParts): string | null {
  for (const problem of problemsOf(parts)) return problem;
  return null;
}

function* problemsOf(parts: FeatureParts): Generator<string, void> {
  for (const entity of parts.entities) yield* problemsOfEntity(entity);
  for (const [list, methods] of METHODS) {
    for (const type of parts[list]) yield* problemsOfClass(list, type, methods);
  }
  for (const table of parts.personalTables) yield* problemsOfTable(table);
}

function* problemsOfEntity(entity: unknown): Generator<string, void> {
  const options: unknown = isRecord(entity) ? entity.options : undefined;
  if (!isRecord(options)) {
    yield '"entities" has an object that entityOf did not make';
    return;
  }
  const { name, tableName = name, columns } = options;
  if (!isText(name)) {
    yield 'an entity has no text "name"';
    return;
  }
  if (!isText(tableName)) yield `the entity ${name} has no text "tableName"`;
  const all = isRecord(columns) ? Object.values(columns) : [];
  const isKeyed = all.some((column) => isRecord(column) && column.primary === true);
  if (!isKeyed) yield `the entity ${name} has no column of a primary key`;
}

function* problemsOfClass(
  list: string,
  type: Type<unknown>,
  methods: readonly string[],
): Generator<string, void> {
  const prototype: unknown = type.prototype;
  const isObject = typeof prototype === 'object' && prototype !== null;
  for (const method of methods) {
    const isThere = isObject && typeof Reflect.get(prototype, method) === 'function';
    if (!isThere) yield `${type.name || 'a class'} in "${list}" has no method ${method}`;
  }
}

function* problemsOfTable(table: unknown): Generator<string, void> {
  const { entity, by, key, columns, change } = isRecord(table) ? table : {};
  const options: unknown = isRecord(entity) ? entity.options : undefined;
  if (!isRecord(options) || !isText(options.name)) {
    yield 'personalTables has an object without "entity"';
    return;
  }
  const where = `personalTables of ${options.name}`;
  if (!KINDS.includes(by)) yield `${where}: "by" is not transaction, subscription or email`;
  if (!isText(key)) yield `${where}: "key" is no name of a column`;
  if (!isRecord(columns)) yield `${where}: "columns" is no object`;
  if (change === undefined) return;
  const isChange = isRecord(change) && isText(change.kind) && isText(change.key);
  if (!isChange) yield `${where}: "change" has no text "kind" or no text "key"`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
