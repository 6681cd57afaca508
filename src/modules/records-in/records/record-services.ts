import { Injectable } from '@nestjs/common';
import { valueOf } from '../../../config/declared-settings.js';
import { Settings } from '../../../config/settings.js';
import {
  AccountsService,
  ProvisionalUsersService,
  SeenUsersService,
} from '../../accounts/index.js';
import { AffiliatesService } from '../../affiliates/index.js';
import { ProductsService } from '../../products/index.js';
import { RecurringService } from '../../recurring/index.js';
import { TransactionWritesService } from '../../../ledger/writes/transaction-writes.service.js';
import { RECORDS_IN } from '../records-in.feature.js';
import { ArrivingPersonalData } from './arriving-personal-data.js';

/** Holds the services that own the records, for the record kinds. */
@Injectable()
export class RecordServices {
  /** Maximum numbers of records that the sources and upstreams of a vendor may create. */
  readonly most: Readonly<Record<'users' | 'products', number>>;

  constructor(
    readonly accounts: AccountsService,
    readonly seen: SeenUsersService,
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
