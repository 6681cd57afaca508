/** Guide and reference as Markdown, and the list of both at `/llms.txt`. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { user } from '../../support/builders/ledger-records.js';
import { operationsOf, VERSIONS, fileOfVersion } from '../../support/oracles/operations.js';
import { TestService } from '../../support/servers/service.js';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await TestService.start({ PUBLIC_URL: 'https://reports.example/below' });
  await service.import([user(1)]);
  key = await service.key(1);
});
afterAll(() => service.stop());

async function textAt(path: string, type: string): Promise<string> {
  const { status, headers, text } = await service.send({ path });
  expect([path, status, headers['content-type']]).toEqual([path, 200, `${type}; charset=utf-8`]);
  expect(headers['cache-control']).toBe('public, no-cache');
  return text;
}

it('lists texts that exist, without a key', async () => {
  const text = await textAt('/llms.txt', 'text/plain');
  const links = [...text.matchAll(/\]\(\/below(\/[^)]+)\)/g)].map(([, path = '']) => path);
  expect(links).toContain('/docs/guide.md');
  expect(links).toContain('/docs/ledger-1.md');
  for (const path of links) expect((await service.send({ path })).status).toBe(200);
  expect(text).toContain('/below/mcp');
});

it('shows the guide with all snippets and no HTML', async () => {
  const text = await textAt('/docs/guide.md', 'text/markdown');
  const prose = text.replaceAll(/```[^`]*```/g, '').replaceAll(/`[^`]*`/g, '');
  expect(prose).not.toMatch(/<[a-z!/]|&\w+;/);
  const { text: html } = await service.send({ path: '/docs/guide' });
  for (const [, title] of html.matchAll(/<h[23] id="[^"]+">([^<]+)/g)) {
    if (title !== 'Further reading') expect(text).toContain(`# ${title}\n`);
  }
  for (const [, file = ''] of html.matchAll(/href="\/below\/docs\/guide\/([^"]+)"/g)) {
    const { text: code } = await service.send({ path: `/docs/guide/${file}` });
    expect(text).toContain(code.trimEnd());
  }
});

it.each(VERSIONS)('shows every operation of %s', async (version) => {
  const text = await textAt(`/docs/${fileOfVersion(version)}.md`, 'text/markdown');
  for (const operation of await operationsOf(service, version, key)) {
    expect(text).toContain(`\n## ${operation}\n`);
  }
  expect(text).not.toContain('undefined');
});
