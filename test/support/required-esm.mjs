// Jest can't `require` an ES module before Node 24.9, and @nestjs/throttler, which is CommonJS,
// requires these. They are loaded here, and required-esm.transform.cjs hands them to it.
globalThis.requiredEsm = {
  '@nestjs/common': await import('@nestjs/common'),
  '@nestjs/core': await import('@nestjs/core'),
};
