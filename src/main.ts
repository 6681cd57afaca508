import 'reflect-metadata';
import { useCompileCache } from './platform/files/compile-cache.js';
import { limitHeapGrowth } from './platform/observability/heap-growth.js';

limitHeapGrowth();
useCompileCache();
const { start } = await import('./start/start.js');
await start();
