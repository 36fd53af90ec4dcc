// Shows what the address names: #/ all streams, #/streams/<name> one of them, #/streams/<name>/<part> a part of that.

import { h } from './dom.js';
import { openSession } from './api.js';
import { overview } from './overview.js';
import { stream } from './stream.js';

const main = document.getElementById('content');
const trail = document.getElementById('trail');
let view = null;
let session = null;
let shownAddress = null;

document.getElementById('skip').addEventListener('click', event => {
  event.preventDefault();
  main.focus();
});

async function show() {
  const address = location.hash.replace(/^#\/?/, '');
  if (address === shownAddress) {
    return;
  }
  const first = shownAddress === null;
  shownAddress = address;
  view?.stop();
  view = null;
  try {
    session ??= await openSession();
  } catch (problem) {
    main.replaceChildren(h('h1', {}, 'Tandem'), h('p', { class: 'problem', role: 'alert' }, problem.message));
    if (address !== shownAddress) {
      return;
    }
    shownAddress = null;
    setTimeout(show, 5000);
    return;
  }
  if (address !== shownAddress) {
    return; // Somebody went on while the session was asked for.
  }
  tellSession();
  main.replaceChildren();
  const [kind, name, path = '', rest = ''] = partsOf(address) ?? [];
  if (kind === undefined) {
    document.title = 'Not found · Tandem';
    leadTo(['Streams', '#/']);
    view = nothingHere();
  } else if (kind === 'streams' && name) {
    document.title = `${name} · Tandem`;
    leadTo(['Streams', '#/'], [name, `#/streams/${encodeURIComponent(name)}`]);
    view = stream(main, { session, name, path, rest });
  } else {
    document.title = 'Streams · Tandem';
    leadTo(['Streams', '#/']);
    view = overview(main);
  }
  // A new page begins with its title, also for who listens; but the first one is read from the top anyway.
  if (!first) {
    main.querySelector('h1').focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

/** Null where it is none, such as one with a lone percent sign. */
function partsOf(address) {
  try {
    return address.split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}

function nothingHere() {
  main.append(h('h1', { tabindex: '-1' }, 'Not found'),
    h('p', { class: 'note' }, 'There is nothing at this address. ', h('a', { href: '#/' }, 'All streams')));
  const status = document.getElementById('live');
  delete status.dataset.kind;
  status.textContent = '';
  return { stop() {} };
}

function leadTo(...places) {
  trail.replaceChildren(...places.map(([text, address], i) =>
    h('li', {}, h('a', { href: address, 'aria-current': i === places.length - 1 && 'page' }, text))));
}

function tellSession() {
  document.getElementById('user').textContent = session.user ?? '';
  const access = document.getElementById('access');
  access.hidden = session.mayCommand;
  access.textContent = 'Read-only';
  access.title = session.whyNot ?? '';
}

addEventListener('hashchange', show);
show();
