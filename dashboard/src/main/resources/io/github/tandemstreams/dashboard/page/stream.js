// A stream: its figures and commands, and below them plots, lanes, batches, dead letters or the audit trail.

import { announce, h, setHidden, setText } from './dom.js';
import { get } from './api.js';
import { ago, count, number, rate } from './format.js';
import { live } from './live.js';
import { Samples } from './samples.js';
import { badge, streamState } from './states.js';
import { plots } from './charts.js';
import { lanes } from './lanes.js';
import { batches } from './batches.js';
import { deadLetters } from './dead-letters.js';
import { auditTrail } from './audit.js';
import { commandDialog } from './command-dialog.js';

const ROOMS = [
  { path: '', title: 'Plots', make: context => plots(context.samples) },
  { path: 'lanes', title: 'Lanes', make: lanes },
  { path: 'batches', title: 'Batches', make: batches },
  { path: 'dead-letters', title: 'Dead letters', make: deadLetters },
  { path: 'commands', title: 'Commands', make: auditTrail },
];

/** Which commands are offered in which state; all the others are a choice in the dialog. */
const OFFERED = [
  { action: 'PAUSE', label: 'Pause', when: ({ lanes: by, stopped }) => !stopped && by.ACTIVE },
  { action: 'RESUME', label: 'Resume', when: ({ lanes: by }) => by.PAUSED || by.FAILED },
  { action: 'STOP', label: 'Stop', when: ({ stopped }) => !stopped },
  { action: 'START', label: 'Start', when: ({ lanes: by, stopped }) => stopped || by.STOPPED },
  { action: 'REWIND', label: 'Rewind…', when: () => true },
  { action: 'SKIP', label: 'Skip…', when: () => true },
  { action: 'RESTORED', label: 'Restored…', when: () => true },
];

export function stream(main, { session, name, path, rest }) {
  const room = ROOMS.find(one => one.path === path) ?? ROOMS[0];
  const context = { session, name, rest, samples: new Samples(), detail: null, command, refresh: () => updates.now() };

  const state = badge(streamState);
  const topics = h('p', { class: 'topics' });
  const figures = {
    'Input rate': h('dd'), 'Process rate': h('dd'), 'Lag': h('dd'), 'Lanes': h('dd'), 'Dead letters': h('dd'), 'Last commit': h('dd'),
  };
  const problem = h('p', { class: 'problem', hidden: true });
  const buttons = OFFERED.map(offered => ({
    ...offered,
    element: h('button', { type: 'button', 'data-action': offered.action, on: { click: () => command({ action: offered.action }) } }, offered.label),
  }));
  const toolbar = session.mayCommand
    ? h('div', { class: 'toolbar', role: 'group', 'aria-label': `Commands to ${name}` }, buttons.map(button => button.element))
    : h('p', { class: 'note' }, session.whyNot);
  const waiting = h('span', { class: 'amount' });
  const tabs = h('nav', { class: 'tabs', 'aria-label': `Parts of ${name}` }, h('ul', {}, ROOMS.map(one =>
    h('li', {}, h('a', {
      href: `#/streams/${encodeURIComponent(name)}${one.path ? '/' + one.path : ''}`,
      'aria-current': one === room && 'page',
    }, one.title, one.path === 'dead-letters' && waiting)))));
  const place = h('section', { class: 'room', 'aria-label': room.title });
  main.append(
    h('div', { class: 'head' }, h('div', { class: 'name' }, h('h1', { tabindex: '-1' }, name), state.element), topics),
    h('dl', { class: 'figures' }, Object.entries(figures).map(([title, value]) => h('div', {}, h('dt', {}, title), value))),
    problem, toolbar, tabs, place);
  showSelected();
  const shown = room.make(context);
  place.append(shown.element);

  const dialog = commandDialog(context);
  main.append(dialog.element);

  function command(preset) {
    dialog.open(preset);
  }

  /** On a phone not all tabs are seen at once. The page itself stays where it is. */
  function showSelected() {
    const list = tabs.firstElementChild;
    const selected = list.querySelector('[aria-current]');
    list.scrollLeft += selected.getBoundingClientRect().left - list.getBoundingClientRect().left
      - (list.clientWidth - selected.offsetWidth) / 2;
  }

  let spoken = null;
  let stopped = false;
  const updates = live(async () => {
    const detail = await get('stream', { stream: name, since: context.samples.newest });
    if (stopped) {
      return;
    }
    context.detail = detail;
    context.samples.add(detail.samples);
    show(detail);
    await shown.update(detail);
  });

  function show({ report, lanes: all }) {
    state.update(report);
    setText(topics, `${report.topics.length === 1 ? 'Topic' : 'Topics'} ${report.topics.join(', ')} · version ${report.version}`);
    setText(figures['Input rate'], rate(context.samples.last?.inputRate));
    setText(figures['Process rate'], rate(context.samples.last?.processRate));
    setText(figures.Lag, number(report.lag));
    setText(figures.Lanes, spread(all));
    setText(figures['Dead letters'], number(report.deadLetters));
    figures['Dead letters'].classList.toggle('warn', report.deadLetters > 0);
    setText(figures['Last commit'], ago(report.lastCommit));
    setHidden(problem, !report.problem);
    setText(problem, report.problem ?? '');
    buttons.forEach(button => setHidden(button.element, !button.when(report)));
    setText(waiting, report.deadLetters > 0 ? ` ${number(report.deadLetters)}` : '');
    const text = streamState(report).text;
    if (spoken !== null && spoken !== text) {
      announce(`${name} is ${text}.`);
    }
    if (spoken === null) {
      showSelected(); // The number of dead letters made its tab wider.
    }
    spoken = text;
  }

  return {
    ready: updates.ready,
    stop() {
      stopped = true;
      updates.stop();
      dialog.stop();
      shown.stop?.();
    },
  };
}

function spread(all) {
  const instances = new Set(all.map(lane => lane.instance).filter(Boolean)).size;
  return instances > 1 ? `${number(all.length)} on ${count(instances, 'instance')}` : number(all.length);
}
