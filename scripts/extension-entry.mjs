// Exports the public surface for extensions (src/extension.ts). The build makes dist/extension.js
// from it. It also loads what every start loads, so that the bundle is cut into the same files as
// without this entry, and a start has no more files to read.
import '../src/start/start.ts';
import 'together:module';
import 'together:pages';

export * from '../src/extension.ts';
// dist/jsx-runtime.js exports these.
export { Fragment, jsx, jsxDEV, jsxs } from 'preact/jsx-runtime';
