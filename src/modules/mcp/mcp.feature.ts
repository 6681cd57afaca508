import type { FeatureDeclaration } from '../../feature.js';

export const MCP = {
  name: 'mcp',
  module: async () => (await import('./mcp.module.js')).McpModule,
} as const satisfies FeatureDeclaration;
