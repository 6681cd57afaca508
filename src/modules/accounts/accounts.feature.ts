import type { FeatureDeclaration } from '../../feature.js';
import type * as paths from '../../platform/pages/paths.js';

export const ACCOUNTS = {
  name: 'accounts',
  settings: {
    activeApplications: {
      name: 'ACTIVE_APPLICATIONS',
      kind: 'integer',
      min: 1,
      max: 10_000,
      default: 50,
      purpose: 'Limits the active API applications that a user can have on the account pages.',
    },
  },
  commands: {
    keys: {
      order: 80,
      load: async () => (await import('./applications/keys.command.js')).keysCommand,
    },
    limits: {
      order: 90,
      load: async () => (await import('./limits.command.js')).limitsCommand,
    },
    users: {
      order: 110,
      load: async () => (await import('./users.command.js')).usersCommand,
    },
  },
  pages: {
    signIn: {
      path: '/account/sign-in' satisfies typeof paths.SIGN_IN_PATH,
      permission: null,
      load: async () => (await import('./pages/sign-in.pages.js')).SignInPages,
    },
    passwordLinks: {
      path: '/account/forgot-password' satisfies typeof paths.FORGOTTEN_PATH,
      permission: null,
      load: async () => (await import('./pages/password-link.pages.js')).PasswordLinkPages,
    },
    applications: {
      path: '/account/applications' satisfies typeof paths.APPLICATIONS_PATH,
      permission: 'account',
      group: 'developers',
      navigation: { label: 'API applications', order: 50 },
      load: async () =>
        (await import('./pages/applications/applications.pages.js')).ApplicationPages,
    },
    security: {
      path: '/account/security' satisfies typeof paths.SECURITY_PATH,
      permission: 'account',
      group: 'settings',
      navigation: { label: 'Security', order: 90 },
      load: async () => (await import('./pages/security.pages.js')).SecurityPages,
    },
    twoFactor: {
      path: '/account/security/two-factor' satisfies typeof paths.SET_UP_PATH,
      permission: 'account',
      group: 'settings',
      load: async () => (await import('./pages/two-factor.pages.js')).TwoFactorPages,
    },
  },
  module: async () => (await import('./accounts.module.js')).AccountsModule,
} as const satisfies FeatureDeclaration;
