// Asks the application. Addresses are relative to the page, so any context path and any proxy is right.

import { noteServerTime } from './format.js';

/** Milliseconds after which a question counts as not answered. A command may take as long as it does. */
const PATIENCE = 15000;

/** Why a request wasn't answered. `status` is 0 where nobody answered. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

let session;

export async function openSession() {
  session = await get('session');
  return session;
}

export function get(what, parameters = {}) {
  const query = new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== ''));
  return ask(`api/${what}?${query}`, { headers: { Accept: 'application/json' }, signal: AbortSignal.timeout(PATIENCE) });
}

/** Gives a command. The token may have changed since the page came: who signs in again gets another. */
export async function submit(command) {
  await openSession();
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json', [session.commandHeader]: 'command' };
  const { header, parameter, token } = session.csrf ?? {};
  if (header) {
    headers[header] = token;
  }
  const query = parameter ? `?${new URLSearchParams({ [parameter]: token })}` : '';
  return ask(`api/commands${query}`, { method: 'POST', headers, body: JSON.stringify(command) });
}

async function ask(address, options) {
  let response;
  let answer;
  try {
    response = await fetch(address, { ...options, credentials: 'same-origin', cache: 'no-store' });
    noteServerTime(response.headers.get('Date'));
    // A form to sign in comes as a page.
    const json = (response.headers.get('Content-Type') ?? '').includes('json');
    answer = json ? await response.json().catch(nullIfMalformed) : null;
  } catch {
    // Nobody answered, or not to the end.
    throw new Refusal(0, 'The application doesn’t answer.');
  }
  if (response.ok && answer !== null) {
    return answer;
  }
  throw new Refusal(response.ok ? 401 : response.status, answer?.message ?? explain(response.ok ? 401 : response.status));
}

function nullIfMalformed(problem) {
  if (problem instanceof SyntaxError) {
    return null;
  }
  throw problem;
}

function explain(status) {
  switch (status) {
    case 401: return 'You aren’t signed in any more. Load the page again.';
    case 403: return 'You may not do this.';
    case 404: return 'Not found.';
    default: return `The application answered with status ${status}.`;
  }
}
