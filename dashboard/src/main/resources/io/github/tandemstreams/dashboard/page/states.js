// States by word, shape and colour: any one of them is enough.

import { h, setText } from './dom.js';
import { word } from './format.js';

/** The state of a stream over all its lanes, the worst first. */
export function streamState({ stopped, lanes }) {
  const count = Object.values(lanes).reduce((sum, lanesInState) => sum + lanesInState, 0);
  if (lanes.FAILED) {
    return { kind: 'failed', text: lanes.FAILED === count ? 'failed' : `${lanes.FAILED} of ${count} lanes failed` };
  }
  if (stopped) {
    return { kind: 'stopped', text: 'stopped' };
  }
  if (count === 0) {
    return { kind: 'waiting', text: 'no lanes yet' };
  }
  for (const state of ['STOPPED', 'PAUSED']) {
    if (lanes[state] === count) {
      return { kind: word(state), text: word(state) };
    }
  }
  const held = ['STOPPED', 'PAUSED'].filter(state => lanes[state]);
  if (held.length === 0) {
    return { kind: 'active', text: 'running' };
  }
  const [worst, other] = held.map(word);
  const text = `${lanes[held[0]]} of ${count} lanes ${worst}`;
  return { kind: worst, text: other ? `${text}, ${lanes[held[1]]} ${other}` : text };
}

export function laneState(lane, stopped) {
  const state = stopped && lane.state === 'ACTIVE' ? 'STOPPED' : lane.state;
  return { kind: word(state), text: state === 'ACTIVE' ? 'running' : word(state) };
}

/** A badge that follows a state. */
export function badge(stateOf) {
  const label = h('span');
  const element = h('span', { class: 'state' }, h('span', { class: 'shape', 'aria-hidden': 'true' }), label);
  return {
    element,
    update(item) {
      const { kind, text } = stateOf(item);
      if (element.dataset.kind !== kind) {
        element.dataset.kind = kind;
      }
      setText(label, text);
    },
  };
}
