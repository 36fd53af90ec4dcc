// The commands that a stream has had, the newest first.

import { h, setHidden, setText, table } from './dom.js';
import { get } from './api.js';
import { number, time } from './format.js';
import { describe, effects } from './commands.js';
import { badge } from './states.js';

const PAGE = 50;
const SHAPES = { DONE: 'active', PENDING: 'waiting', FAILED: 'failed' };

export function auditTrail({ name }) {
  let older = [];
  const more = h('button', { type: 'button', hidden: true, on: { click: loadMore } }, 'Older commands');
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const sheet = table({
    caption: `Commands to ${name}, the newest first`,
    empty: 'No command was given yet.',
    keyOf: record => record.id,
    columns: [
      { title: 'When', text: record => time(record.issuedAt), hint: record => record.issuedAt },
      { title: 'Who', text: record => record.command.issuedBy ?? '' },
      { title: 'Command', header: true, text: record => describe(record.command) },
      { title: 'Outcome', live: () => badge(record => ({ kind: SHAPES[record.status], text: record.status.toLowerCase() })) },
      { title: 'Effect', class: 'long', text: record => record.problem ?? effects(record) },
      { title: 'Why', class: 'long', text: record => record.command.reason ?? '' },
      { title: 'Version', class: 'number wide', text: record => number(record.version) },
      { title: 'Number', class: 'number wide', text: record => number(record.id) },
    ],
  });
  let newest = [];

  async function loadMore() {
    const last = (older.length > 0 ? older : newest).at(-1);
    try {
      const page = await get('commands', { stream: name, before: last.id, limit: PAGE });
      older = [...older, ...page];
      setHidden(more, page.length < PAGE);
      setHidden(problem, true);
      show();
    } catch (failure) {
      setText(problem, failure.message);
      setHidden(problem, false);
    }
  }

  function show() {
    const first = newest.at(-1)?.id ?? Infinity;
    sheet.update([...newest, ...older.filter(record => record.id < first)]);
  }

  return {
    element: h('div', {}, sheet.element, more, problem),
    async update() {
      newest = await get('commands', { stream: name, limit: PAGE });
      if (older.length === 0) {
        setHidden(more, newest.length < PAGE);
      }
      show();
    },
  };
}
