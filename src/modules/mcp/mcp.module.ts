import { Feature } from '../../feature.js';
import { AffiliatesModule } from '../affiliates/index.js';
import {
  ConfirmationsCleanup,
  ConfirmationsService,
} from './confirmations/confirmations.service.js';
import { UsedTokenEntity } from './confirmations/used-tokens.entity.js';
import { UsedTokensRepository } from './confirmations/used-tokens.repository.js';
import { McpController } from './mcp.controller.js';
import { McpService } from './mcp.service.js';
import { ToolsService } from './tools.service.js';
import { WritingToolsService } from './writing-tools.service.js';

/** Serves the Model Context Protocol. See docs/mcp.md. */
@Feature({
  imports: [AffiliatesModule],
  controllers: [McpController],
  providers: [
    McpService,
    ToolsService,
    WritingToolsService,
    ConfirmationsService,
    ConfirmationsCleanup,
    UsedTokensRepository,
  ],
  entities: [UsedTokenEntity],
  jobs: [ConfirmationsCleanup],
})
export class McpModule {}
