/** A sample of the text format of Prometheus. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** Metrics as Prometheus reads them. */
export interface ParsedMetrics {
  text: string;
  samples: readonly Sample[];
  types: ReadonlyMap<string, string>;
  /** Returns the samples of one name by their labels, which are sorted. */
  samplesOf(name: string): Record<string, number>;
}

/**
 * Parses the text format 0.0.4 of Prometheus strictly.
 *
 * Each metric has one HELP and one TYPE before its samples, its samples stand together, no sample repeats, and a
 * histogram has rising buckets with `+Inf`, a sum and a count.
 *
 * @throws Error with the line that breaks the format.
 */
export function parsePrometheusText(text: string): ParsedMetrics {
  if (!text.endsWith('\n')) throw new Error('The last line does not end with a line feed.');
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const samples: Sample[] = [];
  const seen = new Set<string>();
  const closed = new Set<string>();
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const fail = (reason: string) => new Error(`${reason}: ${line}`);
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/.exec(line) ?? [];
    if (keyword !== undefined) {
      if (name !== current && closed.has(name)) throw fail('The lines of a metric do not stand together');
      closed.add(current);
      current = name;
      const isRepeated = keyword === 'HELP' ? helped.has(name) : types.has(name);
      if (isRepeated) throw fail('A second HELP or TYPE');
      if (keyword === 'HELP') helped.add(name);
      else if (/^(counter|gauge|histogram|summary|untyped)$/.test(rest)) types.set(name, rest);
      else throw fail('An unknown type');
      continue;
    }
    const sample = parseSample(line);
    if (sample === undefined) throw fail('Not a sample');
    const isPart = /^(histogram|summary)$/.test(types.get(current) ?? '');
    const base = isPart ? sample.name.replace(/_(bucket|sum|count)$/, '') : sample.name;
    if (base !== current || !types.has(current) || !helped.has(current)) throw fail('A sample without HELP and TYPE');
    if (types.get(current) === 'counter' && !(sample.value >= 0)) throw fail('A counter below 0');
    const identity = identityOf(sample);
    if (seen.has(identity)) throw fail('A second sample');
    seen.add(identity);
    samples.push(sample);
  }
  for (const [name, type] of types) if (type === 'histogram') checkHistogram(name, samples);
  return {
    text,
    samples,
    types,
    samplesOf: (name) =>
      Object.fromEntries(samples.filter((one) => one.name === name).map((one) => [labelsOf(one), one.value])),
  };
}

function parseSample(line: string): Sample | undefined {
  const [, name, inBraces = '', number = ''] =
    /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})? (\S+)(?: -?\d+)?$/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const labels: Record<string, string> = {};
  let rest = inBraces;
  while (rest !== '') {
    const [all, label = '', value = ''] =
      /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/.exec(rest) ?? [];
    if (all === undefined || Object.hasOwn(labels, label)) return undefined;
    labels[label] = value.replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped));
    rest = rest.slice(all.length);
  }
  // prom-client prints `Nan`, which Prometheus reads in any case.
  const special: Record<string, number> = { '+Inf': Infinity, '-Inf': -Infinity, NaN: Number.NaN, Nan: Number.NaN };
  if (!Object.hasOwn(special, number) && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(number)) return undefined;
  return { name, labels, value: special[number] ?? Number(number) };
}

function labelsOf({ labels }: Sample): string {
  const names = Object.keys(labels).sort();
  return names.map((name) => `${name}=${JSON.stringify(labels[name])}`).join(',');
}

function identityOf(sample: Sample): string {
  return `${sample.name}{${labelsOf(sample)}}`;
}

function checkHistogram(name: string, samples: readonly Sample[]): void {
  const series = new Map<string, { le: string; value: number }[]>();
  for (const { name: part, labels, value } of samples) {
    if (part !== `${name}_bucket`) continue;
    const { le = '', ...others } = labels;
    const key = labelsOf({ name, labels: others, value });
    series.set(key, [...(series.get(key) ?? []), { le, value }]);
  }
  for (const [key, found] of series) {
    const ends = found.map(({ le }) => (le === '+Inf' ? Infinity : Number(le)));
    const isRising = found.every(({ value }, index) => {
      const before = found[index - 1];
      return before === undefined || (value >= before.value && Number(ends[index]) > Number(ends[index - 1]));
    });
    const count = samples.find((one) => one.name === `${name}_count` && labelsOf(one) === key);
    const sum = samples.find((one) => one.name === `${name}_sum` && labelsOf(one) === key);
    if (!isRising || ends.at(-1) !== Infinity || count?.value !== found.at(-1)?.value || sum === undefined)
      throw new Error(`The histogram ${name}{${key}} is not complete.`);
  }
}
