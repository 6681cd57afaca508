import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ApiDocuments } from './api-documents.js';
import { RoutedOperations } from './routed-operations.js';

/** Generates the OpenAPI documents; only `npm run openapi` uses it. */
@Module({ imports: [DiscoveryModule], providers: [ApiDocuments, RoutedOperations] })
export class OpenApiModule {}
