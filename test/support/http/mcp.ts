import { expect } from '@jest/globals';
import type { TestService } from '../servers/service.js';
import { basic, type Answer } from './http.js';

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** Represents the answer to a message of JSON-RPC. */
export interface RpcAnswer {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** Sends messages of the Model Context Protocol without a library. */
export class McpCaller {
  private id = 0;

  constructor(
    private readonly service: TestService,
    private readonly key: string,
    private readonly revision: Revision = '2025-11-25',
  ) {}

  /** Sends a request, with what the revision demands. */
  send(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    this.id += 1;
    const isModern = this.revision === '2026-07-28';
    const own = isModern ? { ...params, _meta: META } : params;
    const { name } = params;
    return this.service.send({
      method: 'POST',
      path: '/mcp',
      headers: {
        ...basic(this.key),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': this.revision,
        ...(isModern && { 'Mcp-Method': method }),
        ...(isModern && typeof name === 'string' && { 'Mcp-Name': name }),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: this.id, method, params: own }),
    });
  }

  async rpc(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<RpcAnswer> {
    return rpcOf(await this.send(method, params));
  }

  /** Returns the names of the tools that the key sees. */
  async toolNames(): Promise<string[]> {
    const { result } = await this.rpc('tools/list');
    const { tools } = JSON.parse(JSON.stringify(result)) as { tools: { name: string }[] };
    return tools.map(({ name }) => name);
  }

  call(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<RpcAnswer> {
    return this.rpc('tools/call', { name, arguments: given });
  }

  /** Returns the data of a call that succeeds. */
  async data(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<ToolData> {
    const answer = await this.call(name, given);
    expect(answer.error).toBeUndefined();
    return dataOf(answer);
  }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export type ToolData = Readonly<Record<string, unknown>> & {
  readonly results: readonly Readonly<Record<string, unknown>>[];
};

export function rpcOf({ text }: Answer): RpcAnswer {
  return JSON.parse(text) as RpcAnswer;
}

/** Returns the data of a result, which is its last block of text. */
export function dataOf({ result }: RpcAnswer): ToolData {
  const { content } = result as unknown as { content: readonly { readonly text: string }[] };
  return JSON.parse(content.at(-1)?.text ?? '') as ToolData;
}
