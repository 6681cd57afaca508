// Prints the results as a table, and whether they meet their targets.
const TARGETS = {
  floor: 'a floor',
  naive: 'b naive',
  nest: 'Nest route',
  service: 'c service',
  uncached: 'c service, no page cache',
};

export function figuresTable(results) {
  const rows = results.map(({ load, target, rate, p50, p99, wrk, toFloor, toNaive }) => [
    load,
    TARGETS[target],
    figure(rate),
    figure(p50),
    figure(p99),
    figure(wrk),
    figure(toFloor),
    figure(toNaive),
  ]);
  const head = ['load', 'target', 'requests/s', 'p50 ms', 'p99 ms', 'wrk', 'x floor', 'x (b)'];
  return table([head, ...rows]);
}

/** Adds the ratios to the floor and to the naive service to each result of this service. */
export function withRatios(results) {
  return results.map((result) => {
    if (!['service', 'uncached'].includes(result.target)) return result;
    const to = (target) => ratio(result, find(results, result.load, target));
    return { ...result, toFloor: to('floor'), toNaive: to('naive') };
  });
}

/** @returns {object[]} { what, bar, measured, met } for each measured bar */
export function barsOf(results, parts) {
  const rate = (load, target) => find(results, load, target);
  const against = (load, other) => ratio(rate(load, 'service'), rate(load, other));
  const slower = (load, than) => ratio(rate(than, 'uncached'), rate(load, 'uncached'));
  const least = (what, bar, measured) => ({
    what,
    bar: `>= ${bar} x`,
    measured,
    met: measured >= bar,
  });
  const most = (what, bar, measured, unit = 'x') => ({
    what,
    bar: `<= ${bar} ${unit}`,
    measured,
    met: measured <= bar,
  });
  return [
    least('random pages of a month : floor', 0.9, against('random-month', 'floor')),
    least('the same page again : floor', 3.5, against('same-page', 'floor')),
    least('If-None-Match hit : floor', 3, against('not-modified', 'floor')),
    least(
      'a month, uncached : (b)',
      100,
      ratio(rate('month-first', 'uncached'), rate('month-first', 'naive')),
    ),
    most(
      'time of the last page of two years : of the first',
      1.5,
      slower('two-years-last', 'two-years-first'),
    ),
    most(
      'time of the big vendor : of the small',
      1.2,
      slower('big-vendor-month', 'small-vendor-month'),
    ),
    least('single transaction : Nest route', 0.9, against('single', 'nest')),
    least('2.0 feed : floor', 0.8, against('feed', 'floor')),
    least('import : bare INSERT', 0.55, parts.import?.ratio),
    ...outgoingBars(most, parts.changes ?? {}),
    most(
      '1,000 endpoints of webhooks served',
      60,
      parts.webhooks?.['1,000 endpoints served beside pages, s'],
      's',
    ),
    least(
      'pages meanwhile : alone',
      0.5,
      parts.webhooks?.['pages while endpoints are served : alone'],
    ),
    most('report of any range', 100, parts.report?.mostMs, 'ms'),
    ...['mysql', 'sqlite'].map((name) =>
      most(`any account page, ${name}`, 100, parts.pages?.[`${name} slowest page, ms`], 'ms'),
    ),
    most('resident memory under load', 200, parts.memory?.highest, 'MiB'),
    most('memory at the end : soon after the start', 1.05, parts.memory?.growth),
  ].filter(({ measured }) => measured !== undefined);
}

function outgoingBars(most, figures) {
  const ofFormat = ([format, bar]) => [
    most(`export as ${format}`, bar, figures[`export as ${format}, s`], 's'),
    most(`its memory`, 250, figures[`export as ${format}, MiB resident`], 'MiB'),
  ];
  return [
    most('last page of the feed of changes : first', 1.2, figures['last page : first']),
    most('walk of the feed', 60, figures['walk of the feed, s'], 's'),
    ...Object.entries({ ndjson: 40, csv: 40, parquet: 60 }).flatMap(ofFormat),
    most('2,000 waiting clients', 100, figures['MiB of 2,000 waiting clients'], 'MiB'),
  ];
}

export function barsTable(bars) {
  const rows = bars.map(({ what, bar, measured, met }) => [
    what,
    bar,
    figure(measured),
    met ? 'yes' : 'NO',
  ]);
  return table([['what', 'bar', 'measured', 'met'], ...rows]);
}

function find(results, load, target) {
  return results.find((result) => result.load === load && result.target === target);
}

/**
 * Returns the ratio of two rates, using those of wrk if there are any. Returns undefined if a
 * target answered nothing in its time.
 */
function ratio(one, other) {
  const rateOf = ({ wrk, rate }) => wrk ?? rate;
  return one === undefined || other === undefined || rateOf(other) === 0
    ? undefined
    : rateOf(one) / rateOf(other);
}

export function figure(value) {
  if (value === undefined || value === null) return '';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(3);
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join('  '))
    .join('\n');
}
