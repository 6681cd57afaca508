// Draws the chart of a report from the data table below it.
const canvas = document.querySelector('canvas[data-chart]');
const rows = [...document.querySelectorAll(`#${canvas.dataset.chart} tbody tr`)];
const links = rows.map((row) => row.querySelector('[data-name]'));
const heads = [...document.querySelectorAll(`#${canvas.dataset.chart} thead th`)];
const { compared, before, after } = canvas.dataset;
const metric = document.querySelector('[data-metric]');
const AMOUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const FONT = { family: getComputedStyle(document.body).fontFamily };

/** Bars of one period are at most this wide, in pixels. */
const BAR = { type: 'bar', maxBarThickness: 60, borderRadius: 3 };

/** Returns the cell of each row, or null if the compared range has no such period. */
function cells(name) {
  return rows.map((row) => row.querySelector(`[data-${name}]`));
}

/** Returns a series: numbers only for drawing, and exact texts. */
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
    ...{ gross: named('bar'), before: named('bar-before'), net: named('accent') },
  };
}

/** Returns the text of an axis, with the currency of the amounts in the table. */
function axisText(value) {
  if (metric.value !== 'money') return AMOUNT.format(value);
  return `${value < 0 ? '-' : ''}${before}${AMOUNT.format(Math.abs(value))}${after}`;
}

/** Returns the text of a period, with a day as `1 Oct`. */
function periodText(index) {
  const name = names()[index];
  return /^\d{4}-\d\d-\d\d$/.test(name) ? DAY.format(new Date(name)) : name;
}

/** Sorts the legend in the order of the table, and not in that of drawing. */
function inOrder(left, right) {
  return left.datasetIndex - right.datasetIndex;
}

function tooltipText({ dataset, dataIndex }) {
  const period = dataset.periods === undefined ? '' : ` (${dataset.periods[dataIndex]})`;
  return `${dataset.label}${period}: ${dataset.texts[dataIndex]}`;
}

/** Returns stripes, which mark a period that has not ended. */
function striped(colour) {
  const tile = document.createElement('canvas');
  [tile.width, tile.height] = [8, 8];
  const pen = tile.getContext('2d');
  pen.strokeStyle = colour;
  pen.lineWidth = 3;
  for (const left of [-8, 0, 8]) {
    pen.moveTo(left, 8);
    pen.lineTo(left + 8, 0);
  }
  pen.stroke();
  return canvas.getContext('2d').createPattern(tile, 'repeat');
}

/** Returns the colour of each bar. */
function fills(colour) {
  const unfinished = striped(colour);
  return rows.map((row) => (row.querySelector('[data-unfinished]') ? unfinished : colour));
}

/** Opens the transactions of the period at the pointer. */
function openPeriod(_event, [element]) {
  if (element !== undefined) links[element.index].click();
}

function showPointer(event, [element]) {
  event.native.target.style.cursor = element === undefined ? 'default' : 'pointer';
}

function options({ ink, line }) {
  const ticks = { color: ink, font: FONT };
  const axis = { border: { display: false }, grid: { color: line } };
  const amounts = { ...ticks, callback: axisText, maxTicksLimit: 6, precision: precision() };
  const days = { ...ticks, callback: periodText, maxRotation: 0, autoSkipPadding: 24 };
  return {
    animation: false,
    maintainAspectRatio: false,
    onClick: openPeriod,
    onHover: showPointer,
    interaction: { mode: 'index', intersect: false },
    scales: {
      x: { ...axis, ticks: days, grid: { display: false } },
      y: { ...axis, ticks: amounts, beginAtZero: true },
    },
    plugins: {
      legend: {
        align: 'end',
        labels: { color: ink, sort: inOrder, font: FONT, boxWidth: 10, boxHeight: 10 },
      },
      tooltip: { callbacks: { label: tooltipText } },
    },
  };
}

/** Numbers of transactions have no decimal places. */
function precision() {
  return metric.value === 'money' ? undefined : 0;
}

function chosenData(colour) {
  return metric.value === 'money' ? dataWith(colour) : countsWith(colour);
}

/** Returns the series of a number of transactions. */
function countsWith({ gross }) {
  const label = metric.selectedOptions[0].textContent;
  const bars = { ...BAR, label, ...series(metric.value), backgroundColor: fills(gross) };
  return { labels: names(), datasets: [bars] };
}

/** Returns the series of the range, and beside them those of the compared range. */
function dataWith({ gross, net, before, edge }) {
  const labels = [heads[2].textContent, heads[4].textContent];
  const periods = cells('period').map((cell) => cell?.textContent);
  const there = labels.map((label) => ({ label: `${label}, ${compared}`, periods }));
  const datasets = [
    { ...BAR, label: labels[0], ...series('gross'), backgroundColor: fills(gross), order: 2 },
    {
      ...{ type: 'line', label: labels[1], ...series('net'), order: 0 },
      ...{
        borderColor: net,
        backgroundColor: net,
        pointRadius: rows.length > 1 ? 0 : 4,
        borderWidth: 2,
      },
    },
  ];
  if (compared === undefined) return { labels: names(), datasets };
  datasets.push(
    {
      ...{ ...BAR, ...there[0], ...series('compared-gross'), order: 3 },
      backgroundColor: before,
    },
    {
      ...{ type: 'line', ...there[1], ...series('compared-net'), order: 1, pointRadius: 0 },
      ...{
        borderColor: edge,
        backgroundColor: 'transparent',
        borderDash: [4, 4],
        borderWidth: 1.5,
        tension: 0.2,
      },
    },
  );
  return { labels: names(), datasets };
}

function names() {
  return links.map((link) => link.textContent);
}

function redraw() {
  Object.assign(chart, { data: chosenData(colours()), options: options(colours()) });
  chart.resize();
  chart.update();
}

const chart = new Chart(canvas, { data: chosenData(colours()), options: options(colours()) });
metric.parentElement.hidden = false;
metric.addEventListener('change', redraw);
// The colours of the print style sheet suit light paper.
for (const media of ['(prefers-color-scheme: dark)', 'print']) {
  matchMedia(media).addEventListener('change', redraw);
}
canvas.dataset.drawn = 'true';
