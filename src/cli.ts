import 'reflect-metadata';
import { runCommand } from './start/commands.js';
import { codeOf } from './platform/errors/is-error.js';
import { limitHeapGrowth } from './platform/observability/heap-growth.js';
import { useCompileCache } from './platform/files/compile-cache.js';

limitHeapGrowth();
useCompileCache();
// `head` closes the pipe in `keys list | head -1`, which is not an error.
process.stdout.on('error', (error) => {
  if (codeOf(error) !== 'EPIPE') throw error;
  process.exit();
});
await runCommand(process.argv);
