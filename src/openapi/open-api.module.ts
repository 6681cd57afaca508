import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ApiDocuments } from './api-documents.js';
import { RoutedOperations } from './routed-operations.js';

/** Used only by `npm run openapi`. */
@Module({ imports: [DiscoveryModule], providers: [ApiDocuments, RoutedOperations] })
export class OpenApiModule {}
