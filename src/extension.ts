/**
 * The public surface for extensions, which import it as `vendor-reporting-api/extension`. See
 * docs/extensions.md.
 */
export { Feature } from './feature.js';
export type { ExtensionDeclaration } from './feature.js';
