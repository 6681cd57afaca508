import type { Application } from 'express';
import { pathToRegexp } from 'path-to-regexp';

export interface Operation {
  readonly method: string;
  /** Path as in OpenAPI: `/v3.0/transactions/{transaction_id}`. */
  readonly path: string;
}

/** The path of the catch-all route. */
export const ANY_PATH = '{*path}';

/** Returns every operation, read from the router. */
export function operationsOf(app: Application): Operation[] {
  return routesOf(app).map(({ method, path }) => ({ method, path: toOpenApiPath(path) }));
}

export function toOpenApiPath(path: string): string {
  // Braces mark an optional part: `/latest-transactions{/:paykey}`.
  return path.replace(/\{(\/:\w+)\}/g, '$1').replace(/:(\w+)/g, '{$1}');
}

/** Returns the methods of a path. The list is empty if the path is unknown. */
export function methodsAt(app: Application, path: string): string[] {
  const routes = routesOf(app).filter((route) => route.matcher.test(path));
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods)];
}

function routesOf(app: Application) {
  return app.router.stack.flatMap(({ route }) => {
    if (route === undefined || route.path.endsWith(ANY_PATH)) return [];
    const { path } = route;
    const methods = new Set(route.stack.map(({ method }) => method.toUpperCase()));
    const matcher = pathToRegexp(path, { sensitive: true }).regexp;
    return [...methods].map((method) => ({ method, path, matcher }));
  });
}
