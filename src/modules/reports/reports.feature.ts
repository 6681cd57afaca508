import type { FeatureDeclaration } from '../../feature.js';
import type * as paths from '../../platform/pages/paths.js';

/** Parameters that reports share: the range, its comparison, and how refunds count. */
const RANGE = ['range', 'from', 'to', 'refunds', 'compare'] as const;

/** Parameters that narrow a report: a product, an affiliate or vendor, or a tracking value. */
const FILTER = [
  'product',
  'partner',
  'utm_source',
  'utm_campaign',
  'tid',
  'sub_id1',
  'sub_id2',
  'sub_id3',
  'sub_id4',
  'sub_id5',
] as const;

export const REPORTS = {
  name: 'reports',
  pages: {
    reports: {
      path: '/account/reports' satisfies typeof paths.REPORTS_PATH,
      permission: 'account',
      group: 'reports',
      navigation: { label: 'Overview', order: 10 },
      keeps: [...RANGE, ...FILTER],
      load: async () => (await import('./report.pages.js')).ReportPages,
    },
    list: {
      path: '/account/reports/transactions' satisfies typeof paths.LIST_PATH,
      permission: 'account',
      group: 'reports',
      navigation: { label: 'Transactions', order: 13 },
      keeps: [...RANGE, ...FILTER],
      load: async () => (await import('./lists/list.pages.js')).TransactionListPages,
    },
    earnings: {
      path: '/account/earnings' satisfies typeof paths.EARNINGS_PATH,
      permission: 'account',
      group: 'reports',
      navigation: { label: 'My earnings', order: 11 },
      audience: 'referrers',
      load: async () => (await import('./earnings/earnings.pages.js')).EarningsPages,
    },
    ownTracking: {
      path: '/account/earnings/tracking' satisfies typeof paths.OWN_TRACKING_PATH,
      permission: 'account',
      group: 'reports',
      navigation: { label: 'My tracking', order: 12 },
      audience: 'referrers',
      keeps: RANGE,
      load: async () => (await import('./earnings/own-tracking.pages.js')).OwnTrackingPages,
    },
    cohorts: {
      path: '/account/reports/cohorts' satisfies typeof paths.COHORTS_PATH,
      permission: 'account',
      group: 'reports',
      navigation: { label: 'Refund cohorts', order: 16 },
      audience: 'sellers',
      load: async () => (await import('./cohorts/cohorts.pages.js')).CohortPages,
    },
    transactions: {
      path: '/account/transactions',
      permission: 'account',
      group: 'reports',
      entry: '/account/reports/transactions' satisfies typeof paths.LIST_PATH,
      load: async () => (await import('./lists/transactions.pages.js')).TransactionPages,
    },
    affiliates: {
      path: '/account/affiliates' satisfies typeof paths.AFFILIATES_PATH,
      permission: 'account',
      group: 'affiliates',
      navigation: { label: 'Affiliates', order: 30 },
      audience: 'sellers',
      keeps: RANGE,
      load: async () => (await import('./affiliates/affiliates.pages.js')).AffiliatesPages,
    },
    affiliate: {
      path: '/account/affiliates/:id',
      permission: 'account',
      group: 'affiliates',
      load: async () => (await import('./affiliates/affiliate.pages.js')).AffiliatePages,
    },
    terms: {
      path: '/account/affiliates/:id/terms',
      permission: 'account',
      group: 'affiliates',
      load: async () => (await import('./affiliates/terms.pages.js')).TermsPages,
    },
    tracking: {
      path: '/account/tracking' satisfies typeof paths.TRACKING_PATH,
      permission: 'account',
      group: 'reports',
      navigation: { label: 'Tracking', order: 14 },
      audience: 'sellers',
      keeps: [...RANGE, 'product', 'partner'],
      load: async () => (await import('./tracking/tracking.pages.js')).TrackingPages,
    },
    customers: {
      path: '/account/customers' satisfies typeof paths.CUSTOMERS_PATH,
      permission: 'account',
      group: 'customers',
      navigation: { label: 'Customers', order: 18 },
      audience: 'sellers',
      load: async () => (await import('./customers/customers.pages.js')).CustomerPages,
    },
    search: {
      path: '/account/search' satisfies typeof paths.SEARCH_PATH,
      permission: 'account',
      load: async () => (await import('./sale/search.pages.js')).SearchPages,
    },
  },
  module: async () => (await import('./reports.module.js')).ReportsModule,
} as const satisfies FeatureDeclaration;
