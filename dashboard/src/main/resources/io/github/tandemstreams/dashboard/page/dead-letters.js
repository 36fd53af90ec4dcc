// Dead letters that wait, and one of them in full.

import { h, setHidden, setText, table } from './dom.js';
import { get } from './api.js';
import { count, number, simpleName, time, word } from './format.js';

const PAGE = 100;

export function deadLetters(context) {
  return context.rest ? one(context) : many(context);
}

function many({ name, session, command, refresh }) {
  const selected = new Set();
  const causes = new Set();
  let pages = 1;
  const redrive = h('button', { type: 'button', 'data-action': 'REDRIVE', on: { click: () => ask('REDRIVE') } });
  const discard = h('button', { type: 'button', 'data-action': 'DISCARD', class: 'danger', on: { click: () => ask('DISCARD') } });
  const note = h('p', { class: 'note', hidden: true });
  const more = h('button', { type: 'button', hidden: true, on: { click: showMore } }, 'More dead letters');

  function ask(action) {
    command({ action, letters: { ids: [...selected] }, causes: [...causes] });
  }

  function showMore() {
    pages++;
    refresh();
  }

  /** All pages so far, as they are now: those of the last one may be settled meanwhile as well as those of the first. */
  async function load() {
    const waiting = [];
    for (let page = 0; page < pages && waiting.length === page * PAGE; page++) {
      waiting.push(...await get('dead-letters', { stream: name, after: waiting.at(-1)?.id, limit: PAGE }));
    }
    return waiting;
  }

  function tellSelection() {
    const what = selected.size > 0 ? `${number(selected.size)} selected` : '';
    setText(redrive, what ? `Re-drive ${what}…` : 'Re-drive…');
    setText(discard, what ? `Discard ${what}…` : 'Discard…');
  }

  const sheet = table({
    caption: `Dead letters of ${name} that wait`,
    empty: 'No dead letter waits.',
    keyOf: letter => letter.id,
    columns: [
      ...(session.mayCommand ? [{ title: 'Selected', hiddenTitle: true, live: letter => selection(letter, selected, tellSelection) }] : []),
      { title: 'Number', header: true, live: letter => link(name, letter) },
      { title: 'Record', text: letter => `${letter.topic}-${letter.partition} at ${number(letter.offset)}` },
      { title: 'Cause', text: letter => simpleName(letter.causeType), hint: letter => letter.causeType },
      ...(session.maySeePayloads ? [{ title: 'Message', class: 'wide long', text: letter => letter.message ?? '' }] : []),
      { title: 'Status', text: letter => word(letter.status) + (letter.failedRedrives ? `, ${count(letter.failedRedrives, 're-drive')} failed` : '') },
      { title: 'Parked', text: letter => time(letter.parkedAt), hint: letter => letter.parkedAt },
      { title: 'Lane and batch', class: 'wide', text: letter => `${letter.lane}, ${number(letter.batch)}` },
    ],
  });
  tellSelection();
  return {
    element: h('div', {},
      session.mayCommand && h('div', { class: 'toolbar', role: 'group', 'aria-label': 'Commands to dead letters' }, redrive, discard),
      note, sheet.element, more),
    async update({ report }) {
      const waiting = await load();
      waiting.forEach(letter => causes.add(letter.causeType));
      for (const id of selected) {
        if (!waiting.some(letter => letter.id === id)) {
          selected.delete(id);
        }
      }
      tellSelection();
      [note, more].forEach(element => setHidden(element, report.deadLetters <= waiting.length));
      setText(note, `The first ${number(waiting.length)} of ${number(report.deadLetters)}.`);
      [redrive, discard].forEach(button => setHidden(button, waiting.length === 0));
      sheet.update(waiting);
    },
  };
}

function selection(letter, selected, changed) {
  const element = h('input', { type: 'checkbox', 'aria-label': `Select dead letter ${letter.id}`, on: {
    change() {
      if (element.checked) {
        selected.add(letter.id);
      } else {
        selected.delete(letter.id);
      }
      changed();
    },
  } });
  return { element, update() { element.checked = selected.has(letter.id); } };
}

function link(name, { id }) {
  return {
    element: h('a', { href: `#/streams/${encodeURIComponent(name)}/dead-letters/${id}` }, String(id)),
    update() {},
  };
}

function one({ name, session, command, rest }) {
  const element = h('article', { class: 'letter' });
  const id = Number(rest);
  let shown = null;
  return {
    element,
    async update() {
      const letter = await get('dead-letter', { stream: name, id });
      const text = JSON.stringify(letter);
      // Only where something changed: the stack trace may be scrolled.
      if (text !== shown) {
        shown = text;
        element.replaceChildren(...letterParts(letter, { name, session, command }));
      }
    },
  };
}

function letterParts(letter, { name, session, command }) {
  const waits = letter.status === 'PARKED' || letter.status === 'HELD';
  const facts = {
    Record: `${letter.topic}-${letter.partition} at offset ${number(letter.offset)}`,
    'Record’s time': time(letter.timestamp),
    Status: word(letter.status) + (letter.reason ? `: ${letter.reason}` : ''),
    Parked: time(letter.parkedAt) + (letter.timesParked > 1 ? `, ${letter.timesParked} times so far` : ''),
    'Failed re-drives': number(letter.failedRedrives),
    'Lane and batch': `${letter.lane}, batch ${number(letter.batch)}`,
    Cause: letter.causeType,
  };
  const preset = action => ({ action, letters: { ids: [letter.id] }, causes: [letter.causeType] });
  return [
    h('h2', {}, `Dead letter ${letter.id}`),
    h('p', {}, h('a', { href: `#/streams/${encodeURIComponent(name)}/dead-letters` }, 'All that wait')),
    session.mayCommand && waits ? h('div', { class: 'toolbar', role: 'group', 'aria-label': `Commands to dead letter ${letter.id}` },
      h('button', { type: 'button', 'data-action': 'REDRIVE', on: { click: () => command(preset('REDRIVE')) } }, 'Re-drive…'),
      h('button', { type: 'button', 'data-action': 'DISCARD', class: 'danger', on: { click: () => command(preset('DISCARD')) } }, 'Discard…')) : '',
    h('dl', { class: 'facts' }, Object.entries(facts).map(([title, value]) => h('div', {}, h('dt', {}, title), h('dd', {}, value)))),
    ...(session.maySeePayloads
      ? [
        part('Message', letter.message === null ? null : { text: letter.message }),
        part('Key', letter.key),
        part('Value', letter.value),
        ...letter.headers.map(header => part(`Header ${header.name}`, header.value)),
        part('Stack trace', letter.stackTrace === null ? null : { text: letter.stackTrace }),
      ]
      : [h('p', { class: 'note' }, 'Keys, values, headers and what exceptions say aren’t shown: tandem.dashboard.show-payloads.')]),
  ];
}

function part(title, payload) {
  const size = payload?.bytes === undefined ? '' : ` · ${count(payload.bytes, 'byte')}${payload.cut ? ', the first part' : ''}`;
  return h('section', {}, h('h3', {}, title, h('span', { class: 'amount' }, size)),
    payload === null
      ? h('p', { class: 'empty' }, 'null')
      : h('pre', { tabindex: '0', role: 'region', 'aria-label': title }, payload.text ?? hexDump(payload.hex)));
}

/** Sixteen bytes a line: where, the bytes, and the characters among them. */
function hexDump(hex) {
  const lines = [];
  for (let at = 0; at < hex.length; at += 32) {
    const bytes = hex.slice(at, at + 32).match(/../g);
    const characters = bytes.map(byte => {
      const code = parseInt(byte, 16);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : '·';
    });
    lines.push(`${(at / 2).toString(16).padStart(6, '0')}  ${bytes.join(' ').padEnd(47)}  ${characters.join('')}`);
  }
  return lines.join('\n');
}
