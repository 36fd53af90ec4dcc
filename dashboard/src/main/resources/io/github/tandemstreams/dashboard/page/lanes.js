// The lanes of a stream, whichever instances they run on.

import { h, setHidden, setText, table } from './dom.js';
import { ago, number, offsets } from './format.js';
import { badge, laneState } from './states.js';

export function lanes({ name, session, command }) {
  let stopped = false;
  const sheet = table({
    caption: `Lanes of ${name}`,
    empty: 'No lane yet: the stream was never started, or its topics don’t exist.',
    keyOf: lane => lane.lane,
    rowClass: lane => (lane.state === 'FAILED' ? 'failed' : ''),
    columns: [
      { title: 'Lane', header: true, text: lane => lane.lane },
      { title: 'State', live: () => stateAndProblem(() => stopped) },
      { title: 'Lag', class: 'number', text: lane => number(lane.lag) },
      { title: 'Position', class: 'number', text: lane => offsets(lane.position, lane.lane) },
      { title: 'End', class: 'number wide', text: lane => offsets(lane.latest, lane.lane), hint: lane => lane.latestAt && `seen ${ago(lane.latestAt)}` },
      { title: 'Last batch', class: 'number', text: lane => (lane.lastBatch < 0 ? 'none' : number(lane.lastBatch)) },
      { title: 'Epoch', class: 'number wide', text: lane => number(lane.epoch) },
      { title: 'Instance', class: 'wide', text: lane => lane.instance ?? 'none' },
      { title: 'Changed', class: 'wide', text: lane => ago(lane.changedAt) },
      ...(session.mayCommand ? [{ title: 'Commands', hiddenTitle: true, class: 'do', live: lane => commandButton(lane, command) }] : []),
    ],
  });
  return {
    element: sheet.element,
    update({ report, lanes: all }) {
      stopped = report.stopped;
      sheet.update(all);
    },
  };
}

function stateAndProblem(isStopped) {
  const state = badge(lane => laneState(lane, isStopped()));
  const problem = h('div', { class: 'problem', hidden: true });
  return {
    element: h('div', {}, state.element, problem),
    update(lane) {
      state.update(lane);
      setHidden(problem, !lane.problem);
      setText(problem, lane.problem ?? '');
    },
  };
}

function commandButton({ lane }, command) {
  const element = h('button', { type: 'button', class: 'small', 'aria-label': `Command to ${lane}` , on: {
    click: () => command({ lane, action: latest.state === 'PAUSED' || latest.state === 'FAILED' ? 'RESUME' : latest.state === 'STOPPED' ? 'START' : 'PAUSE' }),
  } }, 'Command…');
  let latest = { state: 'ACTIVE' };
  return { element, update(now) { latest = now; } };
}
