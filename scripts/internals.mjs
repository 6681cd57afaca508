// Exports the parts of the built service that scripts, benchmarks and tests import. The build makes
// dist/internals.js from it, which shares its modules with the other entries, so that every class
// exists once.
import 'reflect-metadata';

export { NestFactory } from '@nestjs/core';
export { default as mysql } from 'mysql2';
export { AppModule } from '../src/app.module.ts';
export { runCommand } from '../src/start/commands.ts';
export { AddressList } from '../src/platform/values/address-list.ts';
export { API_VERSIONS, slugOf, VERSIONS } from '../src/api/versions/api-versions.ts';
export { CATALOGUE } from '../src/api/errors/catalogue.ts';
export { createApp } from '../src/start/configure-app.ts';
export { loadFeatures } from '../src/start/installed-features.ts';
export { loadSettings, readSettings } from '../src/start/load-settings.ts';
export { PAYOUT_FIELDS, REFUND_AMOUNT_FIELDS, TRACKING_FIELDS } from '../src/ledger/columns.ts';
export { AccountsRepository } from '../src/modules/accounts/accounts.repository.ts';
export { ApiApplicationsService } from '../src/modules/accounts/applications/api-applications.service.ts';
export { SignInService } from '../src/modules/accounts/sessions/sign-in.service.ts';
export { NO_APPLICATION, OPERATOR } from '../src/platform/values/author.ts';
export { demoLedger } from '../src/modules/demo/demo-ledger.ts';
export { FIRST_AFFILIATE_ID } from '../src/modules/demo/demo-people.ts';
export { DemoService } from '../src/modules/demo/demo.service.ts';
export { ImportService } from '../src/modules/records-in/import.service.ts';
export { ReportListsService } from '../src/modules/reports/lists/report-lists.service.ts';
export { ReportsService } from '../src/modules/reports/reports.service.ts';
export { UpstreamsService } from '../src/modules/mirror/upstreams/upstreams.service.ts';
export { OWN_WORDS } from '../src/modules/mirror/upstreams/upstream.model.ts';
export { DeliveriesService } from '../src/modules/webhooks/delivery/deliveries.service.ts';
export { WebhooksService } from '../src/modules/webhooks/webhooks.service.ts';
export { readAnswerSchemas } from '../src/platform/openapi/answer-schemas.ts';
export { guardOutput, LINES_LOST } from '../src/platform/observability/guarded-output.ts';
export { ApiDocuments } from '../src/platform/openapi/api-documents.ts';
export { documentFile, postmanFile } from '../src/platform/openapi/document-files.ts';
