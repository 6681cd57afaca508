import { Injectable } from '@nestjs/common';
import { NO_APPLICATION } from '../../platform/values/author.js';
import { ApiApplicationsService } from '../accounts/index.js';
import {
  type ApprovalStatus,
  RelationshipWritesService,
  type TermsUpdate,
} from '../affiliates/index.js';
import { DEMO_VENDOR_ID } from './demo-products.js';

/** Applications of the vendor beside that of the key which the start prints. */
const APPLICATIONS = [
  { name: 'Back office', access: 'full' },
  { name: 'Newsletter tool', access: 'read' },
] as const;

interface ChangedTerms {
  readonly affiliate_id: number;
  readonly product_id: number;
  readonly approval_status: ApprovalStatus;
  readonly terms: TermsUpdate['terms'];
}

/** Changes of affiliate terms, none of which the examples of the OpenAPI documents show. */
const CHANGES: readonly ChangedTerms[] = [
  // This affiliate waits for an answer.
  { affiliate_id: 2038, product_id: 102, approval_status: 'DELAYED', terms: {} },
  {
    affiliate_id: 2011,
    product_id: 104,
    approval_status: 'INSTANT',
    terms: { custom_sales_page_url: 'https://brushwork.example/colour-theory' },
  },
  {
    affiliate_id: 2010,
    product_id: 103,
    approval_status: 'INSTANT',
    terms: { custom_payment_1st_payout: 15 },
  },
  {
    affiliate_id: 2001,
    product_id: 101,
    approval_status: 'INSTANT',
    terms: { custom_commission: 60 },
  },
];

/** Does in the account what a vendor does, so that its pages have something to show. */
@Injectable()
export class DemoAccountService {
  constructor(
    private readonly applications: ApiApplicationsService,
    private readonly relationships: RelationshipWritesService,
  ) {}

  /** Creates applications and changes affiliate terms, each with its entry in the audit log. */
  async fill(): Promise<void> {
    for (const { name, access } of APPLICATIONS) {
      await this.applications.createApplication(
        DEMO_VENDOR_ID,
        name,
        null,
        { access },
        DEMO_VENDOR_ID,
      );
    }
    const author = { user_id: DEMO_VENDOR_ID, application_id: NO_APPLICATION };
    for (const { affiliate_id, product_id, ...update } of CHANGES) {
      await this.relationships.set(
        author,
        { affiliate_id, product_id },
        { ...update, affiliate_verification_email: null },
      );
    }
  }
}
