import { Metrics } from '../../../src/observability/metrics/metrics.js';
import type { TestService } from '../servers/service.js';

/** What a gauge of the service shows for each state, by its name behind the common beginning. */
export async function statesOf(
  service: TestService,
  gauge: string,
): Promise<Record<string, number>> {
  const text = await service.app.get(Metrics).registry.metrics();
  const line = new RegExp(`^vendor_reporting_${gauge}\\{state="(\\w+)"\\} (\\d+)$`, 'gm');
  return Object.fromEntries(
    Array.from(text.matchAll(line), ([, state = '', count]): [string, number] => [
      state,
      Number(count),
    ]),
  );
}
