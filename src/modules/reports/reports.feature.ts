import type { FeatureDeclaration } from '../../feature.js';

export const REPORTS = {
  name: 'reports',
  pages: {
    reports: {
      path: '/account/reports',
      permission: 'account',
      navigation: { label: 'Reports', order: 10 },
      load: async () => (await import('../../pages/reports/report.pages.js')).ReportPages,
    },
    list: {
      path: '/account/reports/transactions',
      permission: 'account',
      load: async () =>
        (await import('../../pages/transactions/list.pages.js')).TransactionListPages,
    },
    cohorts: {
      path: '/account/reports/cohorts',
      permission: 'account',
      load: async () => (await import('../../pages/reports/cohorts.pages.js')).CohortPages,
    },
    transactions: {
      path: '/account/transactions',
      permission: 'account',
      load: async () =>
        (await import('../../pages/transactions/transactions.pages.js')).TransactionPages,
    },
    affiliates: {
      path: '/account/affiliates',
      permission: 'account',
      navigation: { label: 'Affiliates', order: 20 },
      load: async () =>
        (await import('../../pages/affiliates/affiliates.pages.js')).AffiliatesPages,
    },
    affiliate: {
      path: '/account/affiliates',
      permission: 'account',
      load: async () => (await import('../../pages/affiliates/affiliate.pages.js')).AffiliatePages,
    },
    tracking: {
      path: '/account/tracking',
      permission: 'account',
      navigation: { label: 'Tracking', order: 40 },
      load: async () => (await import('../../pages/reports/tracking.pages.js')).TrackingPages,
    },
    search: {
      path: '/account/search',
      permission: 'account',
      load: async () => (await import('../../pages/search/search.pages.js')).SearchPages,
    },
  },
  module: async () => (await import('./reports.module.js')).ReportsModule,
} as const satisfies FeatureDeclaration;
