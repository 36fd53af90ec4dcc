// Keeps a view up to date: asks again every two seconds while the page is seen, and says whether that works.

import { setText } from './dom.js';

const INTERVAL = 2000;
const LONGEST = 15000;
/** Milliseconds of a turn after which what is shown isn't called live any more. */
const SLOW = 5000;

/** Runs `refresh` now and again until stop() is called. now() doesn't wait for the next turn. */
export function live(refresh) {
  let timer;
  let stopped = false;
  let failures = 0;
  let running = false;
  let again = false;

  async function turn() {
    clearTimeout(timer);
    if (running) {
      again = true;
      return;
    }
    running = true;
    const slow = setTimeout(() => !stopped && say('away', 'The application hasn’t answered yet.'), SLOW);
    try {
      await refresh();
      failures = 0;
      if (!stopped) {
        say('live', 'Live');
      }
    } catch (problem) {
      failures++;
      if (!stopped) {
        say('away', problem.message);
      }
      if (problem.status === undefined) {
        console.error(problem);
      }
    } finally {
      clearTimeout(slow);
    }
    running = false;
    if (again) {
      again = false;
      turn();
    } else if (!stopped && !document.hidden) {
      timer = setTimeout(turn, Math.min(LONGEST, INTERVAL * 2 ** Math.min(failures, 3)));
    }
  }

  function seen() {
    if (document.hidden) {
      clearTimeout(timer);
    } else {
      turn();
    }
  }

  document.addEventListener('visibilitychange', seen);
  const ready = turn();
  return {
    ready,
    now: turn,
    stop() {
      stopped = true;
      again = false;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    },
  };
}

function say(kind, text) {
  const status = document.getElementById('live');
  status.dataset.kind = kind;
  setText(status, text);
}
