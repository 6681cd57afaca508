import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Dialect } from '../../database/dialect.js';
import {
  differencesOf,
  type Check,
  type CheckRow,
  type Difference,
} from '../../database/kept-sum.js';
import { RECURRING_SUMS, RECURRING_VENDORS } from '../recurring/sums/recurring-sums.js';
import { RetentionRunService } from '../retention/runs/retention-run.service.js';
import { RenderingService } from '../transactions/rendered/rendering.service.js';
import { KEPT_SUMS } from '../transactions/sums/kept-sums.repository.js';
import { TrackingSumsRepository } from '../transactions/sums/tracking/tracking-sums.repository.js';
import { LEDGER_CHECKS, lateRefunds, sequenceChecks } from './ledger-checks.js';

/** Returns all checks, in the order in which `verify` prints their differences. */
function checksOf(dialect: Dialect): Check[] {
  return [
    ...[...KEPT_SUMS, RECURRING_SUMS].flatMap((kept) => kept.checks(dialect)),
    ...LEDGER_CHECKS,
    lateRefunds(dialect),
    ...sequenceChecks(dialect),
    RECURRING_VENDORS,
  ];
}

/** Recomputes everything that is derived from the ledger, for all vendors. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly database: Database,
    private readonly tracking: TrackingSumsRepository,
    private readonly rendering: RenderingService,
    private readonly retention: RetentionRunService,
  ) {}

  /**
   * Returns all differences; normally there are none. Each check is one statement, so it reads one
   * snapshot even during an import. The database compares whole tables and returns only the rows
   * that differ.
   */
  async differences(): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const check of checksOf(this.database.dialect)) {
      const rows = await this.database.select<CheckRow>(check.sql, []);
      found.push(...rows.flatMap((row) => differencesOf(check, row)));
    }
    found.push(...(await this.tracking.differences()));
    found.push(...(await this.rendering.differences()));
    found.push(...(await this.retention.differences()));
    return found;
  }
}
