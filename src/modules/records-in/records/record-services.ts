import { Injectable } from '@nestjs/common';
import { valueOf } from '../../../config/declared-settings.js';
import { Settings } from '../../../config/settings.js';
import { isErasedAddress, type PersonalRecords } from '../../../ledger/records/personal-data.js';
import { TransactionWritesService } from '../../../ledger/writes/transaction-writes.service.js';
import {
  AccountsRepository,
  ProvisionalUsersService,
  SeenUsersRepository,
} from '../../accounts/index.js';
import { AffiliatesService } from '../../affiliates/index.js';
import { ErasedPeopleService, RetentionRulesService } from '../../privacy/index.js';
import { ProductsService } from '../../products/index.js';
import { RecurringService } from '../../recurring/index.js';
import type { BatchRun } from '../batches/batch-run.js';
import type { Kept } from '../batches/typed-batch.js';
import { RECORDS_IN } from '../records-in.feature.js';

interface OfProduct {
  readonly product_id: number;
}

/**
 * Decides which personal data of arriving records is kept. This happens before they are compared
 * with the stored records, so a record that is sent again is unchanged even if it names an erased
 * person.
 */
@Injectable()
export class ArrivingPersonalData {
  constructor(
    private readonly people: ErasedPeopleService,
    private readonly retention: RetentionRulesService,
  ) {}

  /**
   * Returns a function that removes the personal data that may not be kept from a record. Reads
   * erased people and retention days under the locks of the vendors.
   */
  async keptOf<Content extends OfProduct>(
    run: BatchRun,
    records: PersonalRecords<Content>,
    contents: readonly Content[],
  ): Promise<Kept<Content>> {
    const datedOf = (content: Content) => {
      const vendor_id = vendorIdOf(content, run);
      const [emails, date] = [records.emailsOf(content), records.dateOf(content)];
      return vendor_id === undefined ? null : { vendor_id, emails, date };
    };
    const dated = contents.map(datedOf).filter((record) => record !== null);
    const vendors = new Set(dated.map(({ vendor_id }) => vendor_id));
    const [addressOf, retainedFrom] = await Promise.all([
      this.people.among(run.session, dated),
      this.retention.retainedFrom(run.session, vendors),
    ]);
    return (content, before) => {
      // A record without a known product is rejected later.
      const record = datedOf(content);
      if (record === null) return content;
      const day = retainedFrom.get(record.vendor_id);
      // Apply retention first: expired records lose the erased person's address, too.
      if (day !== undefined && records.isBefore(content, day, before)) {
        return records.emptied(content);
      }
      // An erased sale stays erased, even if a later record of it has personal data.
      const address =
        (before === undefined ? null : erasedIn(records.emailsOf(before))) ??
        erasedIn(record.emails) ??
        addressOf(record);
      return address === null ? content : records.erased(content, address);
    };
  }
}

/** Returns the vendor of the record's product, or undefined if the product is unknown. */
export function vendorIdOf({ product_id }: OfProduct, run: BatchRun): number | undefined {
  return run.products.get(product_id)?.vendor_id;
}

function erasedIn(emails: readonly string[]): string | null {
  return emails.find(isErasedAddress) ?? null;
}

/** Holds the services that own the records, for the record kinds. */
@Injectable()
export class RecordServices {
  /** Maximum numbers of records that the sources and upstreams of a vendor may create. */
  readonly most: Readonly<Record<'users' | 'products', number>>;

  constructor(
    readonly accounts: AccountsRepository,
    readonly seen: SeenUsersRepository,
    readonly provisional: ProvisionalUsersService,
    readonly products: ProductsService,
    readonly affiliates: AffiliatesService,
    readonly recurring: RecurringService,
    readonly transactions: TransactionWritesService,
    readonly personal: ArrivingPersonalData,
    settings: Settings,
  ) {
    const { maxUsers, maxProducts } = RECORDS_IN.settings;
    this.most = { users: valueOf(settings, maxUsers), products: valueOf(settings, maxProducts) };
  }
}
