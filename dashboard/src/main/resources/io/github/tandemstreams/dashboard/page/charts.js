// The plots, drawn by uPlot. Each tells its numbers in words as well, and follows light and dark.

import uPlot from './uPlot.esm.js';
import { h, setText } from './dom.js';
import { compact, duration, number, rate } from './format.js';

const HEIGHT = 132;
const SHARED_CURSOR = 'tandem';

/** Those that the log of commits has: a row that is written by a commit can't tell how long that took. */
export const PHASES = ['PLAN', 'QUEUE', 'DECODE', 'HANDLER'];

const dark = matchMedia('(prefers-color-scheme: dark)');

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Plots: title, what a number is written like, and the lines; the lines of a stack are those below added up. */
const PLOTS = [
  { title: 'Input rate', text: rate, lines: [{ of: sample => sample.inputRate }] },
  { title: 'Process rate', text: rate, lines: [{ of: sample => sample.processRate }] },
  { title: 'Lag', text: value => `${number(value)} records`, axis: compact, lines: [{ of: sample => sample.lag }] },
  { title: 'Input records', text: value => `${number(value)} a batch`, axis: compact, lines: [{ of: sample => sample.records }] },
  { title: 'Batch duration', text: duration, lines: [{ of: sample => sample.duration }] },
  {
    title: 'Duration by phase',
    text: duration,
    stacked: true,
    lines: PHASES.map(phase => ({ name: phase.toLowerCase(), of: sample => sample.phases[phase] })),
  },
];

/** All plots of a stream. */
export function plots(samples) {
  const all = PLOTS.map(plot => chart(plot, samples));
  const element = h('div', { class: 'plots' }, all.map(one => one.element));
  return {
    element,
    update: () => all.forEach(one => one.update()),
    stop: () => all.forEach(one => one.stop()),
  };
}

function chart(plot, samples) {
  const title = h('span', { class: 'title' }, plot.title);
  const value = h('span', { class: 'value' });
  const inWords = h('p', { class: 'unseen' });
  const keys = plot.lines.map(line => h('span', { class: 'amount' }));
  const canvas = h('div', { class: 'canvas', 'aria-hidden': 'true' });
  const legend = plot.stacked && h('ul', { class: 'legend', 'aria-hidden': 'true' }, plot.lines.map((line, i) =>
    h('li', {}, h('span', { class: `swatch phase-${i}` }), line.name, ' ', keys[i])));
  const element = h('figure', { class: 'plot' }, h('figcaption', {}, title, value), canvas, legend, inWords);

  let pointed = null;
  const drawn = new uPlot(options(plot, index => {
    pointed = index;
    tell();
  }), columns(plot, samples), canvas);

  const room = new ResizeObserver(() => {
    if (canvas.clientWidth > 0 && canvas.clientWidth !== drawn.width) {
      drawn.setSize({ width: canvas.clientWidth, height: HEIGHT });
    }
  });
  room.observe(canvas);
  const redraw = () => drawn.redraw(false, true);
  dark.addEventListener('change', redraw);

  function tell() {
    const at = pointed !== null && pointed < samples.all.length ? pointed : lastKnown(plot, samples);
    const sample = samples.all[at];
    const numbers = plot.lines.map(line => (sample ? line.of(sample) : null));
    setText(value, numbers.every(one => one === null || one === undefined)
      ? 'no data yet' : plot.text(numbers.reduce((sum, one) => sum + (one ?? 0), 0)));
    if (plot.stacked) {
      keys.forEach((key, i) => setText(key, plot.text(numbers[i])));
    }
  }

  return {
    element,
    update() {
      drawn.setData(columns(plot, samples));
      tell();
      setText(inWords, summary(plot, samples));
    },
    stop() {
      room.disconnect();
      dark.removeEventListener('change', redraw);
      drawn.destroy();
    },
  };
}

/** Batches don't end in every interval: what is told is the newest number that there is. */
function lastKnown(plot, samples) {
  for (let i = samples.all.length - 1; i >= 0; i--) {
    if (plot.lines.some(line => typeof line.of(samples.all[i]) === 'number')) {
      return i;
    }
  }
  return samples.all.length - 1;
}

function summary(plot, samples) {
  const totals = samples.all
    .map(sample => plot.lines.map(line => line.of(sample)).filter(value => typeof value === 'number'))
    .filter(values => values.length > 0)
    .map(values => values.reduce((sum, value) => sum + value, 0));
  if (totals.length === 0) {
    return `${plot.title}: no data yet.`;
  }
  return `${plot.title}: ${plot.text(totals[totals.length - 1])} now, between ${plot.text(Math.min(...totals))} and `
    + `${plot.text(Math.max(...totals))} in the last quarter of an hour.`;
}

/** Of a stack the largest sum first, so that the smaller ones are drawn over it. */
function columns(plot, samples) {
  const lines = plot.lines.map(line => samples.column(line.of));
  if (!plot.stacked) {
    return [samples.seconds, ...lines];
  }
  for (let i = 1; i < lines.length; i++) {
    lines[i] = lines[i].map((value, at) => (value === null ? null : value + (lines[i - 1][at] ?? 0)));
  }
  return [samples.seconds, ...lines.reverse()];
}

function options(plot, onPointed) {
  const axis = plot.axis ?? plot.text;
  const series = plot.lines.map((line, i) => (plot.stacked
    ? {
      width: 1,
      spanGaps: true,
      stroke: () => colour('--sheet'),
      fill: () => colour(`--phase-${plot.lines.length - 1 - i}`),
      points: { show: false },
    }
    : {
      width: 1.5,
      spanGaps: true,
      stroke: () => colour('--accent'),
      fill: () => colour('--accent-wash'),
      points: { show: false },
    }));
  const lines = {
    stroke: () => colour('--faint'),
    font: '11px system-ui, sans-serif',
    grid: { stroke: () => colour('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: 320,
    height: HEIGHT,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: {
      sync: { key: SHARED_CURSOR },
      y: false,
      drag: { x: false, y: false },
      points: plot.stacked ? { show: false } : { size: 6 },
    },
    scales: { x: { time: true }, y: { range: (u, min, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      {
        ...lines,
        grid: { show: false },
        size: 24,
        space: 70,
        values: (u, times) => times.map(at => {
          const date = new Date(at * 1000);
          return `${date.getHours()}:${String(date.getMinutes()).padStart(2, '0')}`;
        }),
        incrs: [60, 120, 300, 600, 900],
      },
      { ...lines, size: 58, space: 30, values: (u, values) => values.map(axis) },
    ],
    series: [{}, ...series],
    hooks: { setCursor: [u => onPointed(u.cursor.idx ?? null)] },
  };
}

/** A line without axes, for many streams below each other. It says nothing that isn't told in numbers beside it. */
export function sparkline(samples, of) {
  const element = h('div', { class: 'spark', 'aria-hidden': 'true' });
  const drawn = new uPlot({
    width: 120,
    height: 30,
    padding: [2, 0, 2, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: true }, y: { range: (u, min, max) => [0, max > 0 ? max * 1.05 : 1] } },
    axes: [{ show: false }, { show: false }],
    series: [{}, {
      width: 1.25,
      spanGaps: true,
      stroke: () => colour('--accent'),
      fill: () => colour('--accent-wash'),
      points: { show: false },
    }],
  }, [samples.seconds, samples.column(of)], element);
  const redraw = () => drawn.redraw(false, true);
  dark.addEventListener('change', redraw);
  return {
    element,
    update: () => drawn.setData([samples.seconds, samples.column(of)]),
    stop() {
      dark.removeEventListener('change', redraw);
      drawn.destroy();
    },
  };
}
