'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const root = document.documentElement;
  const drawings = [];

  // Hues for colour blindness too, after Okabe and Ito: for a light and for a dark page. Later contenders have dashes.
  const hues = [
    ['#0a5fa8', '#4ba3f0'], ['#00805f', '#2fcf9f'], ['#c94f0c', '#ff8f55'], ['#8f2f00', '#ffc0a0'], ['#6d4fc2', '#b9a3f7'],
    ['#a8528c', '#e695cb'], ['#857400', '#dccb45'], ['#3a3f47', '#d5dae2'],
  ];
  const dark = () =>
    root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  const css = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const color = (i) => hues[i % hues.length][dark() ? 1 : 0];
  const name = (result) => data.contenders[result.contender];

  function number(value) {
    const size = Math.abs(value);
    return size >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
  }

  function short(value) {
    const [unit, scale] = value >= 1e6 ? ['M', 1e6] : value >= 1e3 ? ['k', 1e3] : ['', 1];
    return Number((value / scale).toPrecision(3)) + unit;
  }

  function axis(title, more = {}) {
    return {
      title: { display: Boolean(title), text: title, color: css('--soft') },
      grid: { color: css('--grid') },
      border: { color: css('--line') },
      ...more,
      ticks: { color: css('--soft'), maxRotation: 0, ...more.ticks },
    };
  }

  // One value for each decade, and a second one where there are few decades.
  function decades(scale) {
    const steps = scale.max / scale.min > 1e3 ? [1] : [1, 2, 5];
    scale.ticks = [];
    for (let decade = Math.floor(Math.log10(scale.min)); decade <= Math.log10(scale.max); decade++) {
      for (const step of steps) {
        const value = step * 10 ** decade;
        if (value >= scale.min * 0.999 && value <= scale.max * 1.001) scale.ticks.push({ value });
      }
    }
  }

  const logarithmic = (title) => axis(title, { type: 'logarithmic', afterBuildTicks: decades, ticks: { callback: number } });

  function options(scales, more = {}) {
    return {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      interaction: { mode: 'nearest', intersect: false, axis: more.bars ? 'y' : 'xy' },
      scales,
      indexAxis: more.bars ? 'y' : 'x',
      plugins: {
        legend: {
          display: more.legend ?? !more.bars,
          position: 'bottom',
          labels: { color: css('--ink'), usePointStyle: true, boxWidth: 9, boxHeight: 8, padding: 12 },
        },
        tooltip: { callbacks: more.tooltip ?? {} },
      },
    };
  }

  // Draws lines of figures across the bars: the ends of their ranges, or a percentile within.
  const marks = {
    id: 'marks',
    afterDatasetsDraw(drawn) {
      const { ctx, scales } = drawn;
      ctx.save();
      ctx.strokeStyle = css('--ink');
      ctx.lineWidth = 1.5;
      drawn.getDatasetMeta(0).data.forEach((bar, i) => {
        for (const value of drawn.config.options.marks[i]) {
          const x = scales.x.getPixelForValue(value);
          ctx.beginPath();
          ctx.moveTo(x, bar.y - 6);
          ctx.lineTo(x, bar.y + 6);
          ctx.stroke();
        }
      });
      ctx.restore();
    },
  };

  function bars(results, datasets, title, more) {
    return {
      type: 'bar',
      data: {
        labels: results.map(name),
        datasets: datasets.map((set) => ({ borderRadius: 3, maxBarThickness: 20, backgroundColor: results.map((one) => color(one.contender)), ...set })),
      },
      options: {
        ...options(
          { x: more.scale ?? axis(title, { beginAtZero: true, stacked: more.stacked, ticks: { callback: short } }),
            y: axis('', { stacked: more.stacked, grid: { display: false }, ticks: { color: css('--ink'), autoSkip: false } }) },
          { bars: true, legend: more.stacked, tooltip: { label: more.tooltip } },
        ),
        marks: more.marks ?? results.map(() => []),
      },
      plugins: [marks],
    };
  }

  const charts = {
    requests: {
      has: (one) => one.requests,
      draw: (results) => {
        const sorted = [...results].sort((a, b) => b.requests[0] - a.requests[0]);
        return bars(sorted, [{ data: sorted.map((one) => one.requests[0]) }], 'requests/s', {
          marks: sorted.map((one) => one.requests.slice(1)),
          tooltip: (item) => number(item.raw) + ' requests/s',
        });
      },
    },
    waiting: {
      has: (one) => one.fast,
      draw: (results) => {
        const sorted = [...results].sort((a, b) => a.fast[1] - b.fast[1]);
        return bars(sorted, [{ data: sorted.map(({ fast }) => [fast[0], fast[2]]), borderSkipped: false }], '', {
          scale: logarithmic('latency, µs'),
          marks: sorted.map((one) => [one.fast[1]]),
          tooltip: (item) => ['p50', 'p99', 'p99.9'].map((label, i) => label + ' ' + number(sorted[item.dataIndex].fast[i])).join(', ') + ' µs',
        });
      },
    },
    percentiles: {
      has: (one) => one.curve,
      draw: (results) => ({
        type: 'line',
        data: {
          datasets: results.map((one) => ({
            label: name(one),
            data: one.curve.map(([x, y]) => ({ x, y })),
            borderColor: color(one.contender),
            backgroundColor: color(one.contender),
            borderWidth: 2,
            borderDash: one.contender < hues.length ? [] : [7, 4],
            pointRadius: 0,
            pointHitRadius: 8,
          })),
        },
        options: options(
          {
            x: axis('percentile', {
              type: 'logarithmic',
              min: 1,
              afterBuildTicks: (scale) => {
                scale.ticks = [2, 10, 100, 1e3, 1e4, 1e5, 1e6].filter((value) => value <= scale.max).map((value) => ({ value }));
              },
              ticks: { callback: percentile },
            }),
            y: logarithmic('latency, µs'),
          },
          { tooltip: { title: (items) => percentile(items[0].parsed.x), label: (item) => item.dataset.label + ': ' + number(item.parsed.y) + ' µs' } },
        ),
      }),
    },
    cpu: {
      has: (one) => one.cpu,
      draw: (results) => {
        const sum = (one) => one.cpu.reduce((a, b) => a + b, 0);
        const sorted = [...results].sort((a, b) => sum(a) - sum(b));
        const parts = [['user', '#c97b00'], ['kernel', '#4b80b3'], ['kernel threads', '#9cc0df']];
        return bars(
          sorted,
          parts.map(([label, backgroundColor], part) => ({ label, backgroundColor, borderRadius: 0, data: sorted.map((one) => one.cpu[part]) })),
          'µs of CPU per request',
          { stacked: true, tooltip: (item) => item.dataset.label + ': ' + number(item.raw) + ' µs' },
        );
      },
    },
  };

  function percentile(inverse) {
    const share = 100 - 100 / inverse;
    return Number(share.toPrecision(inverse <= 10 ? 3 : Math.ceil(Math.log10(inverse)) + 1)) + ' %';
  }

  // A chart is made anew whenever what it shows changes: the cell, or the theme.
  function draw(drawing) {
    const { box, canvas, kind } = drawing;
    const made = kind.draw(drawing.cell.results.filter(kind.has));
    drawing.chart?.destroy();
    if (made.type === 'bar') box.style.height = Math.max(150, 74 + made.data.labels.length * 27) + 'px';
    canvas.setAttribute('aria-label', drawing.title + ', ' + drawing.cell.id + '. The same figures stand in the table of the cell below.');
    drawing.chart = new Chart(canvas, made);
    canvas.dataset.drawn = String(made.data.datasets.reduce((all, set) => all + set.data.length, 0));
  }

  function fill(section, kind) {
    const cells = data.cells.filter((cell) => cell.results.some(kind.has));
    if (!cells.length) {
      section.remove();
      return;
    }
    const box = document.createElement('div');
    box.className = 'canvas';
    const canvas = document.createElement('canvas');
    canvas.setAttribute('role', 'img');
    box.append(canvas);
    section.append(box);
    const drawing = { box, canvas, kind, cell: cells[0], title: section.querySelector('h2').textContent };
    drawings.push(drawing);
    draw(drawing);
    if (cells.length > 1) {
      const label = document.createElement('label');
      const list = document.createElement('select');
      cells.forEach((cell, i) => list.append(new Option(cell.id, i)));
      list.addEventListener('change', () => {
        drawing.cell = cells[list.value];
        draw(drawing);
      });
      label.className = 'controls';
      label.append('Cell', list);
      section.insertBefore(label, box);
    }
  }

  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  for (const [id, kind] of Object.entries(charts)) fill(document.getElementById(id), kind);
  document.addEventListener('themechange', () => drawings.forEach(draw));
})();
