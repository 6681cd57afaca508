// Lets the suite start on Node.js 20, which has no `globSync`. The suite imports it for a command
// that is not used here.
import fs from 'node:fs';
import { register } from 'node:module';

const IMPORTER = '/@modelcontextprotocol/conformance/dist/';
const SUPPLEMENTED = `
export * from 'node:fs';
export function globSync() { throw new Error('Node.js 20 has no globSync'); }
`;
const HOOKS = `
export function resolve(name, context, next) {
  return name === 'fs' && context.parentURL?.includes('${IMPORTER}')
    ? { url: ${JSON.stringify(moduleOf(SUPPLEMENTED))}, shortCircuit: true }
    : next(name, context);
}
`;

if (fs.globSync === undefined) register(moduleOf(HOOKS));

function moduleOf(source) {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
