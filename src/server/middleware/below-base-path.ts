import type { Request, RequestHandler } from 'express';

/**
 * Lets the service answer below the path of PUBLIC_URL by removing that path from requests. A proxy
 * may also remove it, so requests without it are served as well.
 * @param basePath such as `/reports`; empty if the service is at the root of its host
 */
export function belowBasePath(basePath: string): RequestHandler {
  return (request, _response, next) => {
    const path = basePath === '' ? null : pathBelow(basePath, request.url);
    if (path !== null) setPath(request, path);
    next();
  };
}

/** Returns the target without the base path, or null if it is not below the base path. */
function pathBelow(basePath: string, target: string): string | null {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  if (!path.startsWith(basePath)) return null;
  const rest = path.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : null;
}

/** Sets the target of a request. Express keeps it twice, and pages read the original one. */
function setPath(request: Request, path: string): void {
  request.url = path;
  request.originalUrl = path;
}
