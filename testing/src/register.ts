/**
 * Lets Node.js resolve `vendor-reporting-api/extension` to the built service, in the process that
 * loads this module: `node --import vendor-reporting-api-testing/register --test`.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findService } from './find-service.js';

await import(pathToFileURL(join(findService(), 'dist', 'register.js')).href);
