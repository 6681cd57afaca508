/** The place of each page in the header, and the addresses of its entries. */
import { describe, expect, it } from '@jest/globals';
import { entryAddress, Navigation } from '../../../src/platform/pages/navigation.js';
import { FEATURES } from '../../../src/features.js';

const KEEPS = ['range', 'from'];
const navigation = new Navigation([
  { path: '/account/late', navigation: { label: 'Late', order: 20 } },
  { path: '/account/reports', group: 'reports', navigation: { label: 'All', order: 10 } },
  { path: '/account/reports/list', group: 'reports' },
  { path: '/account/affiliates/:id/terms', group: 'affiliates' },
  { path: '/account/sales', group: 'reports', entry: '/account/reports' },
  { path: '/account/early', group: 'settings', navigation: { label: 'Early', order: 5 } },
  { path: '/account/sign-in' },
]);

describe('the navigation', () => {
  it('has the entries of each group in order, and those without a group in the settings', () => {
    const labels = navigation.groups.map(({ label, entries }) => [
      label,
      ...entries.map((entry) => entry.label),
    ]);
    expect(labels).toEqual([
      ['Reports', 'All'],
      ['Developers', 'Guide', 'API reference'],
      ['Settings', 'Early', 'Late'],
    ]);
  });

  it.each([
    ['/account/reports', 'reports', '/account/reports'],
    ['/account/reports/list', 'reports', '/account/reports'],
    ['/account/sales/7', 'reports', '/account/reports'],
    ['/account/reports.csv', null, null],
    ['/account/reportsx', null, null],
    ['/account/affiliates/7/terms', 'affiliates', null],
    ['/account/late/7', 'settings', '/account/late'],
    ['/account/sign-in', null, null],
    ['/docs/guide', 'developers', '/docs/guide'],
    ['/docs/v2.0', 'developers', '/docs'],
  ])('knows the place of %s', (path, group, entry) => {
    expect(navigation.placeOf(path)).toEqual({ group, entry });
  });

  it('leaves out the entries for others, and groups without entries', () => {
    const all = new Navigation([
      { path: '/account/a', group: 'reports', navigation: { label: 'A', order: 1 } },
      {
        path: '/account/b',
        group: 'affiliates',
        navigation: { label: 'B', order: 2 },
        audience: 'sellers',
      },
    ]);
    const labels = (shown: Navigation) => shown.groups.map(({ label }) => label);
    expect(labels(all.shownTo(new Set(['referrers'])))).toEqual(['Reports', 'Developers']);
    expect(labels(all.shownTo(new Set(['sellers', 'referrers'])))).toEqual(labels(all));
    const place = { group: 'affiliates', entry: null };
    expect(all.shownTo(new Set(['referrers'])).placeOf('/account/b')).toEqual(place);
  });

  it('highlights a group for every page of an account but the search, which is for all', () => {
    const pages = FEATURES.flatMap((feature) => Object.values(feature.pages ?? {}));
    const all = new Navigation(pages);
    const without = pages
      .filter(({ permission }) => permission === 'account')
      .filter(({ path }) => all.placeOf(path.replace(':id', '7')).group === null);
    expect(without.map(({ path }) => path)).toEqual(['/account/search']);
    expect(all.groups.map(({ label }) => label)).toEqual([
      'Reports',
      'Customers',
      'Affiliates',
      'Developers',
      'Settings',
    ]);
  });
});

describe('the address of an entry', () => {
  it('takes over the parameters that it keeps, and no other', () => {
    const query = new Map([
      ['range', 'last-month'],
      ['as', 'affiliate'],
    ]);
    const valueOf = (name: string) => query.get(name) ?? '';
    const entry = { path: '/account/tracking', label: 'Tracking', keeps: KEEPS };
    expect(entryAddress(entry, valueOf)).toBe('/account/tracking?range=last-month');
    expect(entryAddress({ ...entry, keeps: [] }, valueOf)).toBe('/account/tracking');
  });
});
