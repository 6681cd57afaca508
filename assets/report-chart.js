// Draws the chart of a report from the data table below it.
const canvas = document.querySelector('canvas[data-chart]');
const rows = [...document.querySelectorAll(`#${canvas.dataset.chart} tbody tr`)];
const heads = [...document.querySelectorAll(`#${canvas.dataset.chart} thead th`)];
const { compared, before, after } = canvas.dataset;
const AMOUNT = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });

/** The cell of each row; null where the compared range has no such period. */
function cells(name) {
  return rows.map((row) => row.querySelector(`[data-${name}]`));
}

/** A series: its numbers only for drawing, its texts exact. */
function series(name) {
  const found = cells(name);
  const field = name.replace(/-(\w)/, (_, letter) => letter.toUpperCase());
  return {
    data: found.map((cell) => cell && Number(cell.dataset[field])),
    texts: found.map((cell) => cell?.textContent),
  };
}

function colours() {
  const style = getComputedStyle(document.documentElement);
  const named = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    ...{ ink: named('soft'), line: named('line'), edge: named('edge') },
    ...{ gross: named('accent'), net: named('good') },
  };
}

/** With the currency of the amounts in the table. */
function axisText(value) {
  return `${value < 0 ? '-' : ''}${before}${AMOUNT.format(Math.abs(value))}${after}`;
}

/** The legend has the series as the table has them, and not as they are drawn. */
function inOrder(left, right) {
  return left.datasetIndex - right.datasetIndex;
}

function tooltipText({ dataset, dataIndex }) {
  const period = dataset.periods === undefined ? '' : ` (${dataset.periods[dataIndex]})`;
  return `${dataset.label}${period}: ${dataset.texts[dataIndex]}`;
}

function options({ ink, line }) {
  const axis = { ticks: { color: ink }, grid: { color: line } };
  const amounts = { color: ink, callback: axisText };
  return {
    animation: false,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    scales: {
      x: { ...axis, grid: { display: false } },
      y: { ...axis, ticks: amounts, beginAtZero: true },
    },
    plugins: {
      legend: { labels: { color: ink, sort: inOrder } },
      tooltip: { callbacks: { label: tooltipText } },
    },
  };
}

/** The series of the range, and beside them those of the compared range. */
function dataWith({ gross, net, line, edge }) {
  const labels = [heads[2].textContent, heads[4].textContent];
  const periods = cells('period').map((cell) => cell?.textContent);
  const there = labels.map((label) => ({ label: `${label}, ${compared}`, periods }));
  const datasets = [
    { ...{ type: 'bar', label: labels[0], ...series('gross') }, backgroundColor: gross, order: 2 },
    {
      ...{ type: 'line', label: labels[1], ...series('net'), order: 0 },
      ...{ borderColor: net, backgroundColor: net, pointRadius: rows.length > 40 ? 0 : 3 },
    },
  ];
  if (compared === undefined) return { labels: names(), datasets };
  datasets.push(
    {
      ...{ type: 'bar', ...there[0], ...series('compared-gross'), order: 3 },
      ...{ backgroundColor: line, borderColor: edge, borderWidth: 1 },
    },
    {
      ...{ type: 'line', ...there[1], ...series('compared-net'), order: 1, pointRadius: 0 },
      ...{ borderColor: edge, backgroundColor: 'transparent', borderDash: [6, 4], borderWidth: 2 },
    },
  );
  return { labels: names(), datasets };
}

function names() {
  return rows.map((row) => row.querySelector('th').textContent);
}

const chart = new Chart(canvas, { data: dataWith(colours()), options: options(colours()) });
// The colours of the print style sheet are those of light paper.
for (const media of ['(prefers-color-scheme: dark)', 'print']) {
  matchMedia(media).addEventListener('change', () => {
    Object.assign(chart, { data: dataWith(colours()), options: options(colours()) });
    chart.resize();
    chart.update();
  });
}
canvas.dataset.drawn = 'true';
