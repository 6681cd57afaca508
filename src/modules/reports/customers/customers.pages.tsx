import { Injectable } from '@nestjs/common';
import { pageOf, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { CUSTOMERS_PATH, customersNamed } from '../../../platform/pages/paths.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import { Neighbours } from '../../../platform/pages/ui/facts.view.js';
import { ChoiceForm, Field, Problem } from '../../../platform/pages/ui/form.view.js';
import { Table } from '../../../platform/pages/ui/table.view.js';
import { RecurringListsService } from '../../recurring/index.js';
import { MAX_SEARCHED, SearchService } from '../sale/search.service.js';
import { CUSTOMER_COLUMNS, customerPage } from './customers.view.js';
import { CustomersService } from './customers.service.js';

/** Number of customers of a page of the list, and of subscriptions on the page of a customer. */
const [CUSTOMERS, SUBSCRIPTIONS] = [25, 50];
const TITLE = 'Customers';

/**
 * Serves the page of each customer of a vendor, and the list of those with a name. E-mail addresses
 * and names are in no path, and therefore in no log.
 */
@Injectable()
export class CustomerPages implements Pages {
  constructor(
    private readonly customers: CustomersService,
    private readonly sales: SearchService,
    private readonly subscriptions: RecurringListsService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/customers', (visit) => this.show(visit), { operation: 'page.customer' });
  }

  private show(visit: SignedInVisit): Promise<PageAnswer> | PageAnswer {
    const email = visit.query('email').trim();
    const name = visit.query('name').trim();
    if (email.length > MAX_SEARCHED || name.length > MAX_SEARCHED) {
      return this.none(visit, `A name or an e-mail has at most ${MAX_SEARCHED} characters.`);
    }
    if (email !== '') return this.customer(visit, email);
    return name === '' ? this.none(visit) : this.named(visit, name);
  }

  private none(visit: SignedInVisit, problem?: string): PageAnswer {
    const failure = problem === undefined ? undefined : 'not_found';
    const page = pageOf(
      { title: TITLE, failure },
      <>
        <Problem>{problem}</Problem>
        <Finder visit={visit} />
      </>,
    );
    return { ...page, reads: [] };
  }

  private async customer(visit: SignedInVisit, email: string): Promise<PageAnswer> {
    const { id } = visit.user;
    const [{ customer }, sales, subscriptions] = await Promise.all([
      this.customers.customerWith(id, email),
      this.sales.salesOfCustomer(id, email),
      this.subscriptions.ofCustomer(id, email, SUBSCRIPTIONS),
    ]);
    if (customer === null) return this.none(visit, `You have no customer with this e-mail.`);
    const reads = [{ records: sales.sales.length + subscriptions.length }];
    return { ...customerPage(customer, sales, subscriptions), reads };
  }

  private async named(visit: SignedInVisit, name: string): Promise<PageAnswer> {
    const after = visit.query('after') || null;
    const request = { vendor_id: visit.user.id, name, limit: CUSTOMERS, after };
    const { customers, meta } = await this.customers.page(request);
    const next = meta.next_cursor;
    const page = pageOf(
      { title: TITLE },
      <>
        <Finder visit={visit} />
        <Table
          label={TITLE}
          columns={CUSTOMER_COLUMNS}
          rows={customers}
          empty={
            next === null
              ? 'No customer has a name that begins like this.'
              : 'None among the names that were searched.'
          }
        />
        <Neighbours
          next={{
            words: 'More',
            href: next === null ? null : customersNamed(name, { after: next }),
          }}
        />
      </>,
    );
    return { ...page, reads: [{ records: customers.length }] };
  }
}

function Finder({ visit }: { readonly visit: SignedInVisit }) {
  return (
    <ChoiceForm action={CUSTOMERS_PATH} label="Find a customer">
      <Field label="First letters of a name" name="name" value={visit.query('name')} />
      <Field label="Or e-mail" name="email" value={visit.query('email')} />
      <button>Find</button>
    </ChoiceForm>
  );
}
