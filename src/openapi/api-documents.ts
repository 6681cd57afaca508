import { Injectable } from '@nestjs/common';
import type { ApiVersion } from '../common/api-versions.js';
import { CATALOGUE, type Failure } from '../common/errors/catalogue.js';
import { toOpenApiPath } from '../routing/operations.js';
import type { AnswerSchemas } from './answer-schemas.js';
import { bareFailure, failureExample, failuresOf } from './failures.js';
import { HEADERS, REQUEST_HEADERS } from './headers.js';
import type { OpenApiDocument, OperationObject, Paths } from './open-api.model.js';
import { bodyOf, bodySchemasOf, parametersOf, type Example } from './requests.js';
import { answerNameOf, responsesOf } from './responses.js';
import { RoutedOperations, type RoutedOperation } from './routed-operations.js';

export const API_TITLE = 'Vendor Reporting API';
const KEY = 'apiKey';
/** An optional part of a route: `{/:paykey}`. */
const OPTIONAL = /\{\/:(\w+)\}/;

/** Real answers by operation: `GET /v2.1/products/names`. */
export type Examples = ReadonlyMap<string, Example>;

/** Describes a version as OpenAPI, from the code that answers it and the schemas of its answers. */
@Injectable()
export class ApiDocuments {
  constructor(private readonly operations: RoutedOperations) {}

  /** @throws Error where an operation has no description, or no schema of what it answers */
  documentOf(version: ApiVersion, schemas: AnswerSchemas, examples: Examples): OpenApiDocument {
    const operations = this.operations.of(version);
    const paths = pathsOf(operations, examples);
    return {
      openapi: '3.1.0',
      info: {
        title: API_TITLE,
        version,
        description: `Version ${version} of the interface. Every answer has one envelope; the internal code in it says more than the HTTP status. The examples are real answers over a demo ledger.`,
      },
      servers: [{ url: '/' }],
      security: [{ [KEY]: [] }],
      tags: [...new Set(operations.map(({ group }) => group))].sort().map((name) => ({ name })),
      paths,
      components: {
        securitySchemes: {
          [KEY]: {
            type: 'http',
            scheme: 'basic',
            description: 'The API key is the user name, the password is the one character `x`.',
          },
        },
        schemas: { ...bodySchemasOf(operations), ...answerSchemasOf(operations, schemas) },
        parameters: usedIn(paths, 'parameters', REQUEST_HEADERS),
        headers: usedIn(paths, 'headers', HEADERS),
        examples: usedIn(paths, 'examples', failureExamples(version, examples)),
      },
    };
  }
}

function pathsOf(operations: readonly RoutedOperation[], examples: Examples): Paths {
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of operations) {
    for (const path of pathsOfRoute(operation.route)) {
      const example = examples.get(`${operation.method} ${path}`);
      const method = operation.method.toLowerCase();
      paths[path] = { ...paths[path], [method]: operationObject(operation, path, example) };
    }
  }
  return paths;
}

/** OpenAPI knows no optional parameter in a path: without it, it is another path. */
function pathsOfRoute(route: string): string[] {
  const short = OPTIONAL.test(route) ? [route.replace(OPTIONAL, '')] : [];
  return [...short, route].map(toOpenApiPath);
}

function operationObject(
  operation: RoutedOperation,
  path: string,
  example: Example | undefined,
): OperationObject {
  const { id, summary, description } = operation.description;
  const optional = OPTIONAL.exec(operation.route)?.[1];
  const isShort = optional !== undefined && !path.endsWith(`{${optional}}`);
  assertDocumented(operation, example);
  const answersUnknownPaykey = operation.description.answersUnknownPaykey === true && !isShort;
  return {
    operationId: optional === undefined || isShort ? id : `${id}By${capitalized(optional)}`,
    tags: [operation.group],
    summary,
    description,
    parameters: parametersOf(operation, path, example),
    requestBody: bodyOf(operation, example),
    responses: responsesOf(
      operation,
      failuresOf(operation),
      example,
      answersUnknownPaykey ? ['X-Paykey'] : [],
    ),
  };
}

/** @throws Error where an operation was seen to answer a failure that its description leaves out */
function assertDocumented(operation: RoutedOperation, example: Example | undefined): void {
  const told = new Set<string>(failuresOf(operation));
  const untold = Object.keys(example?.failures ?? {}).filter((failure) => !told.has(failure));
  if (untold.length === 0) return;
  throw new Error(`the description of ${operation.description.id} leaves out ${untold.join(', ')}`);
}

function capitalized(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/** The schemas of the kinds of a version, and those of its answers under the names of operations. */
function answerSchemasOf(operations: readonly RoutedOperation[], schemas: AnswerSchemas) {
  const kinds = [...schemas].filter(([name]) => !name.includes(' '));
  const answers = operations.map((operation) => {
    const name = `${operation.method} ${toOpenApiPath(operation.route)}`;
    const schema = schemas.get(name);
    if (schema === undefined) throw new Error(`openapi/schemas has no schema of ${name}`);
    return [answerNameOf(operation), schema] as const;
  });
  return Object.fromEntries([...kinds, ...answers]);
}

/** What operations answer alike, as the one that tells the version was answered it. */
function failureExamples(version: ApiVersion, examples: Examples): Record<string, object> {
  const real = examples.get(`GET /v${version}`)?.failures ?? {};
  return Object.fromEntries(
    Object.keys(CATALOGUE)
      .filter(isFailure)
      .map((failure) => [
        failure,
        failureExample(failure, real[failure] ?? bareFailure(failure, version)),
      ]),
  );
}

function isFailure(outcome: string): outcome is Failure {
  return Object.hasOwn(CATALOGUE, outcome) && outcome !== 'success' && outcome !== 'no_content';
}

/** Those components of a section that a path refers to: what none refers to is in no document. */
function usedIn(paths: Paths, section: string, all: Readonly<Record<string, object>>) {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => text.includes(`"#/components/${section}/${name}"`)),
  );
}
