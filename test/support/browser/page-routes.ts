import type { Router } from 'express';

export interface PostRoute {
  /** The path with its parameters filled in. */
  readonly path: string;
  /** False if the route handles every method, such as one that rejects. */
  readonly isOfPost: boolean;
}

/** Returns the paths of a router's pages, nested routers included, from the router itself. */
export function pagePathsOf(router: Router, id: string): string[] {
  const pages = routesIn(router, id, 'get').filter(({ isOfMethod }) => isOfMethod);
  return pages.map(({ path }) => path);
}

/**
 * Returns the paths at which a router handles POST, nested routers included, from the router
 * itself.
 */
export function postRoutesOf(router: Router, id: string): PostRoute[] {
  const routes = new Map<string, boolean>();
  for (const { path, isOfMethod } of routesIn(router, id, 'post')) {
    // The route that rejects all other methods comes after the page's own.
    routes.set(path, isOfMethod || routes.get(path) === true);
  }
  return Array.from(routes, ([path, isOfPost]) => ({ path, isOfPost }));
}

interface FoundRoute {
  readonly path: string;
  /** False if the route handles every method. */
  readonly isOfMethod: boolean;
}

function routesIn(router: Router, id: string, method: 'get' | 'post', base = ''): FoundRoute[] {
  return router.stack.flatMap((layer) => {
    if (layer.route !== undefined) {
      const { path, stack } = layer.route;
      const methods: unknown[] = stack.map(({ method }) => method);
      const isOfMethod = methods.includes(method);
      // Handlers of every method have no method of their own.
      if (!isOfMethod && !methods.includes(undefined)) return [];
      return [{ path: filled(base + path, id), isOfMethod }];
    }
    const handle: unknown = layer.handle;
    return isRouter(handle) ? routesIn(handle, id, method, base + pathOf(layer)) : [];
  });
}

function isRouter(handle: unknown): handle is Router {
  return typeof handle === 'function' && 'stack' in handle;
}

/** Returns the path at which a router is mounted in another. A slash adds nothing. */
function pathOf(layer: object): string {
  const path: unknown = Reflect.get(layer, 'rawPath');
  if (typeof path !== 'string') throw new Error('a router lies at more than one path');
  return path === '/' ? '' : path;
}

function filled(path: string, id: string): string {
  return `/${path.replace('{*path}', 'nowhere').replace(/:(id|preKey)\b/, id)}`.replace(
    /^\/+/,
    '/',
  );
}
