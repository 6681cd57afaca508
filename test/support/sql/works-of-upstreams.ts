import { expect } from '@jest/globals';
import type { Visitor } from '../browser/visitor.js';
import { until } from '../servers/running-service.js';
import type { RecordedService } from '../servers/recorded-service.js';
import { STUB_KEY, StubUpstream, type StubAnswer } from '../servers/stub-upstream.js';
import {
  stubAffiliate,
  stubPayment,
  stubRefund,
  stubRelationship,
  stubSale,
  type StubContents,
} from '../servers/stub/contents.js';

const [VENDOR, AFFILIATE, PRODUCT] = [9_970, 9_971, 9_970];
const [PAYMENT, NEW_PAYMENT, MAIN_SALE] = ['MIRRORED-PRE', 'MIRRORED-NEW', 'mirrored'];
const NOTIFY = 'POST /ledger/v1/upstreams/{id}/notify/{token}';
const READING = 'reading of upstreams';
/** Date-times as text in the past and in the far future. */
const [PAST, NEVER] = ['2025-01-01 00:00:00', '9999-01-01 00:00:00'];

interface Added {
  readonly id: number;
  readonly notify_path: string;
}

/** An upstream with sales of one vendor. The methods make a mirror do all of its work. */
export class UpstreamWorks {
  private readonly contents = contentsOfUpstream();
  private readonly stub = new StubUpstream(this.contents);
  private added: Added = { id: 0, notify_path: '' };
  private isDetailOdd = false;
  private isSetUnknown = false;

  /** @returns settings that allow a service to call it */
  start(): Promise<Readonly<Record<string, string>>> {
    this.stub.hook = ({ path }, answer) => this.disturbed(path, answer);
    return this.stub.start();
  }

  stop(): void {
    this.stub.stop();
  }

  /**
   * Manages the upstream with commands and pauses it.
   * @returns the id of the vendor, who was added with the upstream
   */
  async manage(recorded: RecordedService): Promise<number> {
    const run = async (expected: number, ...args: readonly string[]) => {
      const { status, stdout, stderr } = await recorded.command(['upstreams', ...args], STUB_KEY);
      expect([args, status, stderr]).toEqual([args, expected, '']);
      return stdout;
    };
    const add = ['add', '--url', this.stub.url, '--key-file', '-', '--json'];
    add.push('--names', 'service=acme,processor=paymenthouse');
    this.added = JSON.parse(await run(0, ...add)) as Added;
    const id = String(this.added.id);
    await run(0, 'list');
    await run(0, 'run', id);
    this.changeContents();
    // Sales that the upstream no longer has are kept and reported.
    await run(1, 'run', id, '--full');
    await run(0, 'pause', id);
    await run(0, 'resume', id);
    await run(0, 'pause', id);
    return VENDOR;
  }

  /**
   * Uses the upstream through API operations. The service then reads the waiting records by itself.
   */
  async use(recorded: RecordedService, key: string): Promise<void> {
    const affiliate = stubAffiliate(AFFILIATE, { display_name: 'Renamed' });
    const notified = { ...saleOf('notified'), affiliate, pre_key: NEW_PAYMENT };
    this.contents.sales = [...this.contents.sales, notified];
    // A record that already waits is stored again only with a later time.
    for (const since of [PAST, PAST, NEVER]) {
      await recorded.ledger.run(
        `UPDATE upstream_reads SET sale_date = '${since}' WHERE kind = 'notified'`,
      );
      await this.notify(recorded, NOTIFY, 'notified');
    }
    await this.put(recorded, key, 402);
    await this.put(recorded, key, 200);
    const cancel = `/v2.0/recurring_payment/${PAYMENT}`;
    const work = 'PUT /v2.0/recurring_payment/{preKey}';
    const answer = await recorded.put(work, cancel, key, { status: 'CANCEL' });
    expect(answer.status).toBe(200);
    await this.readWhatWaits(recorded);
    const removed = await recorded.command(['upstreams', 'remove', String(this.added.id)]);
    expect(removed).toMatchObject({ status: 0, stderr: '' });
  }

  /** Manages an upstream on the account pages, with a key that the upstream rejects. */
  async usePages(visitor: Visitor, { ledger }: RecordedService): Promise<void> {
    const path = '/account/upstream';
    const change = async (action: string, fields = {}) => {
      const answer = await visitor.post(`${path}${action}`, fields);
      expect([action, answer.status]).toEqual([action, 303]);
    };
    const untilRefused = () =>
      until('a refused key', async () => {
        const [row] = await ledger.rows('SELECT failures, claim FROM upstreams');
        return Number(row?.failures) > 0 && row?.claim === null;
      });
    await visitor.get(path);
    const wrong = { url: this.stub.url, key: 'wrong', every: '5' };
    const refused = await visitor.post(path, wrong);
    expect(refused.text).toContain('The other service does not accept this key.');
    await change('', { ...wrong, unchecked: 'on' });
    await untilRefused();
    await visitor.get(path);
    for (const action of ['/pause', '/run', '/full', '/resume']) await change(action);
    await untilRefused();
    expect((await visitor.post(`${path}/address`)).status).toBe(200);
    await change('/remove');
  }

  /** Removes a sale, and adds one that precedes the others of its second. */
  private changeContents(): void {
    const kept = this.contents.sales.filter(({ transaction_id }) => transaction_id !== 'gone');
    this.contents.sales = [saleOf('before'), ...kept];
    this.isDetailOdd = true;
  }

  /**
   * Returns wrong details once, so that they are read again later, and leaves the result of one PUT
   * unknown.
   */
  private disturbed(path: string, answer: StubAnswer) {
    if (path.endsWith('/details/refunded') && this.isDetailOdd) {
      this.isDetailOdd = false;
      return { ...answer, body: '{}' };
    }
    const isOfPair = path.endsWith(`/affiliates/${AFFILIATE}/products/${PRODUCT}`);
    return isOfPair && this.isSetUnknown ? ('hung up' as const) : answer;
  }

  private async put(recorded: RecordedService, key: string, expected: number): Promise<void> {
    this.isSetUnknown = expected === 402;
    const work = 'PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}';
    const path = `/v2.1/affiliates/${AFFILIATE}/products/${PRODUCT}`;
    const answer = await recorded.put(work, path, key, { approval_status: 'INSTANT' });
    expect(answer.status).toBe(expected);
    this.isSetUnknown = false;
  }

  private async notify(recorded: RecordedService, work: string, id: string): Promise<void> {
    const answer = await recorded.send(work, {
      method: 'POST',
      path: this.added.notify_path,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ transaction_id: id }),
    });
    expect(answer.status).toBe(200);
  }

  /**
   * Makes all waiting records due. A notification starts the reading, because it must be the last
   * request while the service reads.
   */
  private async readWhatWaits(recorded: RecordedService): Promise<void> {
    const { ledger } = recorded;
    await ledger.run(`UPDATE upstream_reads SET next_try = '${PAST}'`);
    const due = `next_try = '${NEVER}', payments_next = '${PAST}'`;
    await ledger.run(`UPDATE upstreams SET state = 'active', ${due}`);
    await this.notify(recorded, READING, MAIN_SALE);
    await until('the end of the reading', async () => {
      const [row] = await ledger.rows(
        'SELECT claim, (SELECT COUNT(*) FROM upstream_reads) AS waiting FROM upstreams',
      );
      return Number(row?.waiting) === 0 && row?.claim === null;
    });
  }
}

function saleOf(transaction_id: string) {
  return stubSale(transaction_id, { product_id: PRODUCT, affiliate: stubAffiliate(AFFILIATE) });
}

function contentsOfUpstream(): StubContents {
  return {
    vendor: { id: VENDOR, name: 'Mirrored', email: 'mirrored@example.test' },
    products: [{ id: PRODUCT, name: 'Mirrored product' }],
    sales: [
      { ...saleOf(MAIN_SALE), pre_key: PAYMENT },
      { ...saleOf('refunded'), refund: stubRefund('2025-06-02T00:00:00Z') },
      saleOf('gone'),
    ],
    relationships: [stubRelationship(AFFILIATE, PRODUCT)],
    payments: [PAYMENT, NEW_PAYMENT].map((key, index) =>
      stubPayment(key, { product_id: PRODUCT, id: 9_970 + index }),
    ),
  };
}
