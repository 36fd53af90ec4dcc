// The form of a command: only what this command needs, with what the lane says of itself beside it.

import { h, setHidden } from './dom.js';
import { localMinute, localSecond, now, number } from './format.js';
import { COMMANDS } from './commands.js';

const HOUR = 3600 * 1000;

/** `preset` may have action, lane, target, reason, letters and causes. `onCommand` gets the command, `onCancel` nothing. */
export function commandForm(context, preset, onCommand, onCancel) {
  const lanes = context.detail?.lanes ?? [];
  const forLetters = Boolean(preset.letters);
  const actions = Object.keys(COMMANDS).filter(action => (COMMANDS[action].target === 'letters') === forLetters);
  context.causes = preset.causes ?? context.causes ?? [];

  const action = select('command-action', actions.map(one => [one, COMMANDS[one].title]), preset.action);
  const explanation = h('p', { class: 'fine', id: 'command-text' });
  action.setAttribute('aria-describedby', 'command-text');
  const allLanes = h('option', { value: '' }, 'All lanes');
  const lane = select('command-lane', lanes.map(one => [one.lane, one.lane]), preset.lane);
  lane.prepend(allLanes);
  const laneField = field('Lane', lane);
  const target = h('div', { class: 'target' });
  const reason = h('input', { id: 'command-reason', name: 'reason', autocomplete: 'off', maxlength: '1000' });
  reason.value = preset.reason ?? '';
  const reasonLabel = h('label', { for: 'command-reason' });
  const choice = chosenBy(preset);
  // What was chosen, which isn't what is shown while a target needs one lane: then it is the first.
  let chosenLane = preset.lane ?? '';
  let read = () => null;

  function adapt() {
    const about = COMMANDS[action.value];
    explanation.textContent = about.text;
    setHidden(laneField, about.lane === 'none' || (about.lane === 'optional' && lanes.length === 0));
    const shownLane = adaptLane(about.lane === 'required');
    reasonLabel.textContent = about.reason ? 'Why (needed)' : 'Why';
    reason.required = Boolean(about.reason);
    const part = targetPart(about.target, shownLane, choice, context.causes, adaptLane);
    read = part.read;
    target.replaceChildren(...part.elements);
  }

  /** Shows the lane that was chosen, or the first where one is needed, and gives it. */
  function adaptLane(needed) {
    allLanes.disabled = needed;
    lane.value = chosenLane || (needed ? lanes[0]?.lane ?? '' : '');
    return lanes.find(one => one.lane === lane.value);
  }

  action.addEventListener('change', adapt);
  lane.addEventListener('change', () => {
    chosenLane = lane.value;
    adapt();
  });
  adapt();

  const element = h('form', { on: { submit(event) {
    event.preventDefault();
    onCommand({
      stream: context.name,
      lane: COMMANDS[action.value].lane === 'none' ? null : lane.value || null,
      action: action.value,
      target: read(),
      reason: reason.value.trim() || null,
    });
  } } },
  field('Command', action), explanation, laneField, target,
  h('div', { class: 'field' }, reasonLabel, reason),
  h('div', { class: 'buttons' },
    h('button', { type: 'button', on: { click: onCancel } }, 'Cancel'),
    h('button', { type: 'submit', class: 'primary' }, 'See what it would do')));
  return { element, focus: () => action.focus() };
}

/**
 * What is chosen and typed so far. It outlives the parts of the form, which are made anew when another lane or command is
 * chosen: a filter that got lost on the way would hit all dead letters.
 */
function chosenBy({ action, target, letters }) {
  const ids = letters?.ids ?? [];
  return {
    kind: target ? Object.keys(target)[0] : 'timestamp',
    at: target?.timestamp ? localSecond(target.timestamp) : localMinute(now() - HOUR),
    batch: target?.batch ?? '',
    skip: action === 'SKIP' ? { ...target?.offsets } : {},
    rewind: action === 'REWIND' ? { ...target?.offsets } : {},
    ids,
    which: ids.length > 0 ? 'ids' : 'all',
    cause: letters?.causeClass ?? '',
    before: letters?.parkedBefore ? localSecond(letters.parkedBefore) : '',
  };
}

/** Fills a field with what `choice` has by this name, and keeps there what is typed. */
function keep(field, choice, name) {
  field.value = choice[name] ?? '';
  ['input', 'change'].forEach(event => field.addEventListener(event, () => { choice[name] = field.value; }));
  return field;
}

function targetPart(kind, lane, choice, causes, adaptLane) {
  switch (kind) {
    case 'rewind': return rewindTarget(lane, choice, adaptLane);
    case 'offsets': {
      const part = offsetFields(lane, 'Go on at', choice.skip);
      return { elements: [part.element], read: () => ({ offsets: part.read() }) };
    }
    case 'letters': return letterTarget(choice, causes);
    default: return { elements: [], read: () => null };
  }
}

function rewindTarget(lane, choice, adaptLane) {
  const at = keep(h('input', { id: 'rewind-time', type: 'datetime-local', step: '1' }), choice, 'at');
  const batch = keep(h('input', { id: 'rewind-batch', type: 'number', min: '0', inputmode: 'numeric' }), choice, 'batch');
  const atField = field(`Records from (your time, ${zone()})`, at);
  const batchField = field('Batch to begin with', batch);
  const offsetPlace = h('div');
  let offsets = null;
  const kinds = radios('rewind-kind', 'To', [['timestamp', 'a time'], ['batch', 'a batch'], ['offsets', 'offsets']],
    choice.kind, choose);

  function choose(kind) {
    choice.kind = kind;
    const chosen = adaptLane(kind !== 'timestamp');
    setHidden(atField, kind !== 'timestamp');
    at.required = kind === 'timestamp';
    setHidden(batchField, kind !== 'batch');
    batch.required = kind === 'batch';
    if (chosen && chosen.lastBatch >= 0) {
      batch.max = chosen.lastBatch;
      batch.placeholder = `0 to ${chosen.lastBatch}`;
    }
    offsets = kind === 'offsets' ? offsetFields(chosen ?? lane, 'Read again from', choice.rewind) : null;
    offsetPlace.replaceChildren(...(offsets ? [offsets.element] : []));
  }

  choose(kinds.value());
  return {
    elements: [kinds.element, atField, batchField, offsetPlace],
    read() {
      switch (kinds.value()) {
        case 'timestamp': return { timestamp: new Date(at.value).toISOString() };
        case 'batch': return { batch: Number(batch.value) };
        default: return { offsets: offsets.read() };
      }
    },
  };
}

function zone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'local';
}

/** Empty at first: an offset that was merely left standing there would be a decision of nobody. */
function offsetFields(lane, title, typed) {
  const inputs = Object.entries(lane?.position ?? {}).map(([partition, position]) => {
    const input = h('input', { id: `offset-${partition}`, type: 'number', min: '0', required: true, inputmode: 'numeric' });
    keep(input, typed, partition);
    const end = lane.latest[partition];
    return { partition, input, hint: `stands at ${number(position)}${end === undefined ? '' : `, ends at ${number(end)}`}` };
  });
  return {
    element: h('fieldset', {}, h('legend', {}, title), inputs.map(({ partition, input, hint }) =>
      h('div', { class: 'field' }, h('label', { for: `offset-${partition}` }, partition, h('span', { class: 'amount' }, ` ${hint}`)), input))),
    read: () => Object.fromEntries(inputs.map(({ partition, input }) => [partition, Number(input.value)])),
  };
}

function letterTarget(choice, causes) {
  const { ids } = choice;
  const cause = keep(select('letters-cause', [['', 'Any'], ...causes.map(one => [one, one])]), choice, 'cause');
  const before = keep(h('input', { id: 'letters-before', type: 'datetime-local', step: '1' }), choice, 'before');
  const filter = h('div', {}, field('Cause', cause), field('Parked before (optional)', before));
  const chosen = ids.length === 1 ? `number ${ids[0]}` : `the ${ids.length} selected`;
  const kinds = radios('letters-kind', 'Which', [...(ids.length > 0 ? [['ids', chosen]] : []), ['all', 'all that wait']],
    choice.which, which => {
      choice.which = which;
      setHidden(filter, which === 'ids');
    });
  setHidden(filter, kinds.value() === 'ids');
  return {
    elements: [kinds.element, filter],
    read: () => ({ letters: kinds.value() === 'ids' ? { ids } : {
      causeClass: cause.value || null,
      parkedBefore: before.value ? new Date(before.value).toISOString() : null,
    } }),
  };
}

function radios(name, legend, options, chosen, onChange) {
  const inputs = options.map(([value, text]) => {
    const input = h('input', { type: 'radio', name, value, id: `${name}-${value}`, on: { change: () => onChange(value) } });
    input.checked = value === chosen;
    return { input, label: h('label', { for: `${name}-${value}` }, text) };
  });
  return {
    element: h('fieldset', { class: 'choice' }, h('legend', {}, legend), inputs.map(({ input, label }) => h('span', {}, input, label))),
    value: () => inputs.find(({ input }) => input.checked).input.value,
  };
}

function select(id, options, chosen) {
  const element = h('select', { id, name: id }, options.map(([value, text]) => h('option', { value }, text)));
  if (chosen !== undefined && chosen !== null) {
    element.value = chosen;
  }
  return element;
}

function field(title, input) {
  return h('div', { class: 'field' }, h('label', { for: input.id }, title), input);
}
