import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import type { Answer } from '../../support/http/http.js';
import { idIn, KEY, keyOf, make, PATH } from '../../support/browser/application-pages.js';
import { user } from '../../support/builders/ledger-records.js';
import { dayText } from '../../../src/platform/pages/ui/day-text.js';
import { writtenTime } from '../../support/browser/page-tables.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { HOSTILE } from '../../../testing/src/hostile/hostile-texts.js';
import { Visitor } from '../../support/browser/visitor.js';
import { ageSessionsOf } from '../../support/sql/session-age.js';
import { within } from '../../support/processes/within.js';

const DAY_MS = 86_400_000;

let service: TestService;
let beside: TestService;
let ann: Visitor;
let bob: Visitor;
beforeAll(async () => {
  service = await TestService.start({
    THROTTLE_LIMITS: '20/1s,600/1m',
    THROTTLE_USER_LIMITS: 'off',
  });
  await service.import([user(1), user(2)]);
  beside = await service.beside();
  ann = await Visitor.signedIn(service, 1);
  bob = await Visitor.signedIn(service, 2);
});
afterAll(async () => {
  await beside.stop();
  await service.stop();
});

function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

async function statusWith(key: string): Promise<number> {
  return (await service.get('/v3.0', key)).status;
}

/** Waits until a key is rejected. Revocations apply on every instance within 2 seconds. */
async function untilRefused(key: string): Promise<void> {
  await within(2_000, async () => {
    expect(await statusWith(key)).toBe(401);
  });
}

describe('an API application', () => {
  it('shows its key at once when it is created, and later only on request', async () => {
    const path = await make(ann, { name: 'At once' });
    const button = `<a class="button" href="${PATH}?new=yes#make-title">`;
    const form = `<form method="post" action="${PATH}"`;
    const list = await ann.get(PATH);
    expect(list.text).toContain(button);
    expect(list.text).not.toContain(form);
    expect(list.text).toMatch(
      /never<span class="narrow-only"> used<.*?Make the first call<.*?<pre [^>]*><code id="first-call">curl -sS -u &quot;YOUR_KEY:x&quot; \\\n {2}&quot;http[^ ]*\/<wbr\/>v3\.0\/<wbr\/>transactions\?/s,
    );
    expect(list.text).not.toContain('make the first call');
    for (const { text } of [await ann.get(`${PATH}?new=yes`), await ann.post(PATH, { name: '' })]) {
      expect(text).toContain(form);
      expect(text).not.toContain(button);
    }
    const created = await ann.get(`${path}?done=created`);
    const [, key = ''] = KEY.exec(created.text) ?? [];
    expect(await statusWith(key)).toBe(200);
    expect((await ann.get(path)).text).not.toMatch(KEY);
    expect((await ann.get(`${path}?done=rename`)).text).not.toMatch(KEY);
    expect((await bob.get(`${path}?done=created`)).status).toBe(404);
    const look = TestLedger.on(service.database);
    await ageSessionsOf(1, 11, look);
    expect((await ann.get(`${path}?done=created`)).text).not.toMatch(KEY);
    await look.run(
      `UPDATE api_applications SET created = '2025-06-01 00:00:00' WHERE id = ${idIn(path)}`,
    );
    await look.close();
    ann = await Visitor.signedIn(service, 1);
    expect((await ann.get(`${path}?done=created`)).text).not.toMatch(KEY);
  });

  it('shows its key on request, and the key works', async () => {
    const path = await make(ann, { name: 'Nightly bookkeeping' });
    const page = await ann.get(path);
    expect(page.text).toContain('Nightly bookkeeping');
    expect(page.text).not.toMatch(KEY);
    expect(page.text).toContain('<dd>never</dd>');
    const rowIn = ({ text }: Answer) => text.split(`href="${path}"`)[1]?.split('</tr>')[0];
    // The key of another application was used, so that the list has no first call of its own.
    const first = 'never used: <a href="/docs/guide">make the first call</a>';
    await until(
      'the use of another key',
      async () => rowIn(await ann.get(PATH))?.includes(first) ?? false,
    );
    const key = await keyOf(ann, path);
    expect(await statusWith(key)).toBe(200);
    expect(await keyOf(ann, path)).toBe(key);
    expect((await ann.get(PATH)).text).toMatch(
      /Nightly bookkeeping<.*?data-label="Created".*?<time/s,
    );
    // The use of a key is written in parallel with its request.
    const isUsed = async () => (await ann.get(path)).text.includes('Last used</dt><dd><time');
    await until('the last use of the key', isUsed);
    const used = await ann.get(PATH);
    expect(rowIn(used)).not.toContain('never<span');
    expect(used.text).not.toContain('Make the first call');
  });

  it('rotates its key with an overlap, during which both keys work, and without one', async () => {
    const path = await make(ann, { name: 'Rotated' });
    const first = await keyOf(ann, path);
    await ann.follow(await ann.post(`${path}/rotate`, { overlap: '24h' }));
    const second = await keyOf(ann, path);
    expect(second).not.toBe(first);
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);
    const page = await ann.follow(await ann.post(`${path}/rotate`, { overlap: '0' }));
    expect(page.text).toContain('The key was rotated.');
    await untilRefused(second);
    expect(await statusWith(await keyOf(ann, path))).toBe(200);
    expect((await ann.post(`${path}/rotate`, { overlap: '99y' })).status).toBe(400);
  });

  it('shows until when the old key works, and ends it on request', async () => {
    const path = await make(ann, { name: 'Overlapping' });
    const first = await keyOf(ann, path);
    expect((await ann.get(path)).text).not.toContain('The old key still works');
    await ann.follow(await ann.post(`${path}/rotate`, { overlap: '1h' }));
    const second = await keyOf(ann, path);
    const look = TestLedger.on(service.database);
    const [{ ends = '' } = {}] = await look.rows(
      `SELECT MAX(expires) AS ends FROM api_keys WHERE application_id = ${idIn(path)}`,
    );
    const page = await ann.get(path);
    expect(page.text).toContain('The old key still works');
    expect(unmarked(page.text)).toContain(`It works until ${writtenTime(String(ends))} UTC`);
    expect(unmarked((await ann.get(PATH)).text)).toContain(
      `old key works until ${writtenTime(String(ends)).slice(0, -':00'.length)}`,
    );
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);
    expect((await beside.get('/v3.0', first)).status).toBe(200);
    const ended = await ann.follow(await ann.post(`${path}/end-overlap`));
    expect(ended.text).toContain('The old key no longer works.');
    expect(ended.text).not.toContain('The old key still works');
    await within(2_000, async () => {
      expectFailure(await beside.get('/v3.0', first), 4011);
      expectFailure(await service.get('/v3.0', first), 4011);
    });
    expect(await statusWith(second)).toBe(200);
    // There is no overlap left to end, so nothing is changed or audited.
    await ann.follow(await ann.post(`${path}/end-overlap`));
    const entries = await look.rows(
      `SELECT user_id, state_before, state_after FROM audit_log
       WHERE action = 'key.end-overlap' AND application_id = ${idIn(path)}`,
    );
    await look.close();
    expect(entries).toHaveLength(1);
    const [entry] = entries;
    expect(Number(entry?.user_id)).toBe(1);
    expect(JSON.parse(String(entry?.state_before))).toMatchObject({ old_key_ends: ends });
    const after = JSON.parse(String(entry?.state_after)) as { old_key_ends: string };
    expect(after.old_key_ends < String(ends)).toBe(true);
    expect(JSON.stringify(entries)).not.toContain(first);
  });

  it('does not show an old key that ended before, or with its application', async () => {
    const path = await make(ann, { name: 'Ending', expires: dayIn(0) });
    await ann.post(`${path}/rotate`, { overlap: '7d' });
    expect(unmarked((await ann.get(path)).text)).toContain(
      `It works until ${dayText(dayIn(0))}, 23:59:59 UTC`,
    );
    await ann.post(`${path}/rotate`, { overlap: '0' });
    expect((await ann.get(path)).text).not.toContain('The old key still works');
    await ann.post(`${path}/rotate`, { overlap: '7d' });
    await ann.post(`${path}/revoke`);
    expect((await ann.get(path)).text).not.toContain('The old key still works');
  });

  it('is revoked permanently: its keys are rejected, and it can no longer be changed', async () => {
    const path = await make(ann, { name: 'Revoked' });
    const key = await keyOf(ann, path);
    const page = await ann.follow(await ann.post(`${path}/revoke`));
    expect(page.text).toContain('<span class="badge revoked">revoked</span>');
    expect(page.text).not.toContain('Show the key');
    await untilRefused(key);
    expect(await keyOf(ann, path)).toBe('no key');
    expect((await ann.post(`${path}/rotate`, { overlap: '0' })).status).toBe(404);
  });

  it.each([
    ['active', dayIn(1), false, 'Expires'],
    ['revoked', dayIn(1), true, 'Expires'],
    ['expired', dayIn(-1), false, 'Expired'],
    ['revoked', dayIn(-1), true, 'Expires'],
  ])(
    'is shown as %s if its last day is %s and it is revoked: %s',
    async (state, day, isRevoked, title) => {
      const path = await make(ann, { name: `Named ${state} ${day}`, expires: dayIn(1) });
      if (isRevoked) await ann.post(`${path}/revoke`);
      const ledger = TestLedger.on(service.database);
      await ledger.run(
        `UPDATE api_applications SET expires = '${day} 23:59:59' WHERE id = ${idIn(path)}`,
      );
      await ledger.close();
      const badge = `<span class="badge ${state}">${state}</span>`;
      const { text } = await ann.get(path);
      expect(text).toContain(badge);
      expect(unmarked(text)).toContain(`${title}${dayText(day)}`);
      const [, listed = ''] = (await ann.get(PATH)).text.split(`Named ${state} ${day}`);
      expect(listed.slice(0, listed.indexOf('</tr>'))).toContain(badge);
    },
  );

  it('has a name, a last day and addresses that can be changed', async () => {
    const path = await make(ann, { name: 'Before', expires: dayIn(3), addresses: '203.0.113.7' });
    const key = await keyOf(ann, path);
    expect(await statusWith(key)).toBe(403);
    await ann.follow(await ann.post(`${path}/change`, { addresses: '127.0.0.1\n::1' }));
    await ann.follow(await ann.post(`${path}/change`, { name: 'After' }));
    const page = await ann.follow(await ann.post(`${path}/change`, { expires: '' }));
    for (const told of ['<h1>After', '<dd>127.0.0.1, ::1</dd>', 'Expires</dt><dd>never</dd>']) {
      expect(page.text).toContain(told);
    }
    await within(2_000, async () => {
      expect(await statusWith(key)).toBe(200);
    });
  });

  it('shows its own limits, or the default ones', async () => {
    const path = await make(ann, { name: 'Limited' });
    expect((await ann.get(path)).text).toContain('<dd>20 per second, 600 per minute</dd>');
    const look = TestLedger.on(service.database);
    await look.cli(['limits', 'set', idIn(path), '5/1s']);
    await look.close();
    expect((await ann.get(path)).text).toContain('<dd>5 per second</dd>');
  });

  it('is audited with the user who changed it, including when its key is shown', async () => {
    const path = await make(bob, { name: 'Audited' });
    const key = await keyOf(bob, path);
    await bob.post(`${path}/rotate`, { overlap: '1h' });
    await bob.post(`${path}/revoke`);
    const look = TestLedger.on(service.database);
    const entries = await look.rows(
      `SELECT action, user_id, state_before, state_after FROM audit_log
       WHERE application_id = ${idIn(path)} ORDER BY id`,
    );
    await look.close();
    expect(entries.map(({ action }) => action)).toEqual([
      'key.create',
      'key.show',
      'key.rotate',
      'key.revoke',
    ]);
    expect(new Set(entries.map(({ user_id }) => Number(user_id)))).toEqual(new Set([2]));
    expect(JSON.stringify(entries)).not.toContain(key);
  });
});

describe("another user's application", () => {
  it('is not found by any page', async () => {
    const path = await make(ann, { name: 'Ann’s own' });
    const key = await keyOf(ann, path);
    await bob.get(PATH);
    const ask = async (id: string): Promise<Answer[]> => [
      await bob.get(`${PATH}/${id}`),
      await bob.post(`${PATH}/${id}/key`),
      await bob.post(`${PATH}/${id}/rotate`, { overlap: '0' }),
      await bob.post(`${PATH}/${id}/end-overlap`),
      await bob.post(`${PATH}/${id}/change`, { name: 'Bob’s' }),
      await bob.post(`${PATH}/${id}/change`, { access: 'read' }),
      await bob.post(`${PATH}/${id}/change`, { expires: dayIn(1) }),
      await bob.post(`${PATH}/${id}/change`, { addresses: '127.0.0.1' }),
      await bob.post(`${PATH}/${id}/revoke`),
    ];
    const foreign = await ask(idIn(path));
    const unknown = await ask('999999');
    // A form has the address of its page.
    const textOf = ({ text }: Answer, id: string) => text.replaceAll(`${PATH}/${id}`, PATH);
    for (const [index, answer] of foreign.entries()) {
      expect(answer.status).toBe(404);
      const other = unknown[index];
      expect(textOf(answer, idIn(path))).toBe(other && textOf(other, '999999'));
    }
    for (const id of ['0', '-1', '1e3', '%D9%A3', 'x', '99999999999999999999', '%00']) {
      expect((await bob.get(`${PATH}/${id}`)).status).toBe(404);
    }
    expect((await bob.get(PATH)).text).not.toContain('Ann’s own');
    expect(await statusWith(key)).toBe(200);
    expect((await ann.get(path)).text).toContain('<h1>Ann’s own');
  });
});

describe('a hostile name', () => {
  it('is shown as plain text', async () => {
    const markup = Object.values(HOSTILE)
      .flat()
      .filter((text) => /[<>"'&]/.test(text) && !/\p{Cc}/u.test(text))
      .filter((text) => text.trim() === text && text.length < 200);
    expect(markup.length).toBeGreaterThan(10);
    for (const name of markup) {
      const { status, text } = await ann.get(await make(ann, { name }));
      expect(status).toBe(200);
      const shown = /<h1>([^<]*) <span class="badge active">/.exec(text)?.[1] ?? '';
      expect(unescaped(shown)).toBe(name);
    }
  });
});

/** Returns the text of a page without its tags. */
function unmarked(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '');
}

function unescaped(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
