// Builds the page. Whatever comes from a record, an exception or an operator gets into it as text, never as markup: there is
// no other way here.

/** An element. `attributes` may have `class`, `on` (listeners by event) and any attribute but styles and inline handlers. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) {
        element.addEventListener(event, listener);
      }
    } else if (name.startsWith('on') || name === 'style') {
      throw new Error(`No inline ${name}`);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

/** Sets a text, where it changed: what is selected or read aloud stays undisturbed otherwise. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

export function setHidden(element, hidden) {
  if (element.hidden !== hidden) {
    element.hidden = hidden;
  }
}

/**
 * Makes the children of `parent` those of `items`, in their order. A child is made once for each key and updated after that,
 * so that focus, selection and scrolling survive. `create` gives {element, update}.
 */
export function keyed(parent, items, keyOf, create) {
  const known = parent.knownChildren ??= new Map();
  const wanted = new Set(items.map(item => String(keyOf(item))));
  for (const [key, child] of known) {
    if (!wanted.has(key)) {
      child.element.remove();
      known.delete(key);
    }
  }
  let before = parent.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let child = known.get(key);
    if (!child) {
      child = create(item);
      known.set(key, child);
    }
    child.update(item);
    if (child.element === before) {
      before = before.nextElementSibling;
    } else {
      parent.insertBefore(child.element, before);
    }
  }
}

/**
 * A table that is scrolled sideways where it is too wide. Columns: {title, class, cell(item) => node or text, header}.
 * Gives {element, update(items)}; `empty` is said where there is nothing.
 */
export function table({ caption, columns, keyOf, empty, rowClass }) {
  const body = h('tbody');
  const nothing = h('p', { class: 'empty' }, empty);
  const scroller = h('div', { class: 'scroller', role: 'region', tabindex: '0', 'aria-label': caption },
    h('table', {},
      h('caption', { class: 'unseen' }, caption),
      h('thead', {}, h('tr', {}, columns.map(column =>
        h('th', { scope: 'col', class: column.class }, column.hiddenTitle
          ? h('span', { class: 'unseen' }, column.title) : column.title)))),
      body));
  const element = h('div', { class: 'sheet' }, scroller, nothing);
  return {
    element,
    update(items) {
      setHidden(scroller, items.length === 0);
      setHidden(nothing, items.length > 0);
      keyed(body, items, keyOf, () => row(columns, rowClass));
    },
  };
}

function row(columns, rowClass) {
  const cells = columns.map(column =>
    column.header ? h('th', { scope: 'row', class: column.class }) : h('td', { class: column.class }));
  const element = h('tr', {}, cells);
  return {
    element,
    update(item) {
      element.className = rowClass ? rowClass(item) : '';
      columns.forEach((column, i) => {
        if (column.live) {
          // Makes its node once, and updates that.
          cells[i].live ??= column.live(item);
          if (!cells[i].firstChild) {
            cells[i].append(cells[i].live.element);
          }
          cells[i].live.update(item);
        } else {
          const text = column.text(item);
          setText(cells[i], text ?? '');
          const title = column.hint?.(item);
          if (title && cells[i].title !== title) {
            cells[i].title = title;
          }
        }
      });
    },
  };
}

/** Says something to who can't see that it changed. */
export function announce(text) {
  const announcer = document.getElementById('announcer');
  announcer.textContent = '';
  // Said again even if it is the same as before.
  setTimeout(() => { announcer.textContent = text; }, 50);
}
