import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { useCompileCache } from './compile-cache.js';

// By default V8 lets the heap grow fourfold before it collects, so memory use would swing.
setFlagsFromString('--heap-growing-percent=25');
// Where most objects of a line of code once lived long, V8 would allocate all later ones as old, and each
// would keep the young objects that it refers to until the next full collection: promotion grew tenfold.
setFlagsFromString('--no-allocation-site-pretenuring');
useCompileCache();
const { start } = await import('./start.js');
await start();
