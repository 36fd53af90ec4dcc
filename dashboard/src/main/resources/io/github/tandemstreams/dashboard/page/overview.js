// All streams, one below the other.

import { h, keyed, setHidden, setText } from './dom.js';
import { get } from './api.js';
import { ago, number, rate } from './format.js';
import { live } from './live.js';
import { Samples } from './samples.js';
import { sparkline } from './charts.js';
import { badge, streamState } from './states.js';

export function overview(main) {
  const list = h('ol', { class: 'streams' });
  const nothing = h('p', { class: 'empty', hidden: true }, 'No stream is configured here.');
  main.append(h('h1', { tabindex: '-1' }, 'Streams'), list, nothing);
  const cards = new Map();
  let stopped = false;

  const updates = live(async () => {
    const since = Math.min(...[...cards.values()].map(card => card.samples.newest));
    const streams = await get('streams', { since: Number.isFinite(since) ? since : 0 });
    if (stopped) {
      return;
    }
    setHidden(nothing, streams.length > 0);
    keyed(list, streams, stream => stream.report.stream, stream => {
      const made = card(stream.report.stream);
      cards.set(stream.report.stream, made);
      return made;
    });
  });

  return {
    ready: updates.ready,
    stop() {
      stopped = true;
      updates.stop();
      cards.forEach(one => one.stop());
    },
  };
}

function card(name) {
  const samples = new Samples();
  const line = sparkline(samples, sample => sample.processRate);
  const state = badge(streamState);
  const figures = {
    'In': h('dd'), 'Out': h('dd'), 'Lag': h('dd'), 'Lanes': h('dd'), 'Dead letters': h('dd'), 'Last commit': h('dd'),
  };
  const problem = h('p', { class: 'problem', hidden: true });
  const element = h('li', { class: 'stream' },
    h('div', { class: 'name' },
      h('h2', {}, h('a', { href: `#/streams/${encodeURIComponent(name)}` }, name)),
      state.element),
    line.element,
    h('dl', {}, Object.entries(figures).map(([title, value]) => h('div', {}, h('dt', {}, title), value))),
    problem);
  return {
    element,
    samples,
    stop: line.stop,
    update({ report, samples: later }) {
      samples.add(later);
      line.update();
      state.update(report);
      setText(figures.In, rate(samples.last?.inputRate));
      setText(figures.Out, rate(samples.last?.processRate));
      setText(figures.Lag, number(report.lag));
      setText(figures.Lanes, number(Object.values(report.lanes).reduce((sum, lanes) => sum + lanes, 0)));
      setText(figures['Dead letters'], number(report.deadLetters));
      setText(figures['Last commit'], ago(report.lastCommit));
      figures['Dead letters'].classList.toggle('warn', report.deadLetters > 0);
      setHidden(problem, !report.problem);
      setText(problem, report.problem ?? '');
      element.classList.toggle('failed', Boolean(report.lanes.FAILED));
    },
  };
}
