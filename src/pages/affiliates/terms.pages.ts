import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import { AffiliatesService } from '../../modules/affiliates/affiliates.service.js';
import type { AffiliationUpdate } from '../../modules/affiliates/affiliation.model.js';
import { RelationshipWritesService } from '../../modules/affiliates/relationship-writes.service.js';
import { NO_APPLICATION } from '../../modules/audit/audit.model.js';
import { ProductsService } from '../../modules/products/products.service.js';
import { AffiliateReportsService } from '../../modules/reports/affiliates/affiliate-reports.service.js';
import { redirectTo, type PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import type { SignedInVisit } from '../session/visit.js';
import { FormProblem } from '../ui/form.view.js';
import { termsIn } from './terms-form.js';
import { termsPage, termsPath, type ShownTerms, type TermsView } from './terms.view.js';

const PATH = '/affiliates/:id/terms';

/** Serves the affiliate terms for one product; the form does the same as the PUT of API 2.1. */
@Injectable()
export class TermsPages implements Pages {
  constructor(
    private readonly reports: AffiliateReportsService,
    private readonly affiliates: AffiliatesService,
    private readonly writes: RelationshipWritesService,
    private readonly products: ProductsService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get(PATH, async (visit) => {
      const shown = await this.shownTo(visit, visit.query('product'));
      return termsPage(visit, shown, { isDone: visit.query('done') === 'saved' });
    });
    routes.post(PATH, (visit) => this.set(visit));
  }

  private async set(visit: SignedInVisit): Promise<PageAnswer> {
    const shown = await this.shownTo(visit, visit.field('product'));
    const update = termsIn(visit);
    const view = isUpdate(update) ? await this.saved(visit, shown, update) : { problems: update };
    if (view !== null) return termsPage(visit, shown, view);
    const { affiliate, product } = shown;
    return redirectTo(`${termsPath(affiliate.id)}?product=${product.id}&done=saved`);
  }

  /** @returns null if the terms were saved, or else the problems that the form shows */
  private async saved(
    { user }: SignedInVisit,
    { affiliate, product }: ShownTerms,
    update: AffiliationUpdate,
  ): Promise<TermsView | null> {
    const author = { user_id: user.id, application_id: NO_APPLICATION };
    try {
      const key = { affiliate_id: affiliate.id, product_id: product.id };
      await this.writes.set(author, key, update);
      return null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { failure, detail } = error;
      if (failure === 'invalid_parameters') {
        const message = "It must be the affiliate's e-mail. Nothing changed.";
        return { problems: [new FormProblem('affiliate_verification_email', message)] };
      }
      if (failure !== 'request_failed' || detail === null) throw error;
      return { refused: { failure, detail } };
    }
  }

  /**
   * @throws ApiError not_found if there is no such affiliate or product, or foreign_product for
   * another vendor's product
   */
  private async shownTo(visit: SignedInVisit, product_id: string): Promise<ShownTerms> {
    const vendor_id = visit.user.id;
    const affiliate = await this.reports.affiliateOf(vendor_id, visit.idIn('id') ?? NO_ID);
    const id = /^\d{1,15}$/.test(product_id) ? Number(product_id) : NO_ID;
    const product = await this.products.ownProduct(vendor_id, id);
    const all = await this.affiliates.affiliationsWith(vendor_id, affiliate.id);
    return { affiliate, product, terms: all.find((own) => own.product_id === id) ?? null };
  }
}

/** An id that no user and no product has. */
const NO_ID = -1;

function isUpdate(update: AffiliationUpdate | readonly FormProblem[]): update is AffiliationUpdate {
  return 'approval_status' in update;
}
