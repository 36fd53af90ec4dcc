// The batches that the logs still have, the newest first, and which of them a record was in.

import { h, setHidden, setText, table } from './dom.js';
import { get } from './api.js';
import { PHASES } from './charts.js';
import { duration, number, range, time, word } from './format.js';

const SHOWN = 100;

export function batches({ name, refresh }) {
  const lane = h('select', { id: 'of-lane', on: { change: refresh } }, h('option', { value: '' }, 'All lanes'));
  const sheet = table({
    caption: `Batches of ${name}, the newest first`,
    empty: 'The logs have no batch.',
    keyOf: batch => `${batch.lane} ${batch.batchId} ${batch.generation}`,
    rowClass: batch => `batch ${batch.status}`,
    columns: [
      { title: 'Lane', text: batch => batch.lane },
      { title: 'Batch', class: 'number', header: true, text: batch => number(batch.batchId) },
      { title: 'Status', text: batch => batch.status + (batch.attempts > 0 ? `, ${batch.attempts} failed` : '') },
      { title: 'Offsets', class: 'number', text: batch => range(batch.range, batch.lane) },
      { title: 'Records', class: 'number', text: batch => (batch.status === 'planned' ? '' : number(batch.records)) },
      { title: 'Dead letters', class: 'number wide', text: batch => (batch.deadLetters ? number(batch.deadLetters) : '') },
      { title: 'Duration', class: 'number', text: batch => (batch.duration === null ? '' : duration(batch.duration)) },
      { title: 'Phases', class: 'wide', live: phases },
      { title: 'Committed', text: batch => (batch.committedAt ? time(batch.committedAt) : `planned ${time(batch.plannedAt)}`), hint: batch => batch.committedAt ?? batch.plannedAt },
      { title: 'Instance', class: 'wide', text: batch => batch.instance ?? '' },
      { title: 'Epoch', class: 'number wide', text: batch => (batch.epoch === null ? '' : number(batch.epoch)) },
      { title: 'Trace', class: 'wide code', text: batch => batch.traceId?.slice(0, 8) ?? '', hint: batch => batch.traceId },
    ],
  });
  const search = recordSearch(name);
  return {
    element: h('div', {},
      h('div', { class: 'filters' },
        h('label', { for: 'of-lane' }, 'Lane'), lane,
        h('ul', { class: 'legend', 'aria-label': 'Phases' }, PHASES.map((phase, i) =>
          h('li', {}, h('span', { class: `swatch phase-${i}` }), phase.toLowerCase()))),
        search.element),
      search.found,
      sheet.element),
    async update(detail) {
      options(lane, detail.lanes.map(one => one.lane));
      search.partitions(detail.lanes);
      sheet.update(await get('batches', { stream: name, lane: lane.value, limit: SHOWN }));
    },
  };
}

function options(select, names) {
  const known = new Set([...select.options].map(option => option.value));
  names.filter(one => !known.has(one)).forEach(one => select.append(h('option', { value: one }, one)));
}

/** A bar with the shares of the phases, and the same in words. */
function phases() {
  const parts = PHASES.map((phase, i) => h('span', { class: `phase-${i}` }));
  const words = h('span', { class: 'unseen' });
  const element = h('div', { class: 'shares' }, parts, words);
  return {
    element,
    update(batch) {
      const known = PHASES.map(phase => batch.phases[phase] ?? 0);
      const text = PHASES.map((phase, i) => [phase, known[i]]).filter(([, value]) => value > 0)
        .map(([phase, value]) => `${word(phase)} ${duration(value)}`).join(', ');
      parts.forEach((part, i) => { part.style.flexGrow = String(known[i]); });
      setText(words, text);
      element.title = text;
    },
  };
}

/** When, and by which instance: by none where a command did it, as with a skip. */
function committed({ committedAt, instance }) {
  return committedAt ? ` ${time(committedAt)}${instance ? ` by ${instance}` : ''}` : '';
}

function recordSearch(name) {
  const partition = h('select', { id: 'record-partition', name: 'partition' });
  const offset = h('input', { id: 'record-offset', name: 'offset', type: 'number', min: '0', required: true, inputmode: 'numeric' });
  const found = h('p', { class: 'found', role: 'status', hidden: true });
  const element = h('form', { class: 'search', on: { submit: search } },
    h('label', { for: 'record-partition' }, 'Find the batch of a record in'), partition,
    h('label', { for: 'record-offset' }, 'at offset'), offset,
    h('button', { type: 'submit', class: 'small' }, 'Find'));

  async function search(event) {
    event.preventDefault();
    const at = partition.value.lastIndexOf('-');
    let text;
    try {
      const batch = await get('batch-of-record', {
        stream: name, topic: partition.value.slice(0, at), partition: partition.value.slice(at + 1), offset: offset.value,
      });
      text = `${partition.value} at offset ${number(Number(offset.value))}: batch ${number(batch.batchId)} of lane ${batch.lane}, `
        + `offsets ${range(batch.range, batch.lane)}, ${batch.status}`
        + `${committed(batch)}.`;
    } catch (problem) {
      text = problem.message;
    }
    setText(found, text);
    setHidden(found, false);
  }

  return {
    element,
    found,
    partitions: all => options(partition, all.flatMap(lane => Object.keys(lane.position))),
  };
}
