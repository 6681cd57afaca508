import { Metrics } from '../../../src/observability/metrics/metrics.js';
import type { TestService } from '../servers/service.js';

/** What a metric of the service shows for each value of its one label, by its name behind the common beginning. */
export async function statesOf(
  service: TestService,
  metric: string,
): Promise<Record<string, number>> {
  const text = await service.app.get(Metrics).registry.metrics();
  const line = new RegExp(`^vendor_reporting_${metric}\\{\\w+="(\\w+)"\\} (\\d+)$`, 'gm');
  return Object.fromEntries(
    Array.from(text.matchAll(line), ([, state = '', count]): [string, number] => [
      state,
      Number(count),
    ]),
  );
}
