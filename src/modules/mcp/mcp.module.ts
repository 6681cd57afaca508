import { Module } from '@nestjs/common';
import { McpController } from './mcp.controller.js';
import { McpService } from './mcp.service.js';
import { ToolsService } from './tools.service.js';

/** Serves the Model Context Protocol. See docs/mcp.md. */
@Module({
  controllers: [McpController],
  providers: [McpService, ToolsService],
})
export class McpModule {}
