// How numbers, times and offsets are written. Unknown is a dash, never a zero.

export const UNKNOWN = '–';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

let ahead = 0;

/** Milliseconds by the server's clock, as far as its answers told. */
export function now() {
  return Date.now() + ahead;
}

export function noteServerTime(date) {
  const server = Date.parse(date ?? '');
  if (!Number.isNaN(server)) {
    const difference = server - Date.now();
    // Dates of HTTP are cut to the second.
    ahead = Math.abs(difference) > 2000 ? difference : 0;
  }
}

export function number(value) {
  return value === null || value === undefined ? UNKNOWN : whole.format(value);
}

/** In the room of an axis. */
export function compact(value) {
  return value === null || value === undefined ? UNKNOWN : short.format(value);
}

export function rate(value) {
  if (value === null || value === undefined) {
    return UNKNOWN;
  }
  return (value > 0 && value < 10 ? fine.format(value) : whole.format(value)) + '/s';
}

export function duration(milliseconds) {
  if (milliseconds === null || milliseconds === undefined) {
    return UNKNOWN;
  }
  if (milliseconds < 1) {
    return milliseconds === 0 ? '0 ms' : fine.format(milliseconds) + ' ms';
  }
  if (milliseconds < 1000) {
    return (milliseconds < 10 ? fine : whole).format(milliseconds) + ' ms';
  }
  const seconds = milliseconds / 1000;
  if (seconds < 120) {
    return (seconds < 10 ? fine : whole).format(seconds) + ' s';
  }
  return seconds < 7200 ? whole.format(seconds / 60) + ' min' : whole.format(seconds / 3600) + ' h';
}

export function ago(instant) {
  if (!instant) {
    return UNKNOWN;
  }
  const seconds = Math.max(0, (now() - Date.parse(instant)) / 1000);
  if (seconds < 1) {
    return 'now';
  }
  if (seconds < 120) {
    return `${Math.floor(seconds)} s ago`;
  }
  if (seconds < 7200) {
    return `${Math.floor(seconds / 60)} min ago`;
  }
  return seconds < 172800 ? `${Math.floor(seconds / 3600)} h ago` : `${Math.floor(seconds / 86400)} days ago`;
}

/** Of today the time, of other days the date as well. */
export function time(instant) {
  if (!instant) {
    return UNKNOWN;
  }
  const date = new Date(instant);
  const clock = two(date.getHours()) + ':' + two(date.getMinutes()) + ':' + two(date.getSeconds());
  return date.toDateString() === new Date(now()).toDateString() ? clock : `${day(date)} ${clock}`;
}

function day(date) {
  return date.getFullYear() + '-' + two(date.getMonth() + 1) + '-' + two(date.getDate());
}

function two(value) {
  return String(value).padStart(2, '0');
}

/** What a field for local times takes. */
export function localMinute(milliseconds) {
  const date = new Date(milliseconds);
  return `${day(date)}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The same of an instant, to the second. */
export function localSecond(instant) {
  return `${localMinute(instant)}:${two(new Date(instant).getSeconds())}`;
}

/** Offsets of a lane: the bare number where its one partition has the lane's name. */
export function offsets(byPartition, lane) {
  const partitions = Object.entries(byPartition ?? {});
  if (partitions.length === 0) {
    return UNKNOWN;
  }
  if (partitions.length === 1 && partitions[0][0] === lane) {
    return number(partitions[0][1]);
  }
  return partitions.map(([partition, offset]) => `${partition}: ${number(offset)}`).join(', ');
}

export function range({ starts, ends }, lane) {
  const partitions = Object.entries(starts);
  return partitions
    .map(([partition, start]) =>
      (partitions.length === 1 && partition === lane ? '' : partition + ': ') + `${number(start)} – ${number(ends[partition])}`)
    .join(', ');
}

/** "3 lanes", "1 lane". */
export function count(many, one, several = one + 's') {
  return `${number(many)} ${many === 1 ? one : several}`;
}

export function word(name) {
  return name.toLowerCase().replaceAll('_', ' ');
}

/** The last part of a class name. */
export function simpleName(className) {
  return (className ?? '').split(/[.$]/).pop();
}
