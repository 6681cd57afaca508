/**
 * The public surface for extensions, which import it as `vendor-reporting-api/extension`. See
 * docs/extensions.md. Members that are marked as internal are not part of it.
 */

// The declaration and the module of an extension.
export {
  Feature,
  type CommandDeclaration,
  type ExtensionDeclaration,
  type FeatureMetadata,
  type LoadedPage,
  type PersonalDataHolder,
  type StartCheck,
} from './feature.js';
export { FeatureSettings as Settings, valueOf } from './config/declared-settings.js';
export type { SettingDeclaration } from './config/declared-settings.js';
export { Inject, Injectable, Logger } from '@nestjs/common';
export { JobLoop } from './platform/jobs/job-loop.js';
export { DomainError, StartError } from './platform/errors/domain-error.js';

// Operations of the API.
export { ExtensionController } from './kit/extension-controller.js';
export {
  Body,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
export { AllowAccess, ApiOperation, type Description } from './api/versions/api-operation.js';
export { CurrentPrincipal, type Principal } from './api/access/principal.js';
export { ShowsPersonalData } from './api/access/personal-reads.js';
export type { ListAnswer as Answer } from './api/envelope/envelope.js';
export { ApiError } from './api/errors/api-error.js';
export type { Failure } from './api/errors/catalogue.js';
export {
  itemsBefore,
  pagedMeta,
  PAGE_INDEX,
  PAGE_SIZE,
  type PageRequest,
} from './api/validation/paging.js';

// Checks of paths, queries and bodies.
export { ApiField } from './api/validation/api-field.js';
export {
  checkedBy,
  IsCalendarDay,
  IsHttpUrl,
  IsInteger,
  IsListOf,
  IsOneOf,
  IsOnOrAfter,
  IsText,
} from './api/validation/validators.js';
export { IsOptional, IsString, MaxLength, MinLength, ValidateIf } from 'class-validator';
export { Expose, Transform } from 'class-transformer';

// Tables, and transactions of the database.
export { Database, type Reader, type Session } from './platform/database/database.js';
export { entityOf, type EntityRow } from './platform/database/entities/entity-of.js';
export type { EntityDeclaration } from './platform/database/entities/entity-class.js';
export { InjectRepository } from './platform/database/entities/inject-repository.js';
export {
  bytes,
  dateTime,
  day,
  flag,
  generatedId,
  key,
  longText,
  money,
  optional,
  text,
  wholeNumber,
} from './platform/database/entities/columns.js';
export { createTables } from './platform/database/migrations/create-table.js';
export type { PersonalTable } from './platform/database/personal-tables.js';
export {
  Between,
  Column,
  Entity,
  EntitySchema,
  In,
  Index,
  IsNull,
  LessThan,
  LessThanOrEqual,
  Like,
  MoreThan,
  MoreThanOrEqual,
  Not,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Repository,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';

// The ledger and its changes.
export { LedgerSales, type Sale } from './ledger/reads/ledger-sales.repository.js';
export { ChangeListener, type LedgerChange } from './ledger/changes/change-listener.model.js';
export { ChangeSource, type ContentCriteria } from './ledger/changes/change-source.model.js';
export type { NamedRecord } from './ledger/changes/change.model.js';
export { ExtensionChangesService as ChangesService } from './ledger/changes/extension-changes.service.js';

// The audit log.
export { AuditLog, type ExtensionAuditEntry } from './modules/audit/index.js';

// Account pages.
export type { PageRoutes, Pages } from './platform/pages/page-router.js';
export { csvDownload, pageOf, redirectTo, type PageAnswer } from './platform/pages/page-answer.js';
export { authorOf, type SignedInVisit } from './platform/pages/visit.js';
export { transactionPath } from './platform/pages/paths.js';
export { Facts, LinkLine, PageLinks, pageIn, Panel } from './platform/pages/ui/facts.view.js';
export {
  Field,
  Form,
  FormButton,
  FormProblem,
  problemsOf,
  Select,
} from './platform/pages/ui/form.view.js';
export {
  amounts,
  counts,
  numbers,
  Table,
  times,
  type Column as TableColumn,
} from './platform/pages/ui/table.view.js';
export { countText, DateTime, Money, numberText } from './platform/pages/ui/values.view.js';

// Commands.
export { ServiceCommand } from './platform/commands/with-service.js';
export {
  integerParser,
  parseDay,
  parseInteger,
  type JsonOption,
} from './platform/commands/options.js';
export { print, printError, printJson, printLine, printList } from './platform/commands/output.js';

// Forms of values.
export { BY_OPERATOR, type Author } from './platform/values/author.js';
export { dateTimeOf, formatDateTime } from './platform/values/time.js';
export { CENTS, formatCents, parseDecimal } from './platform/values/money.js';
