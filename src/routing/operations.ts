import type { Application } from 'express';
import { pathToRegexp } from 'path-to-regexp';

export interface Operation {
  readonly method: string;
  /** As the contract writes it: `/v3.0/transactions/{transaction_id}`. */
  readonly path: string;
}

/** The path of the route that takes whatever no operation takes. */
export const ANY_PATH = '{*path}';

/**
 * Every operation, read off the router itself: one that is added later is here without a line of
 * its own.
 */
export function operationsOf(app: Application): Operation[] {
  return routesOf(app).map(({ method, path }) => ({
    method,
    path: toOpenApiPath(path),
  }));
}

/** `/v3.0/transactions/{transaction_id}` for the path of its route. */
export function toOpenApiPath(path: string): string {
  // An optional part is in braces: `/latest-transactions{/:paykey}`.
  return path.replace(/\{(\/:\w+)\}/g, '$1').replace(/:(\w+)/g, '{$1}');
}

/** The methods that operations answer at a path; none where the path is unknown. */
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
