import type { FeatureDeclaration } from '../../feature.js';
import type * as paths from '../../platform/pages/paths.js';

export const REPORTS = {
  name: 'reports',
  pages: {
    reports: {
      path: '/account/reports' satisfies typeof paths.REPORTS_PATH,
      permission: 'account',
      navigation: { label: 'Reports', order: 10 },
      load: async () => (await import('./report.pages.js')).ReportPages,
    },
    list: {
      path: '/account/reports/transactions' satisfies typeof paths.LIST_PATH,
      permission: 'account',
      load: async () => (await import('./lists/list.pages.js')).TransactionListPages,
    },
    cohorts: {
      path: '/account/reports/cohorts' satisfies typeof paths.COHORTS_PATH,
      permission: 'account',
      load: async () => (await import('./cohorts/cohorts.pages.js')).CohortPages,
    },
    transactions: {
      path: '/account/transactions',
      permission: 'account',
      load: async () => (await import('./lists/transactions.pages.js')).TransactionPages,
    },
    affiliates: {
      path: '/account/affiliates' satisfies typeof paths.AFFILIATES_PATH,
      permission: 'account',
      navigation: { label: 'Affiliates', order: 20 },
      load: async () => (await import('./affiliates/affiliates.pages.js')).AffiliatesPages,
    },
    affiliate: {
      path: '/account/affiliates/:id',
      permission: 'account',
      load: async () => (await import('./affiliates/affiliate.pages.js')).AffiliatePages,
    },
    terms: {
      path: '/account/affiliates/:id/terms',
      permission: 'account',
      load: async () => (await import('./affiliates/terms.pages.js')).TermsPages,
    },
    tracking: {
      path: '/account/tracking' satisfies typeof paths.TRACKING_PATH,
      permission: 'account',
      navigation: { label: 'Tracking', order: 40 },
      load: async () => (await import('./tracking/tracking.pages.js')).TrackingPages,
    },
    search: {
      path: '/account/search' satisfies typeof paths.SEARCH_PATH,
      permission: 'account',
      load: async () => (await import('./sale/search.pages.js')).SearchPages,
    },
  },
  module: async () => (await import('./reports.module.js')).ReportsModule,
} as const satisfies FeatureDeclaration;
