/** Compares the metrics that dashboards, alerts and docs use with those that a service exposes. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Labels of each metric, by the metric's name. */
export type MetricLabels = ReadonlyMap<string, ReadonlySet<string>>;

/** Labels that Prometheus or an alert adds. */
const ADDED = ['instance', 'job', 'severity'];
const METRIC = /\b((?:vendor_reporting|process|nodejs)_\w+)(?:\{([^}]*)\})?/g;
const GROUPED = /\bby \(([^)]*)\)/g;
const SHOWN = /\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g;

interface Query {
  readonly expr: string;
  /** Text shown for each series, with its labels in braces. */
  readonly text: string;
}

/** Returns every metric in Prometheus's text format, by the names of its samples. */
export function metricsOf(text: string): MetricLabels {
  const metrics = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = metrics.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    metrics.set(name, known);
  }
  return metrics;
}

/**
 * Returns the metrics and labels that queries use but that do not exist, such as
 * `vendor_reporting_ready{state}`.
 */
export function unknownIn(queries: readonly Query[], metrics: MetricLabels): string[] {
  return queries.flatMap(({ expr, text }) => {
    const used = [...expr.matchAll(METRIC)].map(([, name = '', matchers = '']) => ({
      name,
      labels: Array.from(matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g), ([, label = '']) => label),
    }));
    const known = new Set([
      ...ADDED,
      ...used.flatMap(({ name }) => [...(metrics.get(name) ?? [])]),
    ]);
    const grouped = Array.from(expr.matchAll(GROUPED), ([, labels = '']) => labels.split(/,\s*/));
    const shown = Array.from(text.matchAll(SHOWN), ([, label = '']) => label);
    return [
      ...used.filter(({ name }) => !metrics.has(name)).map(({ name }) => name),
      ...used.flatMap(({ name, labels }) =>
        labels
          .filter((label) => !ADDED.includes(label) && !metrics.get(name)?.has(label))
          .map((label) => `${name}{${label}}`),
      ),
      ...[...grouped.flat(), ...shown]
        .filter((label) => !known.has(label))
        .map((label) => `{${label}} of ${expr}`),
    ];
  });
}

export function alertQueries(file: string): Query[] {
  const { groups } = parse(readFileSync(file, 'utf8')) as {
    groups: { rules: { expr: string; annotations: { summary: string } }[] }[];
  };
  return groups.flatMap(({ rules }) =>
    rules.map(({ expr, annotations }) => ({ expr, text: annotations.summary })),
  );
}

export function dashboardQueries(file: string): Query[] {
  const { panels, templating } = JSON.parse(readFileSync(file, 'utf8')) as {
    panels: { targets: { expr: string; legendFormat: string }[] }[];
    templating: { list: { query: string | { query: string } }[] };
  };
  const variables = templating.list.flatMap(({ query }) =>
    typeof query === 'string' ? [] : [{ expr: query.query, text: '' }],
  );
  const targets = panels.flatMap((panel) => panel.targets);
  return [...variables, ...targets.map(({ expr, legendFormat: text }) => ({ expr, text }))];
}

/** Returns the names and labels in the first two cells of a page's table of metrics. */
export function documentedMetrics(page: string): MetricLabels {
  const rows = readFileSync(page, 'utf8').matchAll(/^\| `(vendor_reporting_\w+)`\s*\|([^|]*)\|/gm);
  return new Map(
    Array.from(rows, ([, name = '', labels = '']) => [
      name,
      // The values of a label follow after a colon.
      new Set(
        Array.from(labels.replace(/:.*/, '').matchAll(/`(\w+)`/g), ([, label = '']) => label),
      ),
    ]),
  );
}
