// Draws the charts of the page: reads the numbers that stand in #data and gives each to uPlot, and again when
// the width or the colour scheme changes. Counts and thins nothing: that was done when the page was written.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const places = [...document.querySelectorAll(".chart")];
  const family = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
  const height = 300;
  let drawn = [];

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const shown = (unit) => (u, value) => (value == null ? "–" : `${+value.toFixed(2)}${unit}`);

  // The second line is broken, so that the first shows where both lie together.
  const dashOf = (place) => (place === 0 ? [] : [8, 5]);

  // Rows of one x and a value for each series, as uPlot wants them, from lists of [x, value].
  const joined = (lists) => {
    const rows = [];
    lists.forEach(([xs, ys], place) => xs.forEach((x, n) => rows.push([x, place, ys[n]])));
    rows.sort((a, b) => a[0] - b[0]);
    const columns = lists.map((_, place) => rows.map((row) => (row[1] === place ? row[2] : null)));
    return [rows.map((row) => row[0]), ...columns];
  };

  const bars = (chart) => {
    const two = data.labels.length > 1;
    const series = data.labels.map((label, n) => ({
      label,
      stroke: colour(`--s${n}`),
      fill: colour(`--s${n}`),
      width: 0,
      points: { show: false },
      value: shown(" %"),
      paths: uPlot.paths.bars({ align: two ? (n === 0 ? -1 : 1) : 0, size: [two ? 0.42 : 0.85, Infinity] }),
    }));
    const range = [0, chart.width * chart.x.length];
    return { columns: [chart.x, ...chart.series], series, range };
  };

  const steps = (chart) => {
    const series = data.labels.map((label, n) => ({
      label,
      stroke: colour(`--s${n}`),
      width: 2,
      dash: dashOf(n),
      points: { show: false },
      value: shown(""),
      paths: uPlot.paths.stepped({ align: 1 }),
    }));
    return { columns: [chart.x, ...chart.series], series, range: [0, chart.x[chart.x.length - 1]] };
  };

  const noLine = () => null;
  const cloud = (chart) => {
    // A few dots are drawn larger and denser, so that they are seen.
    const areFew = chart.points.every(([xs]) => xs.length < 100);
    const [size, density] = areFew ? [8, "cc"] : [4, "66"];
    const dots = data.labels.map((label, n) => ({
      label: `${label}: dots`,
      stroke: colour(`--s${n}`),
      width: 0,
      paths: noLine,
      points: { show: true, size, width: 0, fill: colour(`--s${n}`) + density },
      value: shown(""),
    }));
    const lines = data.labels.map((label, n) => ({
      label: `${label}: median`,
      stroke: colour(`--s${n}`),
      width: 3,
      dash: dashOf(n),
      spanGaps: true,
      points: { show: false },
      value: shown(""),
    }));
    const columns = joined([...chart.points, ...chart.trend]);
    const last = columns[0][columns[0].length - 1];
    const end = last > 0 ? last : 1;
    return { columns, series: [...dots, ...lines], range: [-0.015 * end, 1.03 * end] };
  };

  // Of a series in a legend: the colour of its replay, fainter for dots.
  const colourOf = (u, place) => {
    const name = `--s${(place - 1) % data.labels.length}`;
    return u.series[place].paths === noLine ? `${colour(name)}66` : colour(name);
  };

  // Room above the greatest value, and below 0 for the lower halves of dots.
  const upTo = (most, kind) => [kind === "cloud" ? -0.02 * most : 0, 1.05 * most];
  // Counts have no fractions.
  const whole = [1, 2, 5].flatMap((n) => [0, 1, 2, 3, 4, 5, 6].map((power) => n * 10 ** power)).sort((a, b) => a - b);

  const kinds = { bars, steps, cloud };

  const draw = () => {
    drawn.forEach((plot) => plot.destroy());
    drawn = data.charts.map((chart, n) => {
      const { columns, series, range } = kinds[chart.kind](chart);
      const axis = (label) => ({
        label,
        stroke: colour("--text"),
        font: `12px ${family}`,
        labelFont: `12px ${family}`,
        labelSize: 20,
        grid: { stroke: colour("--line"), width: 1 },
        ticks: { stroke: colour("--line"), width: 1 },
      });
      const options = {
        width: places[n].clientWidth,
        height,
        padding: [8, 12, 0, 0],
        scales: {
          x: { time: false, range: () => range },
          y: { range: (u, least, most) => upTo(most > 0 ? most : 1, chart.kind) },
        },
        axes: [
          { ...axis(chart.x_axis), size: 36 },
          { ...axis(chart.y_axis), size: 46, ...(chart.kind === "steps" ? { incrs: whole } : {}) },
        ],
        legend: { markers: { fill: colourOf, stroke: colourOf } },
        series: [{ label: chart.x_axis, value: shown("") }, ...series],
        cursor: { drag: { x: false, y: false }, hover: { skip: [null, undefined] } },
      };
      return new uPlot(options, columns, places[n]);
    });
  };

  draw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  let width = document.documentElement.clientWidth;
  addEventListener("resize", () => {
    if (document.documentElement.clientWidth === width) return;
    width = document.documentElement.clientWidth;
    // First away with the old widths, which would hold the columns open.
    drawn.forEach((plot) => plot.setSize({ width: 100, height }));
    drawn.forEach((plot, n) => plot.setSize({ width: places[n].clientWidth, height }));
  });
})();
