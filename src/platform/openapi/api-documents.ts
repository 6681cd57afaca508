import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import {
  extensionVersion,
  isCoreVersion,
  pathOfVersion,
  titleOf,
  type ApiVersion,
  type CoreVersion,
  type ExtensionVersion,
} from '../../api/versions/api-versions.js';
import { toOpenApiPath } from '../../api/versions/operations.js';
import { InstalledFeatures, type InstalledExtension } from '../../feature.js';
import { StartError } from '../errors/domain-error.js';
import { isError } from '../errors/is-error.js';
import { extensionSchemas, type AnswerSchemas } from './answer-schemas.js';
import { HEADERS, REQUEST_HEADERS } from './headers.js';
import { bodyOf, bodySchemasOf, parametersOf, type Example, capitalized } from './requests.js';
import { answerNameOf, failureExamples, failuresOf, isFile, responsesOf } from './responses.js';
import { RoutedOperations, type RoutedOperation } from './routed-operations.js';

export const API_TITLE = 'Vendor Reporting API';
const KEY = 'apiKey';
/** Matches an optional part of a route, such as `{/:paykey}`. */
const OPTIONAL = /\{\/:(\w+)\}/;

/** Real answers by operation, such as `GET /v2.1/products/names`. */
export type Examples = ReadonlyMap<string, Example>;

/** Builds the OpenAPI document of a version from its controllers and answer schemas. */
@Injectable()
export class ApiDocuments {
  constructor(
    private readonly operations: RoutedOperations,
    private readonly features: InstalledFeatures,
  ) {}

  /** @throws Error if an operation has no description or no answer schema */
  documentOf(version: CoreVersion, schemas: AnswerSchemas, examples: Examples) {
    return documentOf(version, this.operations.of(version), schemas, examples);
  }

  /**
   * Builds the documents of the versions of all extensions, in their order. They have no examples.
   * @throws StartError if an operation has no description, or a field of it
   */
  ofExtensions(): Map<ExtensionVersion, ReturnType<typeof documentOf>> {
    const documents = this.features.extensions.flatMap((extension) => this.ofExtension(extension));
    return new Map(documents);
  }

  private ofExtension({ declaration: { name, versions = [] } }: InstalledExtension) {
    try {
      return versions.map((number) => {
        const version = extensionVersion(name, number);
        const operations = this.operations.of(version);
        const schemas = extensionSchemas(version, resultsOf(operations));
        return [version, documentOf(version, operations, schemas, new Map())] as const;
      });
    } catch (error) {
      if (!isError(error)) throw error;
      throw new StartError(`Extension ${name}: ${error.message}.`);
    }
  }
}

const ENVELOPE =
  'Every response uses the same envelope; its internal code is more specific than the HTTP status.';

function documentOf(
  version: ApiVersion,
  operations: readonly RoutedOperation[],
  schemas: AnswerSchemas,
  examples: Examples,
) {
  const paths = pathsOf(operations, examples);
  // All operations share the failures of the operation at the path of the version.
  const own = examples.get(`GET ${pathOfVersion(version)}`);
  return {
    openapi: '3.1.0',
    info: { title: API_TITLE, version, description: descriptionOf(version) },
    servers: [{ url: '/' }],
    security: [{ [KEY]: [] }],
    tags: [...new Set(operations.map(({ group }) => group))].sort().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        [KEY]: {
          type: 'http',
          scheme: 'basic',
          description:
            'Use your API key as the user name and the single character `x` as the password.',
        },
      },
      schemas: { ...bodySchemasOf(operations), ...answerSchemasOf(operations, schemas) },
      parameters: usedIn(paths, 'parameters', REQUEST_HEADERS),
      headers: usedIn(paths, 'headers', headersOf(version)),
      examples: usedIn(paths, 'examples', failureExamples(version, own?.failures ?? {})),
    },
  };
}

function descriptionOf(version: ApiVersion): string {
  const description = `${titleOf(version)} of the API. ${ENVELOPE}`;
  return isCoreVersion(version)
    ? `${description} The examples are real responses over demo data.`
    : description;
}

/** Returns the headers of responses. The example of an extension's version is that version. */
function headersOf(version: ApiVersion) {
  if (isCoreVersion(version)) return HEADERS;
  return { ...HEADERS, 'X-API-Version': { ...HEADERS['X-API-Version'], example: version } };
}

/** Returns the schema of one result of each operation of an extension. */
function resultsOf(operations: readonly RoutedOperation[]) {
  return new Map(
    operations.map((operation) => [
      nameOf(operation),
      operation.description.result ?? { type: 'object' },
    ]),
  );
}

function nameOf({ method, route }: RoutedOperation): string {
  return `${method} ${toOpenApiPath(route)}`;
}

/** Returns the operations by path and lower-case method. */
function pathsOf(operations: readonly RoutedOperation[], examples: Examples) {
  const paths: Record<string, Record<string, ReturnType<typeof operationObject>>> = {};
  for (const operation of operations) {
    for (const path of pathsOfRoute(operation.route)) {
      const example = examples.get(`${operation.method} ${path}`);
      const method = operation.method.toLowerCase();
      paths[path] = { ...paths[path], [method]: operationObject(operation, path, example) };
    }
  }
  return paths;
}

/**
 * Returns the paths of a route. A route with an optional parameter has two, because OpenAPI has no
 * optional path parameters.
 */
function pathsOfRoute(route: string): string[] {
  const short = OPTIONAL.test(route) ? [route.replace(OPTIONAL, '')] : [];
  return [...short, route].map(toOpenApiPath);
}

function operationObject(operation: RoutedOperation, path: string, example: Example | undefined) {
  const { id, summary, description } = operation.description;
  const optional = OPTIONAL.exec(operation.route)?.[1];
  const isWithoutOptional = optional !== undefined && !path.endsWith(`{${optional}}`);
  assertDocumented(operation, example);
  const answersUnknownPaykey =
    operation.description.answersUnknownPaykey === true && !isWithoutOptional;
  const documented = {
    ...operation,
    path,
    example,
    ownHeaders: answersUnknownPaykey ? (['X-Paykey'] as const) : [],
  };
  return {
    operationId:
      optional === undefined || isWithoutOptional ? id : `${id}By${capitalized(optional)}`,
    tags: [operation.group],
    summary,
    description,
    // If the operation needs a key, the requirement of the document applies.
    security: operation.isOpen ? [] : undefined,
    parameters: parametersOf(documented),
    requestBody: bodyOf(documented),
    responses: responsesOf(documented),
  };
}

/** @throws Error if an example of the operation shows a failure that is not documented */
function assertDocumented(operation: RoutedOperation, example: Example | undefined): void {
  const documented = new Set<string>(failuresOf(operation));
  const missing = Object.keys(example?.failures ?? {}).filter((name) => !documented.has(name));
  if (missing.length === 0) return;
  throw new Error(`${operation.description.id} does not document ${missing.join(', ')}`);
}

/**
 * Returns the schemas of named objects, and those of answers under the names of their operations.
 */
function answerSchemasOf(operations: readonly RoutedOperation[], schemas: AnswerSchemas) {
  const objects = [...schemas].filter(([name]) => !name.includes(' '));
  const answers = operations
    .filter((operation) => !isFile(operation))
    .map((operation) => {
      const name = nameOf(operation);
      const schema = schemas.get(name);
      if (schema === undefined) throw new Error(`openapi/schemas has no schema of ${name}`);
      return [answerNameOf(operation), schema] as const;
    });
  return Object.fromEntries([...objects, ...answers]);
}

function usedIn(paths: object, section: string, all: Readonly<Record<string, object>>) {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => text.includes(`"#/components/${section}/${name}"`)),
  );
}

/**
 * Generates the OpenAPI documents: those of the service for `npm run openapi`, and those of
 * extensions at each start.
 */
@Module({ imports: [DiscoveryModule], providers: [ApiDocuments, RoutedOperations] })
export class OpenApiModule {}
