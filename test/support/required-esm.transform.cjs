// Lets a CommonJS package have the ES modules that required-esm.mjs has loaded.
module.exports = {
  process: (source) => ({
    code: source.replace(
      /\brequire\(("@nestjs\/(?:common|core)")\)/g,
      'globalThis.requiredEsm[$1]',
    ),
  }),
};
