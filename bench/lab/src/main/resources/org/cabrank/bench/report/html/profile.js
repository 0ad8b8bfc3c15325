'use strict';
// Flame graphs of sampled stacks, and the difference of two of them. The root is at the top; a click on a frame shows what it calls.
(() => {
  const { baseline, cells } = JSON.parse(document.getElementById('profile-data').textContent);
  const section = document.getElementById('profiles');
  const place = section.querySelector('.flame');
  const words = section.querySelector('.flame-words');
  const rows = section.querySelector('.flame-rows');
  const NONE = -1;
  const ROW = 18;
  const LEAST = 1.2;
  const CHARACTER = 6.7;
  const KERNEL = '_[k]';
  const JAVA = '_[j]';
  const VIEWS = {
    all: ['callers first', (path) => path],
    kernel: ['from the system call', (path) => {
      const entry = path.findIndex((name) => name.endsWith(KERNEL));
      return entry < 0 ? ['[user space]'] : path.slice(entry);
    }],
    leaf: ['last frame first', (path) => path.reverse().slice(0, 40)],
  };
  const state = { cell: cells[0], first: NONE, second: 0, view: 'all', search: '', focus: null };

  const percent = (share) => (share * 100).toFixed(share && Math.abs(share) < 0.001 ? 2 : 1) + ' %';
  const plain = (name) => (name.endsWith(KERNEL) || name.endsWith(JAVA) ? name.slice(0, -KERNEL.length) : name);
  // Of Java, the class without its package, and the method.
  const short = (name) => (name.endsWith(JAVA) ? plain(name).split('/').pop() : plain(name));

  function control(label, element) {
    const holder = document.createElement('label');
    holder.append(label, element);
    section.querySelector('.controls').append(holder);
    return element;
  }

  function list(label, changed) {
    const element = control(label, document.createElement('select'));
    element.addEventListener('change', () => changed(element.value));
    return element;
  }

  function fill(element, entries, value) {
    element.replaceChildren(...entries.map(([key, text]) => new Option(text, key)));
    element.value = String(value);
  }

  // ---- the tree ----

  function samplesOf(contender) {
    const own = new Map();
    if (contender === NONE) return own;
    const flat = state.cell.samples[contender];
    for (let i = 0; i < flat.length; i += 2) own.set(flat[i], flat[i + 1]);
    return own;
  }

  function pathTo(node) {
    const path = [];
    for (let at = node; at >= 0; at = state.cell.nodes[2 * at]) path.push(state.cell.frames[state.cell.nodes[2 * at + 1]]);
    return path.reverse();
  }

  const sum = (own) => [...own.values()].reduce((a, b) => a + b, 0) || 1;
  const made = (name, parent) => ({ name, parent, first: 0, second: 0, children: new Map(), depth: parent ? parent.depth + 1 : 0 });

  // Shares of the samples of each of the two.
  function tree() {
    const first = samplesOf(state.first);
    const second = samplesOf(state.second);
    const [ofFirst, ofSecond] = [sum(first), sum(second)];
    const root = made('all', null);
    for (const node of new Set([...first.keys(), ...second.keys()])) {
      const a = (first.get(node) ?? 0) / ofFirst;
      const b = (second.get(node) ?? 0) / ofSecond;
      let at = root;
      at.first += a;
      at.second += b;
      for (const name of VIEWS[state.view][1](pathTo(node))) {
        if (!at.children.has(name)) at.children.set(name, made(name, at));
        at = at.children.get(name);
        at.first += a;
        at.second += b;
      }
    }
    return root;
  }

  // ---- drawing ----

  let root = null;

  const found = (name) => state.search !== '' && plain(name).toLowerCase().includes(state.search);

  function colour(node) {
    if (found(node.name)) return '#e45fd0';
    if (state.first !== NONE) {
      const change = node.second - node.first;
      const strength = Math.min(1, Math.sqrt(Math.abs(change) / 0.1));
      if (Math.abs(change) < 0.0005) return '#d9dce1';
      return change > 0 ? 'hsl(6 85% ' + (90 - 28 * strength) + '%)' : 'hsl(212 85% ' + (90 - 26 * strength) + '%)';
    }
    if (node.name.endsWith(KERNEL)) return '#f2a65e';
    return node.name.endsWith(JAVA) ? '#8fcf8a' : '#f0d878';
  }

  function say(node) {
    const { contenders } = state.cell;
    const second = contenders[state.second];
    const time = (contender, share) =>
      contender.nsPerSample == null ? '' : ', ' + Math.round(share * contender.samples * contender.nsPerSample).toLocaleString('en-US') + ' ns/request';
    let text = plain(node.name) + ': ' + percent(node.second) + ' of ' + second.name + time(second, node.second);
    if (state.first !== NONE) {
      const first = contenders[state.first];
      text += '; ' + percent(node.first) + ' of ' + first.name + time(first, node.first);
    }
    words.textContent = text;
  }

  const svg = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };

  function box(node, x, width) {
    const group = svg('g', { transform: 'translate(' + x.toFixed(1) + ' ' + node.depth * ROW + ')' });
    group.append(svg('rect', { width: Math.max(0.5, width - 0.5).toFixed(1), height: ROW - 1, rx: 2, fill: colour(node) }));
    const letters = Math.floor((width - 6) / CHARACTER);
    if (letters >= 3) {
      const name = short(node.name);
      const text = svg('text', { x: 3, y: 12.5 });
      text.textContent = name.length <= letters ? name : name.slice(0, letters - 1) + '…';
      group.append(text);
    }
    group.addEventListener('click', () => {
      state.focus = node.parent === null ? null : node;
      draw();
      say(node);
    });
    group.addEventListener('pointerenter', () => say(node));
    return group;
  }

  function draw() {
    const width = place.clientWidth;
    const focus = state.focus ?? root;
    const boxes = [];
    let deepest = 0;
    for (let at = focus.parent; at; at = at.parent) boxes.push(box(at, 0, width));
    const scale = width / (focus.second || 1);
    const add = (node, x) => {
      const wide = node.second * scale;
      if (wide < LEAST) return;
      deepest = Math.max(deepest, node.depth);
      boxes.push(box(node, x, wide));
      let at = x;
      for (const child of [...node.children.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
        add(child, at);
        at += child.second * scale;
      }
    };
    add(focus, 0);
    const height = (deepest + 1) * ROW;
    const picture = svg('svg', { width, height, viewBox: '0 0 ' + width + ' ' + height, role: 'img' });
    picture.setAttribute('aria-label', 'Flame graph of ' + state.cell.contenders[state.second].name + '. The table below has its figures.');
    picture.append(...boxes);
    place.replaceChildren(picture);
    place.dataset.drawn = String(boxes.length);
  }

  // ---- the table of frames that differ most ----

  function differences() {
    rows.replaceChildren();
    rows.parentElement.hidden = state.first === NONE;
    section.querySelector('.flame-title').hidden = state.first === NONE;
    if (state.first === NONE) return;
    const { contenders, frames } = state.cell;
    const turned = state.first > state.second;
    const flat = state.cell.differences[turned ? state.second + '-' + state.first : state.first + '-' + state.second] ?? [];
    const [first, second] = [contenders[state.first], contenders[state.second]];
    section.querySelectorAll('.flame-first').forEach((one) => (one.textContent = first.name));
    section.querySelectorAll('.flame-second').forEach((one) => (one.textContent = second.name));
    for (let i = 0; i < flat.length; i += 3) {
      const [a, b] = turned ? [flat[i + 2], flat[i + 1]] : [flat[i + 1], flat[i + 2]];
      const change = b / second.samples - a / first.samples;
      const ns = (contender, samples) => (contender.nsPerSample == null ? '–' : Math.round(samples * contender.nsPerSample).toLocaleString('en-US'));
      const row = document.createElement('tr');
      const name = frames[flat[i]];
      const head = document.createElement('th');
      head.scope = 'row';
      head.textContent = plain(name) + (name.endsWith(KERNEL) ? ' (kernel)' : '');
      row.append(head);
      for (const text of [percent(a / first.samples), percent(b / second.samples), (change > 0 ? '+' : '−') + percent(Math.abs(change)), ns(first, a), ns(second, b)]) {
        const cell = document.createElement('td');
        cell.className = 'n';
        cell.textContent = text;
        row.append(cell);
      }
      rows.append(row);
    }
  }

  // ---- what is shown ----

  function change() {
    state.focus = null;
    root = tree();
    draw();
    differences();
    say(root);
  }

  const cellList = list('Cell', (value) => {
    state.cell = cells[value];
    contenders();
    change();
  });
  const secondList = list('Contender', (value) => {
    state.second = Number(value);
    change();
  });
  const firstList = list('Compared with', (value) => {
    state.first = Number(value);
    change();
  });
  const viewList = list('Stacks', (value) => {
    state.view = value;
    change();
  });
  fill(viewList, Object.entries(VIEWS).map(([key, [text]]) => [key, text]), 'all');
  const search = control('Find', document.createElement('input'));
  search.type = 'search';
  search.addEventListener('input', () => {
    state.search = search.value.trim().toLowerCase();
    draw();
  });
  const whole = document.createElement('button');
  whole.type = 'button';
  whole.className = 'tool';
  whole.textContent = 'Whole graph';
  whole.addEventListener('click', () => {
    state.focus = null;
    draw();
    say(root);
  });
  section.querySelector('.controls').append(whole);

  function contenders() {
    const names = state.cell.contenders.map((one, i) => [i, one.name]);
    const cabrank = state.cell.contenders.findIndex((one) => one.cabrank);
    const base = state.cell.contenders.findIndex((one) => one.name === baseline);
    state.second = Math.max(0, cabrank);
    state.first = base === state.second ? NONE : base;
    // Different programs have no callers in common, but system calls.
    const alike = state.first === NONE || state.cell.contenders[state.first].cabrank === state.cell.contenders[state.second].cabrank;
    state.view = alike ? 'all' : 'kernel';
    viewList.value = state.view;
    fill(secondList, names, state.second);
    fill(firstList, [[NONE, 'nobody'], ...names], state.first);
  }

  fill(cellList, cells.map((cell, i) => [i, cell.cell]), 0);
  contenders();
  change();
  new ResizeObserver(() => {
    if (root && place.clientWidth && place.querySelector('svg')?.getAttribute('width') !== String(place.clientWidth)) draw();
  }).observe(place);
})();
