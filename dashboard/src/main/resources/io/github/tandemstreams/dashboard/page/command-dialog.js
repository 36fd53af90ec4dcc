// Gives a command in three steps: what is wanted, what it would do, what it did. Between the second and the third the stream's
// version is held: if somebody else gave a command meanwhile, it is refused and shown again. Dead letters that are parked
// meanwhile change no version, so they are left out: nobody has seen them.

import { announce, h, table } from './dom.js';
import { submit } from './api.js';
import { number, offsets } from './format.js';
import { COMMANDS, asSeen, describe, effects, moves } from './commands.js';
import { commandForm } from './command-form.js';

const LANES_SHOWN = 200;

export function commandDialog(context) {
  const title = h('h2', { id: 'dialog-title', tabindex: '-1' });
  const body = h('div', { class: 'dialog-body' });
  const element = h('dialog', { class: 'command', 'aria-labelledby': 'dialog-title' }, title, body);
  // An answer that comes when the dialog is closed isn't shown any more, and the next command doesn't wait for it.
  let turn = 0;
  let busy = false;
  element.addEventListener('close', () => {
    turn++;
    done();
    // What had the focus before may be hidden now: a paused stream has no button to pause it.
    if (document.activeElement === document.body) {
      document.querySelector('h1').focus();
    }
  });

  function done() {
    busy = false;
    body.removeAttribute('aria-busy');
  }

  function show(heading, ...parts) {
    title.textContent = heading;
    body.replaceChildren(...parts.filter(Boolean));
    if (!element.open) {
      element.showModal();
    }
  }

  /** The first step. */
  function ask(preset, failure) {
    const form = commandForm(context, preset, command => tryOut(command), () => element.close());
    show(`Command to ${context.name}`, failure && alert(failure), form.element);
    form.focus();
  }

  async function send(command, otherwise) {
    if (busy) {
      return null;
    }
    const mine = ++turn;
    busy = true;
    body.setAttribute('aria-busy', 'true');
    try {
      const record = await submit(command);
      return mine === turn ? record : null;
    } catch (problem) {
      if (mine === turn) {
        otherwise(problem);
      }
      return null;
    } finally {
      // Another one may be under way by now.
      if (mine === turn) {
        done();
      }
      context.refresh();
    }
  }

  /** The second step: a dry run. */
  async function tryOut(command) {
    const record = await send({ ...command, dryRun: true, expectedVersion: null }, problem => complain(problem.message));
    if (record === null) {
      return;
    }
    if (record.status !== 'DONE') {
      // What isn't known can't be confirmed: zero batches would be a guess.
      complain(record.problem ?? (record.status === 'PENDING'
        ? 'What it would do isn’t known yet: Kafka can’t be asked at the moment. Nothing was done. Try again.' : null));
      return;
    }
    const about = COMMANDS[command.action];
    const confirm = h('button', {
      type: 'button', class: about.danger ? 'danger primary' : 'primary', 'data-confirm': true,
      on: { click: () => carryOut(command, record) },
    }, about.now);
    show(`${describe(command)}?`,
      h('p', {}, about.text),
      h('p', { class: 'effect' }, h('span', {}, 'It would concern '), h('strong', {}, effects(record)), '.'),
      lanesOf(record, 'What it would do to each lane'),
      h('p', { class: 'fine' }, `Nothing was done yet. Version ${number(record.version)} of the stream; if another command comes first, this one is refused.`,
        about.target === 'letters' && ' Dead letters that are parked from now on aren’t concerned.'),
      h('div', { class: 'buttons' },
        h('button', { type: 'button', on: { click: () => ask({ ...command, letters: command.target?.letters, causes: context.causes }) } }, 'Back'),
        h('button', { type: 'button', on: { click: () => element.close() } }, 'Cancel'),
        confirm));
    title.focus();
  }

  /** The third step. `seen` is what the second one told. */
  async function carryOut(command, seen) {
    const wanted = { ...command, target: asSeen(command, seen), expectedVersion: seen.version, dryRun: false };
    const record = await send(wanted, problem => {
      if (problem.status === 409) {
        show('Somebody else was first',
          alert(problem.message),
          h('p', {}, 'Nothing was done. Look at what it would do now, and decide again.'),
          h('div', { class: 'buttons' },
            h('button', { type: 'button', on: { click: () => element.close() } }, 'Leave it'),
            h('button', { type: 'button', class: 'primary', on: { click: () => tryOut(command) } }, 'Look again')));
        title.focus();
      } else {
        complain(problem.message);
      }
    });
    if (record === null) {
      return;
    }
    const outcome = {
      DONE: 'Done', PENDING: 'Given: an instance has yet to carry it out', FAILED: 'It failed',
    }[record.status];
    show(`${describe(record.command)}: ${outcome.toLowerCase()}`,
      record.problem && alert(record.problem),
      h('p', { class: 'effect' }, h('span', {}, 'It concerned '), h('strong', {}, effects(record)), '.'),
      lanesOf(record, 'What it did to each lane'),
      h('p', { class: 'fine' }, `Command ${number(record.id)}, version ${number(record.version)} of the stream.`),
      h('div', { class: 'buttons' },
        h('button', { type: 'button', class: 'primary', 'data-close': true, on: { click: () => element.close() } }, 'Close')));
    title.focus();
    announce(`${describe(record.command)}: ${outcome}.`);
  }

  function complain(message) {
    body.querySelector('[role=alert]')?.remove();
    body.prepend(alert(message));
  }

  return { element, open: preset => ask(preset), stop: () => element.close() };
}

function alert(message) {
  return h('p', { class: 'problem', role: 'alert' }, message ?? 'It failed.');
}

/** What the logs tell of a lane, where they may not tell all. */
function atLeast(lane, known) {
  return (lane.unknown > 0 ? '≥ ' : '') + number(known);
}

function lanesOf({ lanes }, caption) {
  if (!lanes.some(lane => moves(lane) || lane.deadLetters > 0)) {
    return null;
  }
  const sheet = table({
    caption,
    empty: '',
    keyOf: lane => lane.lane,
    columns: [
      { title: 'Lane', header: true, text: lane => lane.lane },
      { title: 'From', class: 'number', text: lane => offsets(lane.from, lane.lane) },
      { title: 'To', class: 'number', text: lane => (moves(lane) ? offsets(lane.to, lane.lane) : 'stays') },
      { title: 'Batches', class: 'number', text: lane => atLeast(lane, lane.batches) },
      { title: 'Records', class: 'number', text: lane => atLeast(lane, lane.records) },
      { title: 'Dead letters', class: 'number', text: lane => number(lane.deadLetters) },
      { title: 'Given up', class: 'number wide', text: lane => (lane.burnt === null ? '' : `batch ${number(lane.burnt)}`) },
    ],
  });
  sheet.update(lanes.slice(0, LANES_SHOWN));
  return sheet.element;
}
