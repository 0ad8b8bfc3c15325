'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const shown = new Set(data.contenders.flatMap((one, i) => (one.shown ? [i] : [])));
  const charts = [];
  const root = document.documentElement;

  // ---- looks ----

  const dark = () =>
    root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  const css = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const color = (i) => (dark() ? data.contenders[i].dark : data.contenders[i].light);
  const phone = () => innerWidth <= 640;

  function number(value) {
    if (value == null) return '–';
    const size = Math.abs(value);
    if (size >= 100) return Math.round(value).toLocaleString('en-US');
    return String(Number(value.toPrecision(3)));
  }

  function short(value) {
    if (value >= 1e6) return Number((value / 1e6).toPrecision(3)) + 'M';
    if (value >= 1e3) return Number((value / 1e3).toPrecision(3)) + 'k';
    return String(Number(value.toPrecision(3)));
  }

  // ---- scales ----

  function axis(title, more = {}) {
    return {
      title: { display: true, text: title, color: css('--soft') },
      ticks: { color: css('--soft'), maxRotation: 0, ...more.ticks },
      grid: { color: css('--grid') },
      border: { color: css('--line') },
      ...more.scale,
    };
  }

  // Round values, as few as still make a scale.
  function logTicks(scale) {
    for (const steps of [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 4, 5, 7], [1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9]]) {
      const ticks = [];
      for (let decade = Math.floor(Math.log10(scale.min)); decade <= Math.log10(scale.max); decade++) {
        for (const step of steps) {
          const value = step * 10 ** decade;
          if (value >= scale.min * 0.999 && value <= scale.max * 1.001) ticks.push({ value });
        }
      }
      scale.ticks = ticks;
      if (ticks.length >= 4) return;
    }
  }

  const logarithmic = (title, callback = short) =>
    axis(title, { scale: { type: 'logarithmic', afterBuildTicks: logTicks }, ticks: { callback } });

  function options(scales, more = {}) {
    return {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      interaction: { mode: 'nearest', intersect: false, axis: more.interactionAxis ?? 'xy' },
      scales,
      indexAxis: more.indexAxis ?? 'x',
      plugins: {
        legend: {
          display: more.legend ?? true,
          position: 'bottom',
          labels: { color: css('--ink'), usePointStyle: true, boxWidth: 9, boxHeight: 8, padding: 12, font: { size: phone() ? 11 : 12 } },
          onClick: more.fixedLegend ? () => {} : undefined,
        },
        tooltip: { callbacks: more.tooltip ?? {} },
      },
    };
  }

  function line(i, points) {
    return {
      label: data.contenders[i].name,
      data: points,
      borderColor: color(i),
      backgroundColor: color(i),
      borderWidth: 2,
      borderDash: data.contenders[i].dash,
      pointStyle: data.contenders[i].marker,
      pointRadius: points.length > 12 ? 0 : 4,
      pointHitRadius: 8,
      tension: 0,
    };
  }

  // ---- places for charts ----

  const withResults = (wanted) => data.cells.filter((cell) => wanted(cell) && cell.results.length > 0);

  function figure(section, title, description, bars) {
    const holder = document.createElement('figure');
    if (title) {
      const caption = document.createElement('figcaption');
      caption.textContent = title;
      holder.append(caption);
    }
    const box = document.createElement('div');
    box.className = 'canvas';
    const canvas = document.createElement('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', description + '. The same figures stand in the table below.');
    box.append(canvas);
    holder.append(box);
    section.querySelector('.canvases').append(holder);
    return { canvas, box, bars };
  }

  function select(section, label, entries, changed) {
    const holder = document.createElement('label');
    holder.textContent = label;
    const list = document.createElement('select');
    for (const [value, text] of entries) list.append(new Option(text, value));
    list.addEventListener('change', () => changed(list.value));
    holder.append(list);
    section.querySelector('.controls').append(holder);
    return list;
  }

  // A chart is made anew whenever what it shows changes: the cell, who is shown, the theme.
  function chart(place, configuration) {
    const entry = { place, configuration, chart: null };
    charts.push(entry);
    draw(entry);
    return entry;
  }

  function draw(entry) {
    const { place } = entry;
    const made = entry.configuration();
    entry.chart?.destroy();
    if (place.bars) place.box.style.height = Math.max(150, 74 + made.data.labels.length * 27) + 'px';
    entry.chart = new Chart(place.canvas, made);
    place.canvas.dataset.drawn = String(made.data.datasets.reduce((sum, set) => sum + set.data.length, 0));
  }

  const drawAll = () => charts.forEach(draw);

  // ---- the charts ----

  const cellById = new Map(data.cells.map((cell) => [cell.id, cell]));
  const preferred = (cells) => cells.find((cell) => cell.connections === 64) ?? cells[0];
  const byRequests = (results) => [...results].sort((a, b) => (b.requests ?? 0) - (a.requests ?? 0));
  const visible = (results) => results.filter((result) => shown.has(result.contender));

  function cellSelect(section, cells, entry, state) {
    if (cells.length > 1) {
      const list = select(section, 'Cell', cells.map((cell) => [cell.id, cell.id]), (id) => {
        state.cell = cellById.get(id);
        entry().forEach(draw);
      });
      list.value = state.cell.id;
    }
  }

  const whiskers = {
    id: 'whiskers',
    afterDatasetsDraw(drawn) {
      const { ctx, scales } = drawn;
      const ranges = drawn.config.options.ranges;
      ctx.save();
      drawn.getDatasetMeta(0).data.forEach((bar, i) => {
        const [low, high] = ranges[i];
        if (low == null) return;
        const from = scales.x.getPixelForValue(low);
        const to = scales.x.getPixelForValue(high);
        ctx.beginPath();
        ctx.moveTo(from, bar.y);
        ctx.lineTo(to, bar.y);
        for (const x of [from, to]) {
          ctx.moveTo(x, bar.y - 4);
          ctx.lineTo(x, bar.y + 4);
        }
        // Dark on light bars and on dark ones.
        for (const [style, width] of [[css('--card'), 3.5], [css('--ink'), 1.25]]) {
          ctx.strokeStyle = style;
          ctx.lineWidth = width;
          ctx.stroke();
        }
      });
      ctx.restore();
    },
  };

  // A line across all bars at one value, where the scale reaches it.
  function barsOf(results, value, title, more = {}) {
    const ends = more.range ? results.map((result) => more.range(result)[1] ?? 0) : [];
    return {
      type: 'bar',
      data: {
        labels: results.map((result) => data.contenders[result.contender].name),
        datasets: [
          {
            label: title,
            data: results.map(value),
            backgroundColor: results.map((result) => color(result.contender)),
            borderRadius: 3,
            maxBarThickness: 20,
          },
        ],
      },
      options: {
        ...options(
          { x: more.scale ? more.scale(title) : axis(title, { scale: { beginAtZero: true, suggestedMax: Math.max(0, ...ends) }, ticks: { callback: short } }), y: names() },
          {
            indexAxis: 'y',
            legend: false,
            interactionAxis: 'y',
            tooltip: { label: (item) => (more.tooltip ? more.tooltip(results[item.dataIndex]) : number(item.raw)) },
          },
        ),
        ranges: results.map((result) => (more.range ? more.range(result) : [null, null])),
      },
      plugins: more.range ? [whiskers] : [],
    };
  }

  const names = () => ({
    ticks: { color: css('--ink'), autoSkip: false, font: { size: phone() ? 10.5 : 12 } },
    grid: { display: false },
    border: { color: css('--line') },
  });

  function requests(section) {
    const cells = withResults(() => true);
    const state = { cell: preferred(cells) };
    const place = figure(section, '', 'Bars of requests per second, one for each contender', true);
    const entry = chart(place, () =>
      barsOf(byRequests(state.cell.results), (result) => result.requests, 'requests/s', {
        range: (result) => [result.requestsMin, result.requestsMax],
        tooltip: (result) =>
          number(result.requests) + ' requests/s' +
          (result.ratio ? ', ' + number(result.ratio[0]) + ' of ' + data.baseline : ', the baseline'),
      }),
    );
    cellSelect(section, cells, () => [entry], state);
  }

  function percentiles(section) {
    const cells = withResults((cell) => cell.results.some((result) => result.curve));
    const state = { cell: preferred(cells) };
    const place = figure(section, '', 'Lines of latency by percentile, one for each contender');
    const entry = chart(place, () => ({
      type: 'line',
      data: {
        datasets: visible(state.cell.results)
          .filter((result) => result.curve)
          .map((result) => line(result.contender, result.curve.map(([x, y]) => ({ x, y })))),
      },
      options: options(
        {
          x: axis('percentile', {
            scale: {
              type: 'logarithmic',
              min: 1,
              afterBuildTicks: (scale) => {
                scale.ticks = [2, 10, 100, 1e3, 1e4, 1e5, 1e6].filter((value) => value <= scale.max).map((value) => ({ value }));
              },
            },
            ticks: { callback: percentile },
          }),
          y: logarithmic('latency, µs', number),
        },
        { tooltip: { title: (items) => percentile(items[0].parsed.x), label: (item) => item.dataset.label + ': ' + number(item.parsed.y) + ' µs' } },
      ),
    }));
    cellSelect(section, cells, () => [entry], state);
  }

  function percentile(inverse) {
    const share = 100 - 100 / inverse;
    return (inverse <= 10 ? Number(share.toPrecision(3)) : Number(share.toPrecision(Math.ceil(Math.log10(inverse)) + 1))) + ' %';
  }

  function series(cells, x, y) {
    return [...shown].sort((a, b) => a - b).flatMap((i) => {
      const points = cells.flatMap((cell) => {
        const result = cell.results.find((one) => one.contender === i);
        return result && y(result) != null ? [{ x: x(cell), y: y(result) }] : [];
      });
      return points.length ? [line(i, points.sort((a, b) => a.x - b.x))] : [];
    });
  }

  function connections(section) {
    const state = { line: data.lines[0] };
    const place = figure(section, '', 'Lines of requests per second against the number of connections, one for each contender');
    const entry = chart(place, () => {
      const cells = state.line.cells.map((id) => cellById.get(id));
      const counts = [...new Set(cells.map((cell) => cell.connections))];
      return {
        type: 'line',
        data: { datasets: series(cells, (cell) => cell.connections, (result) => result.requests) },
        options: options(
          {
            x: axis('connections', {
              scale: {
                type: 'logarithmic',
                afterBuildTicks: (scale) => {
                  scale.ticks = counts.map((value) => ({ value }));
                },
              },
              ticks: { callback: number },
            }),
            y: axis('requests/s', { scale: { beginAtZero: true }, ticks: { callback: short } }),
          },
          { tooltip: { title: (items) => number(items[0].parsed.x) + ' connections', label: (item) => item.dataset.label + ': ' + number(item.parsed.y) } },
        ),
      };
    });
    if (data.lines.length > 1) {
      select(section, 'Scenario', data.lines.map((one, i) => [i, one.label]), (i) => {
        state.line = data.lines[i];
        draw(entry);
      });
    }
  }

  function cpu(section) {
    const cells = withResults((cell) => cell.results.some((result) => result.cpu));
    const state = { cell: preferred(cells) };
    const place = figure(section, '', 'Stacked bars of CPU time per request, one for each contender', true);
    const parts = [
      ['user', () => (dark() ? '#f0b04a' : '#c97b00')],
      ['kernel', () => (dark() ? '#5d93c4' : '#4b80b3')],
      ['kernel threads', () => (dark() ? '#a9c9e6' : '#9cc0df')],
    ];
    const sum = (result) => result.cpu.reduce((a, b) => a + b, 0);
    const entry = chart(place, () => {
      const results = state.cell.results.filter((result) => result.cpu).sort((a, b) => sum(a) - sum(b));
      return {
        type: 'bar',
        data: {
          labels: results.map((result) => data.contenders[result.contender].name),
          datasets: parts.map(([label, fill], part) => ({
            label,
            data: results.map((result) => result.cpu[part]),
            backgroundColor: fill(),
            maxBarThickness: 20,
          })),
        },
        options: options(
          {
            x: axis('µs of CPU per request', { scale: { stacked: true, beginAtZero: true } }),
            y: { ...names(), stacked: true },
          },
          {
            indexAxis: 'y',
            interactionAxis: 'y',
            fixedLegend: true,
            tooltip: { label: (item) => item.dataset.label + ': ' + number(item.raw) + ' µs' },
          },
        ),
      };
    });
    cellSelect(section, cells, () => [entry], state);
  }

  function rate(section) {
    const cells = withResults((cell) => cell.rate > 0);
    const state = { of: 'p999' };
    const words = { p999: 'p99.9', p99: 'p99', p50: 'p50' };
    const place = figure(section, '', 'Lines of latency against the offered rate, one for each contender');
    const entry = chart(place, () => ({
      type: 'line',
      data: { datasets: series(cells, (cell) => cell.rate, (result) => result[state.of]) },
      options: options(
        {
          x: axis('offered requests/s', {
            scale: {
              type: 'linear',
              beginAtZero: true,
              afterBuildTicks: (scale) => {
                scale.ticks = [0, ...new Set(cells.map((cell) => cell.rate))].map((value) => ({ value }));
              },
            },
            ticks: { callback: short, autoSkip: false },
          }),
          y: logarithmic(words[state.of] + ', µs', number),
        },
        { tooltip: { title: (items) => number(items[0].parsed.x) + ' requests/s', label: (item) => item.dataset.label + ': ' + number(item.parsed.y) + ' µs' } },
      ),
    }));
    select(section, 'Percentile', Object.entries(words), (of) => {
      state.of = of;
      draw(entry);
    });
  }

  function slow(section) {
    const cells = withResults((cell) => cell.slow);
    const state = { cell: cells[0] };
    const p99 = figure(section, 'p99, µs (logarithmic; less is better)', 'Bars of p99 latency with slow handlers, one for each contender', true);
    const rps = figure(section, 'requests/s (more is better)', 'Bars of requests per second with slow handlers, one for each contender', true);
    const sorted = () => [...state.cell.results].sort((a, b) => (a.p99 ?? 0) - (b.p99 ?? 0));
    const entries = [
      chart(p99, () => barsOf(sorted(), (result) => result.p99, 'p99, µs', { scale: (title) => logarithmic(title, number) })),
      chart(rps, () => barsOf(sorted(), (result) => result.requests, 'requests/s')),
    ];
    cellSelect(section, cells, () => entries, state);
  }

  function lost(section) {
    const cells = withResults((cell) => cell.rate > 0 && cell.results.some((result) => result.lost != null));
    const state = { cell: cells[0] };
    const place = figure(section, 'lost, % (less is better)', 'Bars of lost datagrams, one for each contender', true);
    const sorted = () => state.cell.results.filter((result) => result.lost != null).sort((a, b) => a.lost - b.lost);
    const entry = chart(place, () => barsOf(sorted(), (result) => result.lost, 'lost, %'));
    cellSelect(section, cells, () => [entry], state);
  }

  function noise(section) {
    const cells = data.cells.filter((cell) => cell.noise.REQUESTS_PER_SECOND);
    const words = { REQUESTS_PER_SECOND: 'requests/s', REQUESTS_PER_CPU_SECOND: 'requests per CPU second', P50_US: 'p50', P99_US: 'p99', P999_US: 'p99.9' };
    const state = { metric: 'REQUESTS_PER_SECOND' };
    const place = figure(section, '', 'Intervals of the baseline against itself, one for each cell', true);
    const entry = chart(place, () => {
      const rows = cells.filter((cell) => cell.noise[state.metric]).map((cell) => [cell.id, cell.noise[state.metric]]);
      const far = Math.max(1.02, ...rows.flatMap(([, [, low, high]]) => [1 / low, high]));
      return {
        type: 'bar',
        data: {
          labels: rows.map(([id]) => id),
          datasets: [
            {
              label: 'interval',
              data: rows.map(([, [, low, high]]) => [low, high]),
              backgroundColor: css('--band'),
              borderColor: css('--soft'),
              borderWidth: 1,
              borderSkipped: false,
              maxBarThickness: 12,
            },
          ],
        },
        options: options(
          {
            x: axis('ratio of ' + words[state.metric], { scale: { min: 1 - (far - 1) * 1.15, max: 1 + (far - 1) * 1.15 }, ticks: { callback: (value) => Number(value.toFixed(3)) } }),
            y: names(),
          },
          {
            indexAxis: 'y',
            legend: false,
            interactionAxis: 'y',
            tooltip: { label: (item) => { const [median, low, high] = rows[item.dataIndex][1]; return number(median) + ' (' + number(low) + '–' + number(high) + ')'; } },
          },
        ),
      };
    });
    select(section, 'Measure', Object.entries(words), (metric) => {
      state.metric = metric;
      draw(entry);
    });
  }

  // ---- who is shown ----

  function chips() {
    const holder = document.getElementById('chips');
    if (!holder) return;
    data.contenders.forEach((one, i) => {
      if (!data.cells.some((cell) => cell.results.some((result) => result.contender === i))) return;
      const chip = document.createElement('button');
      chip.type = 'button';
      chip.className = 'chip';
      const sample = document.createElement('i');
      chip.append(sample, one.name);
      const mark = () => {
        chip.setAttribute('aria-pressed', String(shown.has(i)));
        sample.style.borderTopColor = color(i);
        sample.style.borderTopStyle = one.dash.length === 0 ? 'solid' : one.dash[0] > 3 ? 'dashed' : 'dotted';
      };
      chip.addEventListener('click', () => {
        if (!shown.delete(i)) shown.add(i);
        mark();
        drawAll();
      });
      document.addEventListener('themechange', mark);
      mark();
      holder.append(chip);
    });
  }

  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  chips();
  const tools = { data, figure, select, chart, draw, options, logarithmic, names, number, color, css, barsOf, byRequests };
  for (const [id, fill] of Object.entries({ requests, percentiles, connections, cpu, rate, slow, lost, noise, ...waitingCharts(tools) })) {
    const section = document.getElementById(id);
    if (section) fill(section);
  }
  document.addEventListener('themechange', drawAll);
})();
