// Draws the chart of a report from the data table below it.
const canvas = document.querySelector('canvas[data-chart]');
const rows = [...document.querySelectorAll(`#${canvas.dataset.chart} tbody tr`)];
const heads = [...document.querySelectorAll(`#${canvas.dataset.chart} thead th`)];

/** Only for drawing; the table has the exact amounts. */
function numbers(name) {
  return rows.map((row) => Number(row.querySelector(`[data-${name}]`).dataset[name]));
}

function colours() {
  const style = getComputedStyle(document.documentElement);
  const named = (name) => style.getPropertyValue(`--${name}`).trim();
  return { ink: named('soft'), line: named('line'), gross: named('accent'), net: named('good') };
}

function options({ ink, line }) {
  const axis = { ticks: { color: ink }, grid: { color: line } };
  return {
    animation: false,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    scales: { x: { ...axis, grid: { display: false } }, y: { ...axis, beginAtZero: true } },
    plugins: { legend: { labels: { color: ink } } },
  };
}

function dataWith({ gross, net }) {
  return {
    labels: rows.map((row) => row.querySelector('th').textContent),
    datasets: [
      {
        ...{ type: 'bar', label: heads[2].textContent, data: numbers('gross'), order: 2 },
        backgroundColor: gross,
      },
      {
        ...{ type: 'line', label: heads[4].textContent, data: numbers('net'), order: 1 },
        ...{ borderColor: net, backgroundColor: net, pointRadius: rows.length > 40 ? 0 : 3 },
      },
    ],
  };
}

const chart = new Chart(canvas, { data: dataWith(colours()), options: options(colours()) });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  Object.assign(chart, { data: dataWith(colours()), options: options(colours()) });
  chart.update();
});
canvas.dataset.drawn = 'true';
