import { BeforeApplicationShutdown } from '@nestjs/common';
import { Between } from 'typeorm';
import { Body as Body_2 } from '@nestjs/common';
import { Column } from 'typeorm';
import { Command } from 'commander';
import { ComponentChildren } from 'preact';
import { Delete } from '@nestjs/common';
import { Entity } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { EntitySchema } from 'typeorm';
import type { EntitySchemaColumnOptions } from 'typeorm';
import { EntitySchemaIndexOptions } from 'typeorm';
import { Expose } from 'class-transformer';
import type { FindManyOptions } from 'typeorm';
import { Get } from '@nestjs/common';
import { HttpCode } from '@nestjs/common';
import { In } from 'typeorm';
import { Index } from 'typeorm';
import type { INestApplicationContext } from '@nestjs/common';
import { Inject } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { InputHTMLAttributes } from 'preact';
import { IsNull } from 'typeorm';
import { IsOptional } from 'class-validator';
import { IsString } from 'class-validator';
import { JSX } from 'preact';
import { LessThan } from 'typeorm';
import { LessThanOrEqual } from 'typeorm';
import { Like } from 'typeorm';
import { Logger } from '@nestjs/common';
import { MaxLength } from 'class-validator';
import { MigrationInterface } from 'typeorm';
import { MinLength } from 'class-validator';
import { ModuleMetadata } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { MoreThanOrEqual } from 'typeorm';
import { Not } from 'typeorm';
import { Param } from '@nestjs/common';
import { Patch } from '@nestjs/common';
import { Post } from '@nestjs/common';
import { PrimaryColumn } from 'typeorm';
import { PrimaryGeneratedColumn } from 'typeorm';
import { Put } from '@nestjs/common';
import { Query } from '@nestjs/common';
import { QueryRunner } from 'typeorm';
import { Repository } from 'typeorm';
import { Req } from '@nestjs/common';
import { Res } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Type } from '@nestjs/common';
import { ValidateIf } from 'class-validator';
import { ValidationArguments } from 'class-validator';
import type { VNode } from 'preact';

declare type Access = (typeof ACCESSES)[number];

/** The access level of an application decides what its key may do: see `docs/api.md#access`. */
declare const ACCESSES: readonly ["full", "read", "masked", "source"];

/**
 * Sets the access levels that may use an operation. Without this decorator, `full`, `read` and
 * `masked` may use a GET, and only `full` may use other methods
 * (src/api/access/access.module.ts).
 */
export declare function AllowAccess(...allowed: readonly Access[]): MethodDecorator;

/** Returns a column of amounts of money. */
export declare function amounts<Row>(name: string, centsOf: (row: Row) => number | bigint): TableColumn<Row>;

/**
 * A controller returns its results in memory and, for a paged list, the fields that it adds to
 * `meta`.
 */
export declare interface Answer {
    readonly results: readonly unknown[];
    readonly meta?: PagedMeta | SummaryMeta | FeedMeta | SearchMeta | QueryMeta | FiguresMeta | StateMeta;
}

/** Represents an error response. Any code can throw it; ApiErrorFilter sends it in the envelope. */
export declare class ApiError extends Error {
    readonly failure: Failure;
    readonly detail: string | null;
    readonly headers: Readonly<Record<string, string>>;
    /**
     * Creates the error of a failure.
     * @param failure key of the catalogue
     * @param detail one sentence that says how to fix the request, or null
     * @param headers additional response headers, for example `Allow`
     */
    constructor(failure: Failure, detail?: string | null, headers?: Readonly<Record<string, string>>);
}

/**
 * Documents a parameter or body field in OpenAPI.
 * @param description whole sentences: meaning and unit
 */
export declare function ApiField(description: string, example: FieldExample): PropertyDecorator;

/**
 * Describes an operation for OpenAPI. Every operation must have it
 * (test/contract/openapi/openapi.test.ts).
 */
export declare function ApiOperation(description: Description): MethodDecorator;

declare type Audience = (typeof AUDIENCES)[number];

/** Users by what they do: they sell products, or refer sales of products of others. */
declare const AUDIENCES: readonly ["sellers", "referrers"];

/**
 * An audit entry describes a change: who made it, through which API application, and the state
 * before and after.
 */
declare interface AuditEntry extends Author {
    /** Account whose activity shows the entry: that of the author by default, or NO_ACCOUNT. */
    readonly account_id?: number | undefined;
    /** Name of the imported file. Absent for direct changes. */
    readonly source?: string;
    /** Name of the action, such as `affiliation.set`. */
    readonly action: string;
    /** Subject of the change, such as `affiliate 7, product 12`. */
    readonly subject: string;
    /** State before the change. Null or absent if the subject is new. */
    readonly before?: object | null;
    readonly after: object;
}

/**
 * Writes entries of extensions to the audit log. Erasures do not reach the log, so it keeps no
 * values of columns with personal data.
 */
export declare class AuditLog {
    private readonly audit;
    private readonly features;
    /**
     * Adds an entry in the transaction of the change itself. Each property of `before` and `after`, at
     * any depth, that is named like a column with personal data of an installed extension has the
     * value `"not kept"`, or null if it is null. The subject is stored as it is.
     * @throws Error if the action does not begin with the name of an installed extension and a dot
     */
    record(session: Session, entry: ExtensionAuditEntry): Promise<void>;
    private personalColumns;
}

/** Says who makes a change: a user, with an application or without. */
export declare interface Author {
    /** OPERATOR for a change by a command. */
    readonly user_id: number;
    /** NO_APPLICATION for a change without a key. */
    readonly application_id: number;
}

/** Returns the author of a change on a page, for the audit log. */
export declare function authorOf({ user }: SignedInVisit): {
    user_id: number;
    application_id: number;
};

export { Between }

export { Body_2 as Body }

declare type Bounds = Readonly<Record<'min' | 'max', number>>;

/** Author of changes by commands, and by the service itself. */
export declare const BY_OPERATOR: Author;

/** Returns a column of up to 65,535 bytes. */
export declare function bytes(): Column_2<Uint8Array>;

/** All outcomes of the API with HTTP status, internal code and message. */
declare const CATALOGUE: {
    readonly success: {
        readonly http_status_code: 200;
        readonly code: 2000;
        readonly message: "Success";
    };
    readonly no_content: {
        readonly http_status_code: 204;
        readonly code: 2040;
        readonly message: "No content found";
    };
    readonly bad_request: {
        readonly http_status_code: 400;
        readonly code: 4000;
        readonly message: "Bad request";
    };
    readonly invalid_parameters: {
        readonly http_status_code: 400;
        readonly code: 4001;
        readonly message: "Invalid parameters";
    };
    readonly key_missing: {
        readonly http_status_code: 401;
        readonly code: 4010;
        readonly message: "API key is missing";
    };
    readonly key_invalid: {
        readonly http_status_code: 401;
        readonly code: 4011;
        readonly message: "Invalid API key";
    };
    readonly request_failed: {
        readonly http_status_code: 402;
        readonly code: 4000;
        readonly message: "Request failed";
    };
    readonly foreign_product: {
        readonly http_status_code: 403;
        readonly code: 4012;
        readonly message: "Authenticated user has no access (specific)";
    };
    readonly account_suspended: {
        readonly http_status_code: 403;
        readonly code: 4030;
        readonly message: "Authenticated user has no access (general)";
    };
    readonly insufficient_access: {
        readonly http_status_code: 403;
        readonly code: 4030;
        readonly message: "Authenticated user has no access (general)";
    };
    readonly forbidden: {
        readonly http_status_code: 403;
        readonly code: 4031;
        readonly message: "Authenticated user has no access (forbidden)";
    };
    readonly not_found: {
        readonly http_status_code: 404;
        readonly code: 4040;
        readonly message: "Not found";
    };
    readonly method_not_allowed: {
        readonly http_status_code: 405;
        readonly code: 4050;
        readonly message: "Method not allowed";
    };
    readonly too_many_requests: {
        readonly http_status_code: 429;
        readonly code: 4290;
        readonly message: "Too many requests";
    };
    readonly internal_error: {
        readonly http_status_code: 500;
        readonly code: 5000;
        readonly message: "Internal server error";
    };
};

/** Decimal places of an amount of money. */
export declare const CENTS = 2;

/**
 * Receives the changes of each ledger in their order, at least once, after their commit, in one
 * process at a time. See docs/changes.md.
 */
export declare abstract class ChangeListener {
    /**
     * Name under which the position of the listener is stored: the name of the extension, or a name
     * that begins with it and a dash. A listener with a new name begins at the first change.
     */
    abstract readonly name: string;
    /** Kinds of the changes to receive; all by default. Changes of the kind `removed` always come. */
    readonly kinds?: readonly string[];
    /**
     * Handles changes of one vendor. The position of the listener is stored in the transaction of the
     * session, so what is written in it is written exactly once. Other vendors wait for the
     * transaction, so it should be short, and must not wait for other services.
     * @param session runs the statements; the listener must not write in another way
     * @param changes 1 to 100 changes in the order of their sequences
     * @throws any error, after which the same changes come again later
     */
    abstract changed(session: Session, vendor_id: number, changes: readonly LedgerChange[]): Promise<void>;
}

/**
 * Reads the records of one kind for the feed of changes. The module that owns the kind implements
 * it.
 */
export declare abstract class ChangeSource {
    /** A kind of the service, or one that begins with the name of the extension. */
    abstract readonly kind: string;
    /**
     * Returns the records as JSON objects in the form of the API, by key. Records that were removed,
     * or belong to another vendor now, are left out.
     */
    abstract contentsOf(criteria: ContentCriteria): Promise<ReadonlyMap<string, string>>;
    /**
     * Returns the approximate size of each record as JSON in bytes, by key. A source whose records
     * are all small, of up to about 1 KiB, does not define it.
     */
    sizesOf?(criteria: SizeCriteria): Promise<ReadonlyMap<string, number>>;
}

/**
 * Adds the changes of an extension's records to the feed, in the transaction of the change. The
 * vendor's ledger stays locked until the commit, so sequences rise in the order of the commits.
 */
export declare class ChangesService {
    private readonly repository;
    private readonly sources;
    /**
     * Adds a change of each record, in this order, each record once.
     * @throws Error if a kind is not one of an installed extension, or a key is invalid
     */
    record(session: Session, records: readonly NamedRecord[]): Promise<void>;
    /**
     * Replaces the item of each record by one of the kind `removed`.
     * @throws Error if a kind is not one of an installed extension, or a key is invalid
     */
    remove(session: Session, records: readonly NamedRecord[]): Promise<void>;
    private assertOwn;
}

/**
 * Checks a parameter as it was sent: a string, or an array if the parameter was repeated. `says`
 * completes the error message `NAME must be …`, and describes the parameter in OpenAPI.
 */
declare interface Check {
    readonly name: string;
    readonly says: string;
    readonly schema: ValueSchema;
    /** True if the validator also accepts a missing parameter. */
    readonly isOptional?: true;
    readonly validate: (value: unknown, args?: ValidationArguments) => boolean;
}

/** Makes a custom validator for a check that this file does not have. */
export declare function checkedBy({ name, says, schema, isOptional, validate }: Check): PropertyDecorator;

export { Column }

/** Describes a column whose values in a row have this type. */
declare interface Column_2<Value = unknown> extends EntitySchemaColumnOptions {
    /** Exists for the compiler only, so that `RowOf` knows the type. */
    readonly rowValue?: Value;
}

/** An SQL type, the same on all databases or one for each. */
declare type ColumnType = string | Readonly<Record<SqlDialect, string>>;

/** Declares a command before its code is loaded. */
export declare interface CommandDeclaration {
    /** Position in the list of commands of the help. */
    readonly order: number;
    /** Loads the function that builds the command. */
    readonly load: () => Promise<() => Command>;
}

/** Selects the records of a vendor to read, with or without personal data. */
export declare interface ContentCriteria {
    readonly reader: Reader;
    readonly vendor_id: number;
    readonly record_keys: readonly string[];
    /** True to leave personal data out. */
    readonly isMasked: boolean;
}

/** Returns a column of whole numbers, with their digits grouped. */
export declare function counts<Row>(name: string, countOf: (row: Row) => number): TableColumn<Row>;

/** Returns a number with its noun, such as `1 payment` or `1,234 payments`. */
export declare function countText(count: number, noun: string): string;

/**
 * Creates tables with their indexes, and skips those that exist: MySQL cannot roll back DDL, so an
 * interrupted migration must be able to run again.
 */
export declare function createTables(runner: QueryRunner, tables: readonly Table_3[]): Promise<void>;

/**
 * Returns a download of a CSV file.
 * @param name the file name without `.csv`
 * @param chunks parts of the file, which are read while it is sent
 */
export declare function csvDownload(name: string, chunks: AsyncIterable<string>): Download;

/** Injects the caller into a parameter of a controller. */
export declare const CurrentPrincipal: (...dataOrPipes: unknown[]) => ParameterDecorator;

/** Gives all repositories access to the database, in the same way for every dialect. */
export declare abstract class Database implements EntityReader {
    /** SQL that differs between databases. */
    abstract readonly dialect: Dialect;
    /** Reads entities. To write, use the manager of a session. */
    abstract readonly manager: EntityManager;
    /** Reads committed data; each call has its own snapshot. */
    abstract select<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]>;
    /**
     * Runs `work` in a READ COMMITTED transaction. `work` is repeated after a deadlock, a lock
     * timeout or a duplicate key, so it must have no effects outside its session.
     * @throws UnknownOutcomeError if the connection is lost during the commit
     */
    abstract write<Result>(work: Work<Session, Result>): Promise<Result>;
    /**
     * Runs `work` as `write` does, but also repeats it if it is unknown whether it was committed. So
     * `work` must be idempotent; a repetition overwrites concurrent changes.
     */
    writeIdempotent<Result>(work: Work<Session, Result>): Promise<Result>;
}

/** Shows a date-time in UTC; the footer of every page says that all times are UTC. */
export declare function DateTime({ at, isExact, otherwise }: DateTimeProperties): JSX.Element;

/** Returns a column of a date-time in UTC, to the second; see src/platform/values/time.ts. */
export declare function dateTime(): Column_2<string>;

/** Returns a Date as text, truncated to the second. */
export declare function dateTimeOf(date: Date): string;

declare interface DateTimeProperties {
    /** Null if it is unknown. */
    readonly at: string | null;
    /** Shows seconds. */
    readonly isExact?: boolean;
    /** Text in place of an unknown date-time. */
    readonly otherwise?: string;
}

/** Returns a column of a day, such as `2025-06-01`. */
export declare function day(): Column_2<string>;

declare interface Declared {
    /** Name of the environment variable. */
    readonly name: string;
    /** Describes in a sentence what the setting is for; docs/configuration.md has the details. */
    readonly purpose: string;
}

/** Declares a personal table, whose entity may be a class. */
declare interface DeclaredPersonalTable extends Omit<PersonalTable, 'entity'> {
    readonly entity: EntityDeclaration;
}

/** Tables as a module declares them. */
declare interface DeclaredTables {
    readonly entities?: readonly EntityDeclaration[];
    readonly personalTables?: readonly DeclaredPersonalTable[];
}

/** Values of declared settings by name. */
declare type DeclaredValues = ReadonlyMap<string, SettingValue>;

export { Delete }

/** Describes an operation for the OpenAPI documents, beyond what its code states. */
export declare interface Description {
    /** The operationId, in camel case. Generated clients use it, so it must not change. */
    readonly id: string;
    readonly summary: string;
    readonly description?: string;
    /** Errors in addition to those of every operation and of invalid parameters. */
    readonly failures?: readonly Failure[];
    /**
     * The schemas of the records that a streamed body contains: one record, a list, or one record on
     * each line.
     */
    readonly records?: readonly string[];
    /** The media type of a file; other operations answer with the envelope. */
    readonly fileType?: string;
    /** JSON Schema of one result, for an operation of an extension. By default, it is any object. */
    readonly result?: Readonly<Record<string, unknown>>;
    /** True for a feed that sends `X-Paykey: unknown` for an unknown paykey. */
    readonly answersUnknownPaykey?: true;
}

/** Provides the SQL that differs between databases. */
declare interface Dialect {
    readonly name: 'sqlite' | 'mysql';
    /** Locks the rows of a SELECT until the end of the transaction. */
    readonly forUpdate: string;
    /** Locks the rows of `find` of a repository in the same way. */
    readonly locked: Pick<FindManyOptions, 'lock'>;
}

/**
 * A service rejects what a caller wants. The message tells the caller why. Commands print it and
 * end with exit status 1.
 */
export declare class DomainError extends NamedError {
}

declare interface Download {
    readonly kind: 'download';
    /** Calls `send` once with the file, which exists until `send` has ended. */
    readonly withFile: (send: (file: SentFile) => Promise<void>) => Promise<void>;
}

export { Entity }

/** A class with the decorators of TypeORM: `@Entity('notes')`, `@PrimaryColumn`, `@Column`. */
declare type EntityClass = Type<object>;

/** Declares a table: an `EntitySchema`, as from `entityOf`, or a class with `@Entity`. */
export declare type EntityDeclaration = EntitySchema | EntityClass;

/** Declares a table to TypeORM. Its columns define the type of its rows. */
export declare function entityOf<Columns extends Readonly<Record<string, Column_2>>>(table: Table_2<Columns>): EntitySchema<RowOf<Columns>>;

declare interface EntityReader extends Reader {
    /** TypeORM on the same connections. Only the manager of a session can write. */
    readonly manager: EntityManager;
}

/** Describes a row of an entity. */
export declare type EntityRow<Entity> = Entity extends EntitySchema<infer Row> ? Row : never;

export { EntitySchema }

export { Expose }

/** An audit entry of an extension. */
export declare type ExtensionAuditEntry = Omit<AuditEntry, 'source'>;

/**
 * Marks a controller of an extension. Its operations begin with `/extensions/NAME/vVERSION`.
 * @param extension - name of the extension, such as `notes`
 * @param version - number of the version, which the declaration of the extension lists
 * @param path - path below the version, such as `sales/:transaction_id`; empty for the version itself
 */
export declare function ExtensionController(extension: string, version: number, path?: string): ClassDecorator;

/** Declares a feature that an npm package or a folder adds. See docs/extensions.md. */
export declare interface ExtensionDeclaration extends FeatureDeclaration {
    /** Versions of the service with which the extension works, as a range of npm, such as `^0.9`. */
    readonly compatibility: string;
    /** Numbers of the versions of its API: version 1 is at `/extensions/NAME/v1`. */
    readonly versions?: readonly number[];
}

/** Operation or page of an extension, such as `notes.getNote`. */
declare type ExtensionOperation = `${string}.${string}`;

/** A name and its value. */
declare type Fact = readonly [name: string, value: ComponentChildren];

/**
 * Shows names with their values; a fact without a value is left out.
 * @param isInline shows them in one line
 */
export declare function Facts({ facts, isInline, }: {
    readonly facts: readonly Fact[];
    readonly isInline?: boolean;
}): JSX.Element | null;

/** Names an error of the catalogue, such as `not_found`. */
export declare type Failure = Exclude<Outcome_2, 'success' | 'no_content'>;

/** Declares the module of a feature to Nest, and its other parts to the service. */
export declare function Feature(metadata: FeatureMetadata): ClassDecorator;

/**
 * Declares a feature as plain data in its `*.feature.ts`. The file imports only types, and loads
 * the code of the feature when it is needed.
 */
declare interface FeatureDeclaration {
    readonly name: string;
    /** Settings of this feature alone. Services read them with `valueOf`. */
    readonly settings?: Readonly<Record<string, SettingDeclaration>>;
    /** Commands by name. */
    readonly commands?: Readonly<Record<string, CommandDeclaration>>;
    /** Account pages by a name for the feature's own links. */
    readonly pages?: Readonly<Record<string, LoadedPage>>;
    /** A feature of commands alone has no module. */
    readonly module?: () => Promise<Type>;
}

/** Describes the module of a feature: the keys of a module of Nest, and the parts of a feature. */
export declare interface FeatureMetadata extends ModuleMetadata, Partial<Omit<FeatureParts, keyof DeclaredTables>>, DeclaredTables {
    /** Sources of the feed of changes. The module provides them. */
    readonly changes?: readonly Type<ChangeSource>[];
}

/** Parts of a feature that its module registers, in addition to those of a module of Nest. */
declare interface FeatureParts {
    /** Tables. The module provides a repository for each of them. */
    readonly entities: readonly EntitySchema[];
    /** Migrations of an extension, in their order. They run after those of the service. */
    readonly migrations: readonly Migration[];
    /** Checks that run before the service starts. The module provides them. */
    readonly checks: readonly Type<StartCheck>[];
    /** Background jobs, which the service starts. The module provides them. */
    readonly jobs: readonly Type<JobLoop>[];
    /**
     * Services that hold personal data outside of the ledger. The module or its imports provide them.
     */
    readonly personalData: readonly Type<PersonalDataHolder>[];
    /**
     * Columns of own tables with personal data of customers. The service finds, exports, erases,
     * masks and retains them.
     */
    readonly personalTables: readonly PersonalTable[];
    /** Classes that receive the changes of all ledgers. The module provides them. */
    readonly onChanges: readonly Type<ChangeListener>[];
}

/**
 * A feed adds this to `meta`: the start of the next call, and whether more items are available now.
 */
declare interface FeedMeta {
    readonly cursor: string;
    readonly has_more: boolean;
}

/** A text field with its label, its hint and its problem. */
export declare function Field({ label, name, hint, initial, stored, unit, unitBefore, ...input }: TextField): JSX.Element;

/** An example value of a parameter or body field. */
declare type FieldExample = string | number | readonly (string | number)[];

/** Figures add this to `meta`. The controller of figures describes it. */
declare interface FiguresMeta {
    readonly cursor: string | null;
    readonly range: ShownRange;
    readonly compared_range: ShownRange | null;
    readonly totals: ShownFigures;
    readonly compared_totals: ShownFigures | null;
    readonly groups_left_out: ShownFigures | null;
}

/** Returns a column of 0 or 1. */
export declare function flag(): Column_2<number>;

/** The setting is `on` or `off`. */
declare interface FlagSetting extends Declared {
    readonly kind: 'flag';
    readonly default: boolean;
    /** Default in production, if it differs. */
    readonly inProduction?: boolean;
}

/**
 * A POST form with its CSRF token, and the page that has it. It shows what the user typed into it
 * before the session ended.
 */
export declare function Form({ action, label, hidden, class: className, children }: FormProperties): JSX.Element;

/** Formats an amount of cents as decimal text: 4700 is `47.00`. */
export declare function formatCents(cents: number | bigint): string;

/** Returns a date-time as the API writes it: `2025-06-01T18:03:11+00:00`. */
export declare function formatDateTime(dateTime: string): string;

/** A POST form that is only a button. */
export declare function FormButton({ words, button, ...form }: Omit<FormProperties, 'children'> & {
    readonly words: ComponentChildren;
    /** Style of the button. */
    readonly button?: 'quiet' | 'danger' | undefined;
}): JSX.Element;

/** Invalid input in a form field, with a message for the user. */
export declare class FormProblem extends Error {
    readonly field: string;
    constructor(field: string, message: string);
}

declare interface FormProperties {
    readonly action: string;
    /** Name for screen readers, if a page has several forms. */
    readonly label?: string | undefined;
    /** Fields that the user does not see. */
    readonly hidden?: Texts;
    readonly class?: string;
    readonly children: ComponentChildren;
}

/** Returns the column of a primary key that the database numbers. */
export declare function generatedId(): Column_2<number>;

export { Get }

declare type Handler<Of extends Visit = Visit> = (visit: Of) => PageAnswer | Promise<PageAnswer>;

export { HttpCode }

export { In }

export { Index }

/** The columns of each index, by its name. */
declare type Indexes = Readonly<Record<string, readonly string[]>>;

export { Inject }

export { Injectable }

/** Injects the repository of an entity that the module provides with `repositoriesOf`. */
export declare function InjectRepository(entity: EntityDeclaration): ParameterDecorator;

/** Makes a parser that throws InvalidArgumentError unless the text is an integer in a range. */
export declare function integerParser(range: Bounds): (text: string) => number;

/** An integer within bounds. */
declare interface IntegerSetting extends Declared {
    readonly kind: 'integer';
    readonly min: number;
    readonly max: number;
    readonly default: number;
}

/** Accepts a day of the calendar, such as `2025-06-01`. */
export declare function IsCalendarDay(): PropertyDecorator;

/** Accepts a URL with http or https. */
export declare function IsHttpUrl(maxLength: number): PropertyDecorator;

/**
 * Accepts digits only: no sign, exponent, fraction or white space. The range includes both ends.
 */
export declare function IsInteger({ min, max }: Bounds): PropertyDecorator;

/** Accepts some of a few words, with commas between them; case-sensitive. */
export declare function IsListOf(words: readonly string[]): PropertyDecorator;

export { IsNull }

/** Accepts one of a few words, case-sensitive. */
export declare function IsOneOf(words: readonly string[]): PropertyDecorator;

/**
 * Accepts a date that is not before another date of the same request. If the other date is invalid,
 * only that date is reported.
 */
export declare function IsOnOrAfter(other: string): PropertyDecorator;

export { IsOptional }

export { IsString }

/** Accepts a string of any length. The body of a request is limited as a whole. */
export declare function IsText(): PropertyDecorator;

/** Returns the number of items before the page. */
export declare function itemsBefore(page: PageRequest): number;

/**
 * Repeats a run until the service stops. A run that fails is logged and repeated like any other.
 */
export declare abstract class JobLoop implements BeforeApplicationShutdown {
    private readonly failure;
    private readonly everyMs;
    private readonly firstAfterMs;
    protected readonly logger: Logger;
    protected readonly stopping: AbortController;
    private next;
    private running;
    private isFailing;
    /**
     * @param failure message of the log if a run fails
     * @param everyMs milliseconds from the end of a run to the start of the next
     * @param firstAfterMs milliseconds from the start of the service to the first run
     */
    constructor(failure: string, everyMs: number, firstAfterMs?: number);
    /** @param signal aborts when the service stops; the run should then end soon */
    protected abstract run(signal: AbortSignal): Promise<unknown>;
    start(): void;
    beforeApplicationShutdown(): Promise<void>;
    /** Waits for work. An outage of the database is logged once, not after each attempt. */
    protected reporting(work: Promise<unknown>): Promise<void>;
    private schedule;
}

/** Options of a command that can print JSON. */
export declare interface JsonOption {
    readonly json: boolean;
}

/** Value of a field that keeps invalid input, so that the user can correct it. */
declare interface KeptValue {
    /** Value of a new form. After a problem of any field the form keeps all that was sent. */
    readonly initial?: string | number | undefined;
    /** Stored value. Only after a problem of this field the form keeps what was sent. */
    readonly stored?: string | number | undefined;
}

/** Makes a column part of the primary key. */
export declare function key<Value>(column: Column_2<Value>): Column_2<Value>;

declare interface LabelledProperties {
    readonly label: string;
    readonly name: string;
    readonly hint?: ComponentChildren;
}

/** A change of a ledger, with the record as it is now. */
export declare interface LedgerChange {
    /** Number from 1 that rises with each change of the vendor's ledger. */
    readonly sequence: number;
    readonly kind: string;
    /** Time of the change in UTC, as the API shows it: `2025-06-01T18:03:11+00:00`. */
    readonly changed_at: string;
    /**
     * Reasons why a transaction or a recurring payment changed since the listener last had everything;
     * absent for other kinds. A reason may come twice. See docs/changes.md#reasons.
     */
    readonly reasons?: readonly string[];
    /** The record as the API shows it; of the kind `removed`, its `removed_kind` and `key`. */
    readonly record: Readonly<Record<string, unknown>>;
}

/** Reads sales of the ledger for extensions. A constructor injects it. */
export declare class LedgerSales {
    private readonly database;
    private readonly locks;
    /**
     * Returns a sale of this vendor.
     * @param reader - a session, to read in its transaction; by default committed data is read
     * @throws ApiError not_found if the vendor has no such sale
     */
    ownSale(vendor_id: number, transaction_id: string, reader?: EntityReader): Promise<Sale>;
    /**
     * Returns the sales of this vendor with these ids, sorted by sale date. Other ids are skipped.
     * @param transaction_ids - at most 1,000
     * @param reader - a session, to read in its transaction; by default committed data is read
     */
    salesOf(vendor_id: number, transaction_ids: readonly string[], reader?: EntityReader): Promise<Sale[]>;
    /**
     * Returns a sale of this vendor, and locks the vendor's ledger until the session ends. Until then
     * the sale stays unchanged, and no customer of the vendor is erased.
     * @throws ApiError not_found if the vendor has no such sale
     */
    lockOwnSale(session: Session, vendor_id: number, transaction_id: string): Promise<Sale>;
}

export { LessThan }

export { LessThanOrEqual }

export { Like }

/** Shows a link in a paragraph of its own. */
export declare function LinkLine({ href, class: className, children }: LinkLineProperties): JSX.Element;

declare interface LinkLineProperties {
    readonly href: string;
    readonly class?: string;
    readonly children: ComponentChildren;
}

/** Declares account pages, whose code a start loads. */
export declare interface LoadedPage extends PageDeclaration {
    /** Loads the class of the pages, which may inject exported services of the module. */
    readonly load: () => Promise<Type<Pages>>;
}

export { Logger }

/** Returns a column of texts of up to 16,000 characters, which no index contains. */
export declare function longText(): Column_2<string>;

export { MaxLength }

declare type Migration = new () => MigrationInterface;

export { MigrationInterface }

export { MinLength }

/** Shows cents as `12,345.67`. */
export declare function Money({ cents }: {
    readonly cents: number | bigint;
}): JSX.Element;

/**
 * Returns a column of money in cents, or in millionths for a shipping fee; see
 * src/platform/values/money.ts.
 */
export declare function money(): Column_2<number>;

export { MoreThan }

export { MoreThanOrEqual }

/** An error that is named after its class. */
declare class NamedError extends Error {
    readonly name: string;
}

/** Identifies a record of a vendor's ledger. */
export declare interface NamedRecord {
    readonly vendor_id: number;
    readonly kind: string;
    /** Key among the records of its kind and vendor, 1 to 255 characters. */
    readonly record_key: string;
}

/** Groups of pages in the header, in their order. */
declare const NAVIGATION_GROUPS: readonly ["reports", "customers", "affiliates", "developers", "settings"];

declare type NavigationGroup = (typeof NAVIGATION_GROUPS)[number];

export { Not }

/** Returns a column of numbers, or of other short values that are compared with each other. */
export declare function numbers<Row>(name: string, cell: TableColumn<Row>['cell']): TableColumn<Row>;

/** Groups the digits of a number, which may have decimal places. */
export declare function numberText(count: number | bigint | string): string;

/** Lets a column be null. */
export declare function optional<Value>(column: Column_2<Value>): Column_2<Value | null>;

/**
 * States how a transaction ended that was not rolled back: `unknown` if its commit got no response.
 */
declare type Outcome = 'committed' | 'unknown';

declare type Outcome_2 = keyof typeof CATALOGUE;

declare interface Page {
    readonly kind: 'page';
    readonly title: string;
    readonly view: VNode;
    /** Problems of the form, which its fields show. */
    readonly problems?: readonly FormProblem[];
    /**
     * Sets the status of the response and the code in the log. Without it, the status is 200, or that
     * of `invalid_parameters` if there are problems.
     */
    readonly failure?: Failure | undefined;
}

/** Limits and default of the parameter `page_index`. */
export declare const PAGE_INDEX: {
    readonly min: 0;
    readonly max: 2147483647;
    readonly default: 0;
};

/** Limits and default of the parameter `page_size`. */
export declare const PAGE_SIZE: {
    readonly min: 1;
    readonly max: 200;
    readonly default: 50;
};

/** The answer of a page, with the personal data that it shows. */
export declare type PageAnswer = (Page | Redirect | Download) & {
    /** Customers' records that the answer shows, if the route does not name the one record. */
    readonly reads?: readonly ShownRecords[];
};

/** Describes pages before their code is loaded. */
declare interface PageDeclaration extends PagePlace {
    /** Address of the first page, such as `/account/webhooks`. */
    readonly path: string;
    /** Null for pages that also open for those who are not signed in. */
    readonly permission: PagePermission | null;
}

/** A paged list adds this to `meta`: its total count and its page. */
declare interface PagedMeta {
    readonly total_count: number;
    readonly pagination: PageRequest & {
        readonly has_more: boolean;
    };
}

/** Returns the fields that a paged list adds to `meta`. */
export declare function pagedMeta(page: PageRequest, total_count: number): PagedMeta;

/**
 * Returns the page number in the address, starting at 1; a number that cannot be parsed means the
 * first page.
 */
export declare function pageIn(visit: Visit): number;

/** Links to the preceding and the next page; shows nothing if there is only one page. */
export declare function PageLinks({ page, pages, to }: Properties): JSX.Element | null;

/** Returns a page with its heading above the view. */
export declare function pageOf(parts: PageParts, view: ComponentChildren): Page;

declare interface PageParts extends Omit<Page, 'kind' | 'view'> {
    /** Path and text of a link above the heading. */
    readonly back?: readonly [path: string, words: ComponentChildren];
    /** Heading, if it is not the title. */
    readonly heading?: ComponentChildren;
    /** Controls beside the heading, such as those of the period. */
    readonly tools?: ComponentChildren;
    /** Message about the last action. */
    readonly done?: ComponentChildren;
    /**
     * `card` is a card around what is below the heading. `narrow card` is a card around the whole
     * page in the middle of the screen, such as for visitors who are not signed in.
     */
    readonly frame?: 'card' | 'narrow card';
}

/** Requirement of a page: `account` opens for every user, with the data of their own account. */
declare type PagePermission = 'account';

/** The place of pages in the header. */
declare interface PagePlace {
    /**
     * Group of the header that is highlighted while one of the pages is open, and that has their
     * entry. Without it, the group is `settings`.
     */
    readonly group?: NavigationGroup;
    /**
     * Path of the entry that is marked while the page is open. By default it is the entry of the page
     * itself, or of a page above it.
     */
    readonly entry?: string;
    /** Entry in the group. Entries are in the order of their numbers. */
    readonly navigation?: {
        readonly label: string;
        readonly order: number;
    };
    /**
     * Users to whom the entry is shown; all users by default. The page itself opens for everybody.
     */
    readonly audience?: Audience;
    /**
     * Parameters of the address, such as a range, that the entry takes over from the open page. Pages
     * with the same parameters share their values.
     */
    readonly keeps?: readonly string[];
}

/** A page of a list. */
export declare interface PageRequest {
    readonly page_size: number;
    /** Index of the page, counted from 0. */
    readonly page_index: number;
}

/**
 * Adds pages to their router. A page requires a signed-in user unless it is added by `addPublic`,
 * for which its permission must be null. The CSRF token of each form is checked before its handler
 * runs.
 */
export declare class PageRoutes {
    private readonly router;
    private readonly services;
    private readonly permission;
    private readonly methods;
    private readonly extension;
    /**
     * Adds a page.
     * @param path - path below `/account`, such as `/notes/:transaction_id`
     * @param shown - required for a page of the service that shows personal data, and for a download of
     *   it; a page of an extension is recorded by itself if it reads declared columns
     */
    get(path: string, handler: Handler<SignedInVisit>, shown?: ShownOnPage): void;
    /**
     * Adds the target of a form. Its CSRF token is checked before the handler runs.
     * @param path - path below `/account`
     * @param shown - required for an answer that shows personal data
     */
    post(path: string, handler: Handler<SignedInVisit>, shown?: ShownOnPage): void;
    /** Adds a page that requires a signed-in user, who gets back a form of an ended session. */
    private addSignedIn;
    private add;
    /** Records the personal data that the answers of a handler show. */
    private recorded;
    /** Records a page of an extension whose statements read personal data of customers. */
    private scoped;
    private answeredBy;
}

/** Adds the pages of one part of the account, with paths below /account. */
export declare interface Pages {
    /** Adds the pages when the service starts. */
    addTo(routes: PageRoutes): void;
}

/** Shows a part of a page with a title. */
export declare function Panel({ id, title, isCard, action, children }: PanelProperties): JSX.Element;

declare interface PanelProperties {
    readonly id: string;
    readonly title: ComponentChildren;
    readonly isCard?: boolean;
    /** Link at the end of the line of the title. */
    readonly action?: ComponentChildren;
    readonly children: ComponentChildren;
}

export { Param }

/**
 * Parses a day such as `2025-06-01`, for an option of a command.
 * @throws InvalidArgumentError unless the text is a day
 */
export declare function parseDay(text: string): string;

/**
 * Parses decimal text, for example `-18.8` with 2 places as -1880.
 * @returns null if the text is no decimal, has more places, or more than 13 digits before the point
 */
export declare function parseDecimal(text: string, places: number): number | null;

/**
 * Parses a whole number of 0 or more, for an option of a command.
 * @throws InvalidArgumentError unless the text is plain digits
 */
export declare function parseInteger(text: string): number;

export { Patch }

/** The path of an existing folder, or of a file, which need not exist yet. */
declare interface PathSetting extends Declared {
    readonly kind: 'folder' | 'file';
    readonly example: string;
}

/**
 * These operations show personal data. The values are their names on the account pages. The keys of
 * API operations are their operation ids.
 */
declare const PERSONAL_OPERATIONS: {
    readonly getTransaction: "API 3.0, transaction";
    readonly listTransactions: "API 3.0, list";
    readonly getTransactionDetail: "API 2.1, details";
    readonly getTransactionSummary: "API 2.0, summary";
    readonly listLatestTransactions: "API 2.0, latest transactions";
    readonly listLatestAffiliateTransactions: "API 2.0, latest transactions of an affiliate";
    readonly getRecurringPayment: "API 2.0, recurring payment";
    readonly listChanges: "API, changes";
    readonly queryTransactions: "API, query of transactions";
    readonly queryRecurringPayments: "API, query of recurring payments";
    readonly queryCustomers: "API, query of customers";
    readonly exportNdjson: "API, export as NDJSON";
    readonly exportCsv: "API, export as CSV";
    readonly exportParquet: "API, export as Parquet";
    readonly 'page.transaction': "Page, transaction";
    readonly 'page.transactions': "Page, list of transactions";
    readonly 'page.search': "Page, search";
    readonly 'page.customer': "Page, customer";
    readonly 'page.subscription': "Page, subscription";
    readonly 'page.subscriptions': "Page, list of subscriptions";
    readonly 'page.delivery': "Page, webhook delivery";
    readonly 'page.csv': "Page, download as CSV";
    readonly 'page.ndjson': "Page, download as NDJSON";
    readonly 'page.parquet': "Page, download as Parquet";
    readonly 'page.person': "Page, everything of a person";
    readonly 'command.export': "Command, export";
    readonly 'command.people': "Command, everything of a person";
};

/** Has texts that may quote a customer, such as answers of other services. */
export declare interface PersonalDataHolder {
    /** Removes these texts of a vendor, in the transaction that erases data of customers. */
    forgetPersonalData(session: Session, vendor_id: number): Promise<void>;
}

declare type PersonalOperation = keyof typeof PERSONAL_OPERATIONS | ExtensionOperation;

/**
 * Declares the columns of a table that hold personal data of customers. The table has a column
 * `vendor_id`. See docs/extensions.md.
 */
export declare interface PersonalTable {
    readonly entity: EntitySchema;
    /** Customer of a row: that of a transaction, that of a subscription, or the one with an e-mail. */
    readonly by: 'transaction' | 'subscription' | 'email';
    /** Column with the transaction_id, the key of the subscription, or the e-mail. */
    readonly key: string;
    /**
     * Column with the date-time of the row, in UTC. Erasures and retention apply by it. Only a table
     * by e-mail has it; other rows have the date of their transaction or subscription.
     */
    readonly date?: string;
    /** If it is set, the service adds a change for each row that it empties. */
    readonly change?: RowChange;
    /** Each column with the value that replaces its personal data. */
    readonly columns: Readonly<Record<string, '' | null>>;
}

export { Post }

export { PrimaryColumn }

export { PrimaryGeneratedColumn }

/** The caller is the user that a key belongs to, as a vendor and as an affiliate. */
export declare interface Principal {
    /** Id of the user. A source has its vendor's id or ALL_VENDORS. */
    readonly user_id: number;
    /** Application whose key was sent. */
    readonly application_id: number;
    /** Decides what the key may do. */
    readonly access: Access;
}

/** Prints a value as one line of JSON, or as readable lines. */
declare function print_2<Value extends object>(value: Value, json: boolean, linesOf: (value: Value) => string | readonly string[]): void;
export { print_2 as print }

/** Prints a line to standard error, escaped as `printLine` does. */
export declare function printError(line: string): void;

/** Prints a value as one line of JSON to standard output. */
export declare function printJson(value: object): void;

/**
 * Prints a line to standard output. The line is escaped, because stored text could control the
 * terminal.
 */
export declare function printLine(line: string): void;

/** Prints a list, in text with a sentence if it is empty. */
export declare function printList<Value extends object>(values: readonly Value[], json: boolean, linesOf: (value: Value) => string | readonly string[], empty: string): void;

/** Calls functions that read fields, and returns the problems that they throw. */
export declare function problemsOf(readers: readonly (() => unknown)[]): FormProblem[];

declare interface Properties {
    /** Page number, starting at 1. */
    readonly page: number;
    readonly pages: number;
    readonly to: (page: number) => string;
}

declare interface Properties_2<Row> {
    readonly id?: string;
    readonly label: string;
    /** Keeps its shape on a narrow screen, where it scrolls. Its cells have shades. */
    readonly isShaded?: boolean;
    /** Centres the cells of a row, of which one has a button. */
    readonly isCentred?: boolean;
    /** Columns of the table; the first one is the row header. */
    readonly columns: readonly TableColumn<Row>[];
    readonly rows: readonly Row[];
    /** Text in place of a table without rows. */
    readonly empty?: ComponentChildren;
    /** Row below the others. */
    readonly total?: Row;
    /** Form that sorts the rows on a narrow screen, where the table has no head. */
    readonly sorting?: ComponentChildren;
}

export { Put }

export { Query }

/** A query adds this to `meta`. */
declare interface QueryMeta extends SearchMeta {
    /**
     * Figure of all transactions of the query if it was asked for, or null if it would cost too much.
     */
    readonly figure_total?: string | null;
    /** State of the ledger that the page shows, as a cursor of the feed of changes. */
    readonly cursor: string;
}

export { QueryRunner }

/** Reads with statements that were written by hand. */
export declare interface Reader {
    /**
     * Runs a SELECT as a prepared statement.
     * @typeParam Row names and types of the selected columns, which are not checked
     */
    select<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]>;
}

/** Redirects to GET, so that reloading the page does not send the form again. */
declare interface Redirect {
    readonly kind: 'redirect';
    /** Path of this service, without the base path. */
    readonly to: string;
}

/** Returns an answer that leads the browser to another page of this service. */
export declare function redirectTo(to: string): Redirect;

export { Repository }

export { Req }

export { Res }

/** Says how the rows of a table are shown in the feed of changes. */
declare interface RowChange {
    readonly kind: string;
    /** Column of the primary key with the keys of the records. */
    readonly key: string;
}

/** Describes a row of a table with these columns. */
declare type RowOf<Columns> = {
    readonly [Name in keyof Columns]: Columns[Name] extends Column_2<infer Value> ? Value : never;
};

/** Describes a sale, without personal data. Money is in cents, date-times are in UTC. */
export declare interface Sale {
    readonly vendor_id: number;
    /** At most 64 characters; upper and lower case differ. */
    readonly transaction_id: string;
    readonly product_id: number;
    readonly product_name: string;
    /** Date-time such as `2025-06-01 18:03:11`. */
    readonly sale_date: string;
    readonly status: 'pending' | 'completed' | 'refunded' | 'charged_back';
    /** Price that the customer paid. */
    readonly amount: number;
    /** Share of the vendor. */
    readonly seller_earnings: number;
    /** Null for a sale without an affiliate. */
    readonly affiliate_id: number | null;
    /** Key of the subscription that the sale belongs to, or null. */
    readonly pre_key: string | null;
}

/** A list that is searched page by page adds this to `meta`. */
declare interface SearchMeta {
    /** Number of items on all pages, or null if it would cost too much to count them. */
    readonly total_count: number | null;
    /** Day up to which an incomplete page was searched, or null for a complete page. */
    readonly searched_to: string | null;
    /** Start of the next page, or null for the last one. */
    readonly next_cursor: string | null;
}

/** A secret text. No message repeats it. */
declare interface SecretSetting extends Declared {
    readonly kind: 'secret';
    /** Name of a setting without which this one has no use, and which has none without this one. */
    readonly with: string;
    /** Minimum number of characters. */
    readonly min: number;
}

/** Offers a few values in a drop-down list. */
export declare function Select({ label, name, options, chosen, children, }: LabelledProperties & {
    /** Names of the values. */
    readonly options: Texts;
    /** Selected value; nothing is selected if it is not one of the options. */
    readonly chosen?: string | null;
    /** Further options, shown after the others. */
    readonly children?: ComponentChildren;
}): JSX.Element;

declare interface SentFile {
    /** Name of the file, such as `transactions-2025-06-01-to-2025-06-30.csv`. */
    readonly name: string;
    readonly type: string;
    /** False if compression would save nothing. */
    readonly isCompressible: boolean;
    readonly chunks: AsyncIterable<string | Uint8Array>;
    /** Cuts the file off when it aborts. */
    readonly expired?: AbortSignal;
    /** Number of its records; absent if it is not known yet. */
    readonly count?: number;
}

/** Describes a command that works with the services. */
export declare class ServiceCommand extends Command {
    private hasExtensions;
    /** Sets what the command does with the services, its arguments and its options. */
    run<Given extends unknown[]>(work: (services: INestApplicationContext, ...given: Given) => Promise<unknown>): this;
}

/** Runs the statements of one transaction. */
export declare interface Session extends EntityReader {
    /** SQL that differs between databases. */
    readonly dialect: Dialect;
    /**
     * Runs a statement that writes.
     * @returns the number of affected rows, as the driver counts them
     */
    run(sql: string, values: readonly SqlValue[]): Promise<number>;
    /**
     * Calls `effect` once after the transaction was committed, or may have been; never after a
     * rollback. `effect` must not throw.
     */
    onEnd(effect: (outcome: Outcome) => void): void;
}

/** A setting that a feature declares as plain data. */
export declare type SettingDeclaration = IntegerSetting | FlagSetting | TextSetting;

/** The checked settings of all features, which read their own with `valueOf`. */
export declare abstract class Settings {
    /** Values by the name of their environment variable. */
    abstract readonly declared: DeclaredValues;
}

declare type SettingValue = number | boolean | string | null;

/** Names the parameters that say which records an operation shows. */
declare interface ShownBy {
    /** Path parameter with the key of the one record. Absent for a list. */
    readonly record?: string;
    /** True for a list from `start_date` to `end_date`. */
    readonly days?: true;
}

declare type ShownFigures = Readonly<Record<string, string | number>>;

/** Declares that a page shows personal data of the user's customers. */
declare interface ShownOnPage {
    readonly operation: PersonalOperation;
    /** Returns the key of the one record that the page shows, unless the answer names others. */
    readonly record?: (visit: SignedInVisit) => string;
}

declare type ShownRange = Readonly<Record<'start_date' | 'end_date', string>>;

/**
 * Describes records that an answer shows. Without `vendor_id`, their customers are those of the
 * reader.
 */
declare interface ShownRecords {
    readonly vendor_id?: number;
    /** The transaction_id or the key of the subscription. Null for a list. */
    readonly record_key?: string | null;
    /** First and last requested day of a list. Null for no bound. */
    readonly first_day?: string | null;
    readonly last_day?: string | null;
    /** Number of records shown, or null if it was not counted. */
    readonly records?: number | null;
}

/**
 * Marks an operation of the API that shows personal data. PersonalReadsInterceptor records each of
 * its answers as a read, with the number of results.
 */
export declare function ShowsPersonalData(operation: PersonalOperation, by?: ShownBy): MethodDecorator;

/** The user whose session a browser has. */
declare interface SignedInUser {
    readonly id: number;
    readonly name: string;
    readonly email: string;
}

/** A page request of a signed-in user. */
export declare interface SignedInVisit extends Visit {
    readonly user: SignedInUser;
}

/** Selects the records of a vendor to measure, or whose products to read. */
declare type SizeCriteria = Omit<ContentCriteria, 'isMasked'>;

declare type SqlDialect = Dialect['name'];

/**
 * Statements accept these values as parameters. Results contain no bigint, since all integers are
 * below 2^53.
 */
declare type SqlValue = string | number | bigint | Uint8Array | null;

/** Checks something outside of the database, such as a file, when the service starts. */
export declare interface StartCheck {
    /** @throws StartError or DomainError, whose message is for the operator */
    check(): Promise<unknown>;
}

/** An error that prevents the start. The message tells the operator in one line how to fix it. */
export declare class StartError extends NamedError {
}

/** An answer from one state of a ledger adds its cursor to `meta`. */
declare interface StateMeta {
    readonly cursor: string;
    readonly [name: string]: unknown;
}

/**
 * A response with a result for each record adds this to `meta`: the number of records with each
 * result.
 */
declare interface SummaryMeta {
    readonly summary: Readonly<Record<string, number>>;
}

/**
 * Shows a table whose rows the style sheet turns into two lines each on a narrow screen. This
 * changes `display`, which would remove the table semantics, so each part has an explicit role.
 */
export declare function Table<Row>(table: Properties_2<Row>): JSX.Element;

declare interface Table_2<Columns> {
    readonly name: string;
    readonly tableName: string;
    readonly columns: Columns;
    readonly indices?: EntitySchemaIndexOptions[];
}

declare interface Table_3 {
    readonly name: string;
    /** SQL types by column name. `GENERATED` is an id generated by the database. */
    readonly columns: Readonly<Record<string, ColumnType>>;
    /** Empty if a column is `GENERATED`, which is then the key. */
    readonly primaryKey: readonly string[];
    readonly indexes?: Indexes;
    readonly unique?: Indexes;
    /**
     * Names of indexes of SQLite that only contain the rows with a value in a column, and that
     * column. MySQL and MariaDB have no such indexes: theirs contain all rows.
     */
    readonly sparse?: Readonly<Record<string, string>>;
}

/** A column of a table. */
export declare interface TableColumn<Row> {
    readonly name: string;
    /** Word beside each value on a narrow screen; the name by default. */
    readonly shortName?: string;
    /** Returns that word where it depends on the value, such as `sale` beside 1. */
    readonly wordOf?: (row: Row) => string;
    /** Content of the header cell; the name by default. */
    readonly head?: ComponentChildren;
    /** Explains the column, behind a `?` in its head. */
    readonly help?: ComponentChildren;
    /** Order of the rows by this column. */
    readonly order?: 'ascending' | 'descending' | undefined;
    /** Aligns the cells to the right and never wraps them. */
    readonly isNumber?: boolean;
    /** Writes the word before the value on a narrow screen, where `next 1 Oct` has a sense. */
    readonly isTime?: boolean;
    /** Shows the column on paper only, or not on a phone. */
    readonly only?: 'paper' | 'wide';
    /** The first column with this is the main one, unless the table says which one is. */
    readonly isMain?: boolean;
    /**
     * Place on a narrow screen, where a row has two lines. `main` is at the end of the first line,
     * `fact` and `bare` are in the second one with their word or without it, `lines` is below it, and
     * `none` is left out, because the page of the row has it. By default, the first columns fill the
     * second line. `title` begins the first line; the first column then begins the second line, and
     * its link covers the whole row.
     */
    readonly narrow?: 'main' | 'title' | 'fact' | 'bare' | 'lines' | 'none';
    /** Returns true for a value such as zero, which a narrow screen leaves out. */
    readonly isZero?: (row: Row) => boolean;
    readonly cell: (row: Row) => ComponentChildren;
}

/** Returns a column of texts of up to `length` characters, which are compared byte for byte. */
export declare function text(length?: number): Column_2<string>;

/** A text field, as data. */
declare type TextField = InputHTMLAttributes & LabelledProperties & KeptValue & {
    /** Unit of the value after the field, such as `%`. */
    readonly unit?: string;
    /** Unit before the field, such as `$`. */
    readonly unitBefore?: string;
};

/** Texts by their values; a map keeps the order of values that are numbers. */
declare type Texts = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

declare type TextSetting = PathSetting | UrlSetting | SecretSetting;

/** Returns a column of date-times in UTC. */
export declare function times<Row>(name: string, timeOf: (row: Row) => string | null, isExact?: boolean): TableColumn<Row>;

/**
 * Returns the URL of a transaction's page; the ids `.` and `..` are in the query.
 * @param back address of the list to which the page leads back
 */
export declare function transactionPath(transaction_id: string, back?: string): string;

export { Transform }

/** A URL with https, or with http on this machine, that contains no credentials. */
declare interface UrlSetting extends Declared {
    readonly kind: 'url';
    /** Name of a setting without which this one has no use, and which has none without this one. */
    readonly with: string;
    readonly example: string;
}

export { ValidateIf }

/** Returns the number of a setting that a feature declares. */
export declare function valueOf(settings: Settings, setting: IntegerSetting): number;

/** Returns true if a setting that a feature declares is `on`. */
export declare function valueOf(settings: Settings, setting: FlagSetting): boolean;

/** Returns the text of a setting that a feature declares; null if it is unset. */
export declare function valueOf(settings: Settings, setting: TextSetting): string | null;

/** Describes a value with the part of JSON Schema that the validators need. */
declare interface ValueSchema {
    readonly type?: 'string' | 'integer' | 'array';
    readonly items?: ValueSchema;
    readonly enum?: readonly string[];
    readonly format?: string;
    readonly pattern?: string;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly minLength?: number;
    readonly maxLength?: number;
}

/** A page request with its user and CSRF token. */
declare class Visit {
    private readonly makeToken;
    /** Null if nobody is signed in. */
    readonly user: SignedInUser | null;
    private readonly tokens;
    /** Returns a field of the form; empty if it is missing or repeated. */
    field(name: string): string;
    /** Fields of the form by name; a repeated field is empty. */
    get fields(): ReadonlyMap<string, string>;
    /** Returns a query parameter; empty if it is missing or repeated. */
    query(name: string): string;
    /** Returns a path parameter; empty if it is missing. */
    textInPath(name: string): string;
    /** Returns the id in the path, or NO_ID if it is not a number. */
    get id(): number;
}

/** Returns a column of integers below 2^53. */
export declare function wholeNumber(): Column_2<number>;

/** Uses what it is given until its promise settles. */
declare type Work<Given, Result> = (given: Given) => Promise<Result>;

export { }
