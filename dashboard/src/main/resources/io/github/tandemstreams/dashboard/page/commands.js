// The commands: what they are called, what they do, and how what they did is told.

import { count, number, offsets, time } from './format.js';

/** `target` tells what has to be chosen: nothing, where to rewind to, where to skip to, or which dead letters. */
export const COMMANDS = {
  PAUSE: {
    title: 'Pause', now: 'Pause now', target: 'none', lane: 'optional',
    text: 'The lanes run no further batch, on any instance, until they are resumed. A batch that runs just now is rolled back and runs again later.',
  },
  RESUME: {
    title: 'Resume', now: 'Resume now', target: 'none', lane: 'optional',
    text: 'Paused and failed lanes go on from where they stood. Those that were stopped stay so.',
  },
  STOP: {
    title: 'Stop', now: 'Stop now', target: 'none', lane: 'optional', danger: true,
    text: 'The stream leaves its consumer group on all instances, or a lane runs no further batch, until it is started. Re-drives that aren\'t done are broken off.',
  },
  START: { title: 'Start', now: 'Start now', target: 'none', lane: 'optional', text: 'Takes a stop back.' },
  REWIND: {
    title: 'Rewind', now: 'Rewind now', target: 'rewind', lane: 'optional', danger: true,
    text: 'The lanes go back and process again what they have processed, under new batch ids. Nothing that the handler wrote is undone.',
  },
  SKIP: {
    title: 'Skip', now: 'Skip now', target: 'offsets', lane: 'required', danger: true, reason: true,
    text: 'The lane leaves out what comes next, and goes on at the offset that you name. What is left out is never processed.',
  },
  RESTORED: {
    title: 'Database was restored', now: 'It was restored', target: 'none', lane: 'none', danger: true,
    text: 'Tells that the database was restored from a backup: transaction ids get a new generation, so that other systems don’t take new batches for old ones.',
  },
  REDRIVE: {
    title: 'Re-drive dead letters', now: 'Re-drive now', target: 'letters', lane: 'optional',
    text: 'The records are processed again, each in a transaction of its own. Those that fail stay dead letters.',
  },
  DISCARD: {
    title: 'Discard dead letters', now: 'Discard now', target: 'letters', lane: 'optional', danger: true, reason: true,
    text: 'The records are given up: they are never processed.',
  },
};

const NAMES = { REDRIVE: 'Re-drive', RESTORED: 'Database restored' };

/** "Rewind of flights-3 to batch 41". */
export function describe({ action, lane, target }) {
  return [NAMES[action] ?? action.charAt(0) + action.slice(1).toLowerCase(), lane && `of ${lane}`, where(target)].filter(Boolean).join(' ');
}

function where(target) {
  if (!target) {
    return '';
  }
  if (target.batch !== undefined) {
    return `to batch ${number(target.batch)}`;
  }
  if (target.timestamp !== undefined) {
    return `to ${time(target.timestamp)}`;
  }
  if (target.offsets !== undefined) {
    return `to ${offsets(target.offsets)}`;
  }
  // A command that is to be given has them under their name, one that was given hasn't.
  const letters = target.letters ?? target;
  const filter = [
    letters.ids?.length > 0 && `number ${letters.ids.join(', ')}`,
    letters.causeClass && `with ${letters.causeClass}`,
    letters.parkedBefore && `parked before ${time(letters.parkedBefore)}`,
  ].filter(Boolean);
  return filter.length > 0 ? filter.join(', ') : 'all that wait';
}

/** The target of a command that was tried out: no dead letter that came after that, whatever time it names. */
export function asSeen({ target }, { issuedAt }) {
  const letters = target?.letters;
  if (!letters || letters.ids?.length > 0) {
    return target;
  }
  const earlier = letters.parkedBefore && Date.parse(letters.parkedBefore) < Date.parse(issuedAt);
  return { letters: { ...letters, parkedBefore: earlier ? letters.parkedBefore : issuedAt } };
}

/** What a command did, or would do, in a few words. */
export function effects({ lanes, deadLetters, command }) {
  const moved = lanes.filter(moves);
  const batches = moved.reduce((sum, lane) => sum + lane.batches, 0);
  const records = moved.reduce((sum, lane) => sum + lane.records, 0);
  const unknown = moved.reduce((sum, lane) => sum + (lane.unknown ?? 0), 0);
  const parts = [];
  if (lanes.length > 0) {
    parts.push(count(lanes.length, 'lane'));
  }
  if (command.action === 'REWIND' || command.action === 'SKIP') {
    parts.push((unknown > 0 ? 'at least ' : '') + count(batches, 'batch', 'batches'), count(records, 'record'));
  }
  if (deadLetters > 0 || command.action === 'REDRIVE' || command.action === 'DISCARD') {
    parts.push(count(deadLetters, 'dead letter'));
  }
  if (unknown > 0) {
    parts.push(`and up to ${count(unknown, 'more offset')} that the logs no longer have`);
  }
  return parts.length > 0 ? parts.join(', ') : 'nothing to do';
}

export function moves({ from, to }) {
  return JSON.stringify(from) !== JSON.stringify(to);
}
