import { expect } from '@jest/globals';
import { AFFILIATE, VENDOR } from '../builders/all-records.js';
import { basic } from '../http/http.js';
import { dataOf, rpcOf, type ToolData } from '../http/mcp.js';
import type { RecordedService } from '../servers/recorded-service.js';

/** Stores a used confirmation token that has expired, which the service deletes by itself. */
export async function keepOldToken(recorded: RecordedService): Promise<void> {
  await recorded.ledger.run(
    `INSERT INTO mcp_used_tokens (token_id, user_id, expires)
     VALUES ('old', ${AFFILIATE}, '2020-01-01 00:00:00')`,
  );
}

export async function hasNoOldToken(recorded: RecordedService): Promise<boolean> {
  const old = "SELECT token_id FROM mcp_used_tokens WHERE token_id = 'old'";
  return (await recorded.ledger.rows(old)).length === 0;
}

/** Sets affiliate terms with a confirmation. */
export async function changeByAssistant(recorded: RecordedService, key: string): Promise<void> {
  await recorded.ledger.run(
    `UPDATE api_applications SET mcp_writes = 1 WHERE user_id = ${VENDOR} AND access = 'full'`,
  );
  const terms = { affiliate_id: AFFILIATE, product_id: 10, approval_status: 'INSTANT' };
  const { confirmation_token } = await callTool(recorded, key, terms);
  await callTool(recorded, key, { ...terms, confirmation_token });
}

async function callTool(
  recorded: RecordedService,
  key: string,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolData> {
  const params = { name: 'set_affiliate_terms', arguments: given };
  const answer = await recorded.send('POST /mcp', {
    method: 'POST',
    path: '/mcp',
    headers: {
      ...basic(key),
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  expect(rpcOf(answer).error).toBeUndefined();
  return dataOf(rpcOf(answer));
}
