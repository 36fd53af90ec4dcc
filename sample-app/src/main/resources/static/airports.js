const rows = document.getElementById('airports');
const news = document.getElementById('news');
const form = document.getElementById('trouble');

/** Everything goes in as text: an airport's name comes from a record that anybody may have written. */
function row(airport) {
  const line = document.createElement('tr');
  const cells = [airport.origin, airport.flights.toLocaleString(), airport.meanDelay.toFixed(1)];
  cells.forEach((text, column) => {
    const cell = line.appendChild(document.createElement('td'));
    cell.textContent = text;
    cell.className = column > 0 ? 'number' : '';
  });
  return line;
}

async function ask(path, options) {
  const answer = await fetch(path, options);
  if (!answer.ok) {
    throw new Error(`${path}: ${answer.status}`);
  }
  return answer.json();
}

/** What went wrong, or nothing; said once, not every second. */
function say(text) {
  if (news.textContent !== text) {
    news.textContent = text;
  }
}

async function refresh() {
  try {
    const airports = await ask('airports');
    rows.replaceChildren(...airports.map(row));
    say(airports.length > 0 ? '' : 'No flight yet.');
  } catch (failure) {
    say(`No answer: ${failure.message}`);
  }
  setTimeout(refresh, 1000);
}

function show(trouble) {
  form.elements.bad.value = trouble.badRecords * 100;
  form.elements.slow.value = trouble.slowMillis;
}

form.addEventListener('submit', async event => {
  event.preventDefault();
  const wanted = {badRecords: form.elements.bad.value / 100, slowMillis: Number(form.elements.slow.value)};
  try {
    show(await ask('trouble', {
      method: 'POST',
      headers: {'Content-Type': 'application/json'},
      body: JSON.stringify(wanted),
    }));
  } catch (failure) {
    say(`Not applied: ${failure.message}`);
  }
});

ask('trouble').then(show, failure => say(`No answer: ${failure.message}`));
refresh();
