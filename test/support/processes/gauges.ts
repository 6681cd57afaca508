import { Metrics } from '../../../src/platform/observability/metrics.js';
import type { TestService } from '../servers/service.js';

/**
 * Reads the values of a metric that has one label.
 * @param name its name without the common prefix
 * @returns its value for each value of the label
 */
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
