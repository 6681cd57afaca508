import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LoggerService } from '@nestjs/common';
import { JSON_TYPE } from '../../api/envelope/rendered-answer.js';
import { codeOf } from '../errors/is-error.js';
import { METRIC_PREFIX } from './metrics.js';
import type { ManagementSettings } from '../../config/settings/transport-settings.js';
import { SettingError } from '../../config/read-value.js';
import { isUnknownHost } from '../../api/server/unknown-host.js';
import type { DatabaseProbe } from './database-probe.js';
import type { Health } from './health.js';

const CONTEXT = 'Management';
const TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** Serves health and metrics on a separate port, which API clients cannot reach. */
export class ManagementServer {
  private readonly server: Server;

  /** @param metrics returns the metrics of all processes in the Prometheus text format */
  constructor(
    private readonly settings: ManagementSettings,
    private readonly health: Health,
    private readonly probe: DatabaseProbe,
    private readonly metrics: () => Promise<string>,
    private readonly logger: LoggerService,
  ) {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => {
        if (response.headersSent) response.destroy();
        else send(response, 500, TEXT, 'unavailable\n');
      });
    });
    // An open connection must not keep the process alive.
    this.server.unref();
  }

  /**
   * @throws SettingError if the host is not an address of this machine, or if the configured port
   * is in use
   */
  async listen(): Promise<void> {
    const { port, host, portIsDefault } = this.settings;
    if (port === null) return;
    this.server.listen(port, host);
    try {
      await once(this.server, 'listening');
    } catch (error) {
      const code = codeOf(error);
      if (isUnknownHost(error) || code === 'EADDRNOTAVAIL') {
        throw new SettingError('MANAGEMENT_HOST', 'this machine has no such address', '127.0.0.1');
      }
      if (code !== 'EADDRINUSE' || !portIsDefault) {
        throw new SettingError('MANAGEMENT_PORT', 'cannot be listened on', '3002');
      }
      const problem = `Port ${port} is in use: this process serves no health and no metrics.`;
      this.logger.warn(`${problem} Set MANAGEMENT_PORT to another port, or to off.`, CONTEXT);
      return;
    }
    const { port: chosen } = this.server.address() as AddressInfo;
    this.logger.log(`Health and metrics on http://${host}:${chosen}`, CONTEXT);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.method === 'GET' || request.method === 'HEAD' ? request.url : undefined;
    if (path === '/health/live') send(response, 200, JSON_TYPE, '{"status":"live"}\n');
    else if (path === '/health/ready') {
      const status = await this.health.readiness();
      const code = status === 'ready' ? 200 : 503;
      send(response, code, JSON_TYPE, `${JSON.stringify({ status })}\n`);
    } else if (path === '/metrics') {
      send(response, 200, TEXT, (await this.metrics()) + (await this.ownMetrics()));
    } else send(response, 404, TEXT, 'not found\n');
  }

  /** Returns the metrics that do not belong to a single process. */
  private async ownMetrics(): Promise<string> {
    const isReady = (await this.health.readiness()) === 'ready';
    const { arrivals } = await this.probe.probe();
    const ready = metric('ready', 'gauge', '1 if requests should be sent here.', isReady ? 1 : 0);
    if (arrivals === null) return ready;
    const help = 'Transactions ever imported.';
    return ready + metric('ledger_arrivals_total', 'counter', help, arrivals);
  }
}

function metric(name: string, type: string, help: string, value: number): string {
  const full = METRIC_PREFIX + name;
  return `\n# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${full} ${value}\n`;
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  response.end(body);
}
