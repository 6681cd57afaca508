import type { ExtensionDeclaration } from 'vendor-reporting-api/extension';
import { MAX_LENGTH } from './settings.js';

/** Declares the extension. The service loads the code of a part when it needs it. */
const declaration: ExtensionDeclaration = {
  name: 'sample-name',
  compatibility: 'SERVICE_RANGE',
  versions: [1],
  settings: { maxLength: MAX_LENGTH },
  commands: {
    'sample-name': {
      order: 500,
      load: async () => (await import('./sample-name.command.js')).sampleNameCommand,
    },
  },
  pages: {
    list: {
      path: '/account/sample-name',
      permission: 'account',
      navigation: { label: 'Sample name', order: 500 },
      load: async () => (await import('./sample-name.page.js')).SampleNamePages,
    },
  },
  module: async () => (await import('./sample-name.module.js')).SampleNameModule,
};

export default declaration;
