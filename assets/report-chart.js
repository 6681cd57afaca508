// Draws the chart of a report from the data table below it.
const canvas = document.querySelector('canvas[data-chart]');
const rows = [...document.querySelectorAll(`#${canvas.dataset.chart} tbody tr`)];
const links = rows.map((row) => row.querySelector('[data-name]'));
const { compared, before, after } = canvas.dataset;
const metric = document.querySelector('[data-metric]');
const metricName = document.querySelector('[data-metric-name]');
/** Figures that are amounts of money. */
const MONEY = ['net', 'gross'];
const AMOUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const FONT = { family: getComputedStyle(document.body).fontFamily };

/** Bars of one period are at most this wide, in pixels. */
const BAR = { type: 'bar', maxBarThickness: 60, borderRadius: 3 };

/** Numbers of lines across a high and a low chart. With more of them, the axis fits the bars. */
const [TICKS, FEW_TICKS] = [9, 6];

/** Returns the cell of each row, or null if the compared range has no such period. */
function cells(name) {
  return rows.map((row) => row.querySelector(`[data-${name}]`));
}

/** Returns a series: numbers only for drawing, and exact texts. */
function series(name) {
  const found = cells(name);
  const field = name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
  const data = found.map((cell) => cell && Number(cell.dataset[field]));
  // A cell may have a number of transactions beside another text.
  const textOf = (cell, at) => (isMoney() ? cell?.textContent : AMOUNT.format(data[at]));
  return { data, texts: found.map(textOf) };
}

/** Returns true if the chosen figure is an amount of money. */
function isMoney() {
  return MONEY.includes(metric.value);
}

function colours() {
  const style = getComputedStyle(document.documentElement);
  const named = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    ...{ ink: named('soft'), line: named('line') },
    ...{ bar: named('accent'), before: named('bar-before') },
  };
}

/** Returns the text of an axis, with the currency of the amounts in the table. */
function axisText(value) {
  if (!isMoney()) return AMOUNT.format(value);
  return `${value < 0 ? '−' : ''}${before}${AMOUNT.format(Math.abs(value))}${after}`;
}

/** Returns the text of a period; a day has no year here. */
function periodText(index) {
  return names()[index].replace(/^(\d+ \w+) \d{4}$/, '$1');
}

/** Sorts the legend in the order of the table, and not in that of drawing. */
function inOrder(left, right) {
  return left.datasetIndex - right.datasetIndex;
}

function tooltipText({ dataset, dataIndex }) {
  const period = dataset.periods === undefined ? '' : ` (${dataset.periods[dataIndex]})`;
  return `${dataset.named ?? dataset.label}${period}: ${dataset.texts[dataIndex]}`;
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
  const maxTicksLimit = canvas.closest('.low') === null ? TICKS : FEW_TICKS;
  const amounts = { ...ticks, callback: axisText, maxTicksLimit, precision: precision() };
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
        display: compared !== undefined,
        align: 'end',
        labels: { color: ink, sort: inOrder, font: FONT, boxWidth: 10, boxHeight: 10 },
      },
      tooltip: { callbacks: { label: tooltipText } },
    },
  };
}

/** Numbers of transactions have no decimal places. */
function precision() {
  return isMoney() ? undefined : 0;
}

/**
 * Returns the series of the chosen figure, and beside it that of the compared range. The title of
 * the chart names the figure, so the legend names only the ranges.
 */
function chosenData({ bar, before }) {
  const named = metric.selectedOptions[0].textContent;
  const own = {
    ...{ ...BAR, label: 'This period', named, ...series(metric.value) },
    backgroundColor: fills(bar),
  };
  if (compared === undefined) return { labels: names(), datasets: [own] };
  const there = {
    ...{ ...BAR, label: capitalized(compared), ...series(`compared-${metric.value}`) },
    periods: cells('period').map((cell) => cell?.textContent),
    backgroundColor: before,
  };
  return { labels: names(), datasets: [own, there] };
}

function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function names() {
  return links.map((link) => link.textContent);
}

function redraw() {
  metricName.textContent = metric.selectedOptions[0].textContent;
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
