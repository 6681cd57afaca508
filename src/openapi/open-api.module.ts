import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ApiDocuments } from './api-documents.js';
import { RoutedOperations } from './routed-operations.js';

/** What describes the service: `npm run openapi` asks it, and no request. */
@Module({
  imports: [DiscoveryModule],
  providers: [ApiDocuments, RoutedOperations],
})
export class OpenApiModule {}
