'use strict';
// Charts of handlers that block, of providers of the HttpServer API, and of latency against load. Called once by the script of all pages, with its tools: a function to draw each section by its id.
const waitingCharts = ({ data, figure, select, chart, draw, options, logarithmic, names, number, color, css, barsOf, byRequests }) => {
  const percentiles = ['p50', 'p99', 'p99.9'];

  // A line across each bar where its p99 is.
  const marks = {
    id: 'marks',
    afterDatasetsDraw(drawn) {
      const { ctx, scales } = drawn;
      const values = drawn.config.options.marks;
      ctx.save();
      drawn.getDatasetMeta(0).data.forEach((bar, i) => {
        const x = scales.x.getPixelForValue(values[i]);
        for (const [style, width] of [[css('--card'), 5], [css('--ink'), 2.5]]) {
          ctx.beginPath();
          ctx.moveTo(x, bar.y - 9);
          ctx.lineTo(x, bar.y + 9);
          ctx.strokeStyle = style;
          ctx.lineWidth = width;
          ctx.stroke();
        }
      });
      ctx.restore();
    },
  };

  const latencies = (result, of) => (of === 'fast' ? result.fast : [result.p50, result.p99, result.p999]);

  function blocking(section, some) {
    const state = { of: 'fast' };
    const words = { fast: 'those that did not block', all: 'all' };
    const cells = some.filter((cell) => cell.results.some((result) => result.fast));
    if (!cells.length) return;
    const entries = cells.map((cell) => {
      const title = cell.permille + ' of 1,000 requests block' + (cell.quietS ? ', after ' + number(cell.quietS) + ' s without requests' : '');
      const place = figure(section, title, 'Bars of latency where ' + title + ', one for each contender', true);
      return chart(place, () => {
        const results = cell.results.filter((result) => result.fast).sort((a, b) => a.fast[1] - b.fast[1]);
        return {
          type: 'bar',
          data: {
            labels: results.map((result) => data.contenders[result.contender].name),
            datasets: [
              {
                label: 'p50 to p99.9',
                data: results.map((result) => {
                  const [p50, , p999] = latencies(result, state.of);
                  return [p50, p999];
                }),
                backgroundColor: results.map((result) => color(result.contender)),
                borderRadius: 3,
                borderSkipped: false,
                maxBarThickness: 14,
              },
            ],
          },
          options: {
            ...options(
              { x: logarithmic('latency, µs', number), y: names() },
              {
                indexAxis: 'y',
                legend: false,
                interactionAxis: 'y',
                tooltip: {
                  label: (item) =>
                    latencies(results[item.dataIndex], state.of).map((value, i) => percentiles[i] + ' ' + number(value)).join(', ') +
                    ' µs at ' + number(results[item.dataIndex].requests) + ' requests/s',
                },
              },
            ),
            marks: results.map((result) => latencies(result, state.of)[1]),
          },
          plugins: [marks],
        };
      });
    });
    select(section, 'Requests', Object.entries(words), (of) => {
      state.of = of;
      entries.forEach(draw);
    });
  }

  // Throughput where no handler blocks, and latencies where some do.
  function providers(section) {
    const cells = data.cells.filter((cell) => cell.scenario === 'http-server');
    for (const cell of cells.filter((one) => !one.slow && one.results.length)) {
      const place = figure(section, cell.label, 'Bars of requests per second, one for each contender', true);
      chart(place, () =>
        barsOf(byRequests(cell.results), (result) => result.requests, 'requests/s', {
          range: (result) => [result.requestsMin, result.requestsMax],
          tooltip: (result) => number(result.requests) + ' requests/s',
        }),
      );
    }
    blocking(section, cells.filter((one) => one.slow));
  }

  const ways = [...new Set(data.cells.map((cell) => cell.way).filter(Boolean))];
  return Object.fromEntries([
    ...ways.map((way) => ['blocking-' + way, (section) => blocking(section, data.cells.filter((cell) => cell.way === way))]),
    ['http-server', providers],
  ]);
};
