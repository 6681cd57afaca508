import type { Router } from 'express';

export interface PostRoute {
  /** With its parameters filled in. */
  readonly path: string;
  /** False where the route takes every method, as one that refuses does. */
  readonly isOfPost: boolean;
}

/** Where a router takes a POST, the routers in it included, by what the router itself knows. */
export function postRoutesOf(router: Router, id: string): PostRoute[] {
  const routes = new Map<string, boolean>();
  for (const { path, isOfPost } of routesIn(router, id)) {
    // What refuses all other methods lies behind the page itself.
    routes.set(path, isOfPost || routes.get(path) === true);
  }
  return Array.from(routes, ([path, isOfPost]) => ({ path, isOfPost }));
}

function routesIn(router: Router, id: string, base = ''): PostRoute[] {
  return router.stack.flatMap((layer) => {
    if (layer.route !== undefined) {
      const { path, stack } = layer.route;
      const methods: unknown[] = stack.map(({ method }) => method);
      const isOfPost = methods.includes('post');
      // What takes every method has none of its own.
      if (!isOfPost && !methods.includes(undefined)) return [];
      return [{ path: filled(base + path, id), isOfPost }];
    }
    const handle: unknown = layer.handle;
    return isRouter(handle) ? routesIn(handle, id, base + pathOf(layer)) : [];
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
