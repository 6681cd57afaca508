/** The ledger of the recording: the same records, ids and dates in each run. */
import {
  affiliation,
  clicks,
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
  WITH_COMMISSION,
} from '../builders/ledger-records.js';
import { TestLedger } from '../builders/test-ledger.js';
import { WHOLE } from '../builders/whole-sale.js';
import type { KeyName, Secrets } from './recorded-request.js';

const [VENDOR, OTHER, AFFILIATE, SUSPENDED, NEWCOMER] = [1, 2, 3, 4, 5];
const STATUSES = ['completed', 'pending', 'refunded', 'charged_back'];

const PARTIES: readonly object[] = [
  user(VENDOR, { name: 'Harbour Press', email: 'press@harbour.example' }),
  user(OTHER),
  user(AFFILIATE, { display_name: 'Nadia Reads', email: 'nadia@partners.example' }),
  user(SUSPENDED, { status: 'suspended' }),
  user(NEWCOMER),
  user(6),
  user(7, { display_name: null }),
  product(10, VENDOR, { name: 'Letterpress at Home' }),
  product(11, VENDOR, { name: 'Atelier «Émile» 🖨 & <Söhne>' }),
  product(12, VENDOR, { name: 'Nobody bought it' }),
  product(20, OTHER),
  product(40, SUSPENDED),
];

const TERMS: readonly object[] = [
  affiliation(AFFILIATE, 10, {
    comments: 'Bitte, danke.',
    custom_commission: 30,
    delayed_commission: true,
    custom_sales_page_url: 'https://sales.example/a',
    custom_payment_1st_payout: 11,
    custom_payment_trial_payout: 12,
  }),
  affiliation(AFFILIATE, 11, { status: 'REQUESTED' }),
  affiliation(AFFILIATE, 20),
  affiliation(6, 10, { status: 'DENIED' }),
  affiliation(VENDOR, 20),
  ...['01', '02'].map((day) => clicks(AFFILIATE, 10, { date: `2025-06-${day}` })),
  clicks(6, 10, { clicks: 0, unique_clicks: 0 }),
  recurringPayment('PRE-1', 10, { id: 1, vtid: 'visit-1' }),
  recurringPayment('PRE-2', 10, { id: 2, status: 'CANCELED' }),
  recurringPayment('PRE-3', 11, {
    id: 3,
    status: 'COMPLETED',
    has_payment_trial: true,
    payment_trial_price: '1.00',
    payment_trial_period: 7,
    payment_trial_payout: '0.50',
    current_payments: 12,
  }),
  ...['4', '5', '6'].map((id) => recurringPayment(`PRE-${id}`, 10, { id: Number(id) })),
  recurringPayment('PRE-OTHER', 20, { id: 9 }),
];

const BY_AFFILIATE = {
  affiliate_id: AFFILIATE,
  payouts: WITH_COMMISSION,
  payout_items: [
    payoutItem(VENDOR),
    payoutItem(AFFILIATE, { payee_amount: '10.00', payout_type: 'AFFILIATE' }),
  ],
};

const SALES: readonly object[] = [
  transaction('WHOLE', 10, { ...WHOLE, affiliate_id: AFFILIATE }),
  // 24 sales on 12 days: of every status, with and without an affiliate, two in each second.
  ...Array.from({ length: 24 }, (_, at) =>
    transaction(`S-${String(at).padStart(2, '0')}`, at % 3 === 0 ? 11 : 10, {
      sale_date: `2025-06-${String(2 + Math.floor(at / 2)).padStart(2, '0')}T09:30:00+02:00`,
      status: STATUSES[at % STATUSES.length],
      ...(at % 2 === 0 ? BY_AFFILIATE : {}),
      ...(at % 4 > 1
        ? { refund: refund(`2025-07-${String(1 + at).padStart(2, '0')}T10:00:00Z`) }
        : {}),
      ...(at === 5 ? { pre_key: 'PRE-1' } : {}),
    }),
  ),
  transaction("A/B'100%", 11, {
    sale_date: '2024-02-29T23:59:59Z',
    customer: { email: 'zoë@kunde.example', first_name: '李', last_name: 'O\'Neill "Jr" 🖨' },
    amount: '0.01',
  }),
  transaction('FREE', 10, { sale_date: '2024-12-31T23:59:59-05:00', amount: '0.00' }),
  transaction('OLDEST', 10, { sale_date: '2019-01-01T00:00:00Z', amount: '99999999.99' }),
  transaction('OF-OTHER', 20, { affiliate_id: AFFILIATE }),
  transaction('BY-VENDOR', 20, { affiliate_id: VENDOR, payouts: WITH_COMMISSION }),
  transaction('OF-SUSPENDED', 40, {}),
];

/** How each key is made; the suspended user and the affiliate have one, too. */
const KEYS: Readonly<Record<KeyName, readonly string[]>> = {
  vendor: ['--user', String(VENDOR)],
  read: ['--user', String(VENDOR), '--access', 'read'],
  masked: ['--user', String(VENDOR), '--access', 'masked'],
  other: ['--user', String(OTHER)],
  affiliate: ['--user', String(AFFILIATE)],
  suspended: ['--user', String(SUSPENDED)],
  newcomer: ['--user', String(NEWCOMER)],
  source: ['--source', 'everybody'],
  'own-source': ['--source', 'own', '--vendor', String(VENDOR)],
  revoked: ['--user', String(VENDOR)],
  expired: ['--user', String(VENDOR), '--expires', '2025-01-01'],
  elsewhere: ['--user', String(VENDOR), '--allow', '203.0.113.0/24'],
  limited: ['--user', String(VENDOR)],
};

export interface FixedLedger extends Secrets {
  readonly ledger: TestLedger;
}

/** Fills a database of its own, and makes the keys and an upstream of user 2 that is never read. */
export async function createFixedLedger(): Promise<FixedLedger> {
  const ledger = await TestLedger.create();
  await ledger.mustImport([...PARTIES, ...TERMS, ...SALES]);
  const keys = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const [name, options] of Object.entries(KEYS)) {
    const made = await command(ledger, ['keys', 'create', ...named(name, options), '--json']);
    const { key, id } = JSON.parse(made) as { key: string; id: number };
    keys.set(name, key);
    ids.set(name, String(id));
  }
  await command(ledger, ['keys', 'revoke', ids.get('revoked') ?? '']);
  await command(ledger, ['limits', 'set', ids.get('limited') ?? '', '3/31d']);
  return { ledger, keys, token: await addUpstream(ledger) };
}

function named(name: string, options: readonly string[]): readonly string[] {
  return options.includes('--source') ? options : [...options, '--name', name];
}

/** @returns the token of its notifications */
async function addUpstream(ledger: TestLedger): Promise<string> {
  // Found without a name server, and not public: nothing is sent.
  const at = ['--url', 'https://localhost', '--key-file', ledger.file('upstream-key', 'key')];
  const added = await command(ledger, [
    'upstreams',
    'add',
    '--vendor',
    String(OTHER),
    ...at,
    '--json',
  ]);
  const { id, notify_path } = JSON.parse(added) as { id: number; notify_path: string };
  await command(ledger, ['upstreams', 'pause', String(id)]);
  return notify_path.slice(notify_path.lastIndexOf('/') + 1);
}

async function command(ledger: TestLedger, args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await ledger.cli(args);
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout;
}
