import type { Router } from 'express';

export interface PostRoute {
  /** With its parameters filled in. */
  readonly path: string;
  /** False where the route takes every method, as one that refuses does. */
  readonly isOfPost: boolean;
}

/** The paths of pages, the routers in it included, by what the router itself knows. */
export function pagePathsOf(router: Router, id: string): string[] {
  const pages = routesIn(router, id, 'get').filter(({ isOfMethod }) => isOfMethod);
  return pages.map(({ path }) => path);
}

/** Where a router takes a POST, the routers in it included, by what the router itself knows. */
export function postRoutesOf(router: Router, id: string): PostRoute[] {
  const routes = new Map<string, boolean>();
  for (const { path, isOfMethod } of routesIn(router, id, 'post')) {
    // What refuses all other methods lies behind the page itself.
    routes.set(path, isOfMethod || routes.get(path) === true);
  }
  return Array.from(routes, ([path, isOfPost]) => ({ path, isOfPost }));
}

interface FoundRoute {
  readonly path: string;
  /** False where the route takes every method. */
  readonly isOfMethod: boolean;
}

function routesIn(router: Router, id: string, method: 'get' | 'post', base = ''): FoundRoute[] {
  return router.stack.flatMap((layer) => {
    if (layer.route !== undefined) {
      const { path, stack } = layer.route;
      const methods: unknown[] = stack.map(({ method }) => method);
      const isOfMethod = methods.includes(method);
      // What takes every method has none of its own.
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

/** Where a router lies in another; at a slash, it adds nothing. */
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
