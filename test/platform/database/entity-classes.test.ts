/** Classes with the decorators of TypeORM are entities like those of `entityOf`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  Column,
  Entity,
  Index,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Repository,
  VersionColumn,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';
import { Database } from '../../../src/platform/database/database.js';
import { schemaOf } from '../../../src/platform/database/entities/entity-class.js';
import { InjectRepository } from '../../../src/platform/database/entities/inject-repository.js';
import { Feature } from '../../../src/feature.js';
import { createTables } from '../../../src/platform/database/migrations/create-table.js';
import { extensionOf } from '../../support/servers/extension.js';
import { TestService } from '../../support/servers/service.js';

/** This time does not exist in New York, the time zone of the tests. */
const SAVED = '2025-03-09 02:30:00';

abstract class OfVendor {
  @PrimaryColumn('bigint')
  vendor_id!: number;
}

@Entity('tests_notes')
@Index(['vendor_id', 'saved'], { unique: true })
class TestNote extends OfVendor {
  @PrimaryColumn({ type: 'varchar', length: 64 })
  transaction_id!: string;

  @Column({ type: 'text', nullable: true })
  text!: string | null;

  @Column('datetime')
  saved!: string;
}

class TestsNotes1795000000000 implements MigrationInterface {
  readonly name = 'TestsNotes1795000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [
      {
        name: 'tests_notes',
        columns: {
          vendor_id: 'BIGINT NOT NULL',
          transaction_id: 'VARCHAR(64) NOT NULL',
          text: 'TEXT',
          saved: 'DATETIME NOT NULL',
        },
        primaryKey: ['vendor_id', 'transaction_id'],
      },
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tests_notes');
  }
}

@Injectable()
class TestNotes {
  constructor(
    readonly database: Database,
    @InjectRepository(TestNote) readonly notes: Repository<TestNote>,
  ) {}
}

@Feature({
  providers: [TestNotes],
  entities: [TestNote],
  migrations: [TestsNotes1795000000000],
  personalTables: [
    { entity: TestNote, by: 'transaction', key: 'transaction_id', columns: { text: null } },
  ],
})
class TestModule {}

describe('A class with @Entity', () => {
  let service: TestService;
  let injected: TestNotes;
  beforeAll(async () => {
    service = await TestService.start({}, [extensionOf(TestModule)]);
    injected = service.app.get(TestNotes, { strict: false });
  });
  afterAll(() => service.stop());

  it('is read as it was written: date-times are text, and rows are instances', async () => {
    const { database, notes } = injected;
    const note = { vendor_id: 2 ** 53 - 1, transaction_id: 'A', text: null, saved: SAVED };
    await database.write(async (session) => {
      const written = session.manager.withRepository(notes);
      await written.insert({ ...note, text: 'at first' });
      await written.upsert(note, ['vendor_id', 'transaction_id']);
    });
    const found = await notes.findOneBy({ transaction_id: 'A' });
    expect(found).toBeInstanceOf(TestNote);
    expect(found).toEqual(note);
    expect(await database.select('SELECT saved FROM tests_notes', [])).toEqual([{ saved: SAVED }]);
  });
});

describe('schemaOf', () => {
  it('returns one schema for a class, with its columns and those of its parents', () => {
    const { options } = schemaOf(TestNote);
    expect(schemaOf(TestNote).options).toBe(options);
    expect(options).toMatchObject({
      name: 'TestNote',
      tableName: 'tests_notes',
      columns: {
        vendor_id: { type: 'bigint', primary: true },
        transaction_id: { type: 'varchar', length: 64, primary: true },
        text: { type: 'text', nullable: true, primary: false },
      },
      indices: [{ columns: ['vendor_id', 'saved'], unique: true }],
    });
  });

  it('knows an id that the database numbers', () => {
    @Entity('tests_numbered')
    class Numbered {
      @PrimaryGeneratedColumn()
      id!: number;
    }
    expect(schemaOf(Numbered).options.columns).toMatchObject({
      id: { generated: 'increment', primary: true },
    });
  });

  class Plain {
    id = 1;
  }
  @Entity()
  class Unnamed {}
  @Entity('tests_dated')
  class Dated {
    @Column()
    saved!: Date;
  }
  @Entity('tests_renamed')
  class Renamed {
    @Column({ type: 'varchar', name: 'other' })
    text!: string;
  }
  @Entity('tests_versioned')
  class Versioned {
    @VersionColumn()
    version!: number;
  }
  @Entity('tests_related')
  class Related {
    @ManyToOne(() => TestNote)
    note!: TestNote;
  }
  @Entity('tests_random')
  class Random {
    @PrimaryGeneratedColumn('uuid')
    id!: string;
  }

  it.each([
    [Plain, 'must name its table: @Entity("notes")'],
    [Unnamed, 'must name its table: @Entity("notes")'],
    [Dated, 'must have saved as text, with the type "datetime"'],
    [Renamed, 'cannot have the option name at text'],
    [Versioned, 'can only have plain columns, but version is none'],
    [Related, 'can only have plain columns, but note is none'],
    [Random, 'cannot have id generated as uuid'],
  ])('rejects %p', (type, problem) => {
    expect(() => schemaOf(type)).toThrow(`The entity ${type.name} ${problem}.`);
  });
});
