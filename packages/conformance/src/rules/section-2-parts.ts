import type { Reader } from '../reading/create-reader.ts';
import { isObject, type MemoryValue, segmentsOf } from '../reading/memory-value.ts';
import { toInstant } from '../reading/to-instant.ts';
import { SkippedError } from '../session/unanswered.ts';
import { evidenceOf, type Rule, type RuleRow, rulesOf } from './rule.ts';
import { structureEvidence } from './section-2-1-memory.ts';

const transcriptRules = rulesOf('2.2', [
  {
    id: '2.2 segments',
    title: 'A transcript has segments, an array of objects',
    async check(reader) {
      await need(reader, ({ transcript }) => isObject(transcript), 'a transcript');
      return structureEvidence(reader, '2.2 segments', 'an array of Segment objects');
    },
  },
  {
    id: '2.2 segments order',
    title: 'Segments are in the order of their start',
    statements: ['2.2 segments'],
    async check(reader) {
      const memories = await need(reader, (memory) => segmentsOf(memory).length > 1, 'two segments');
      const findings = memories.flatMap((at) =>
        segmentsOf(at.memory)
          .map(({ start_at }) => toInstant(start_at))
          .flatMap((start, index, starts) =>
            isBefore(start, starts[index - 1])
              ? [{ at, text: `segment ${index} starts before the previous segment` }]
              : [],
          ),
      );
      return evidenceOf(findings, 'segments ordered by start');
    },
  },
]);

const segmentRules = rulesOf('2.3', [
  {
    id: '2.3',
    title: 'Every segment has all four fields',
    async check(reader) {
      await need(reader, (memory) => segmentsOf(memory).length > 0, 'a segment');
      return structureEvidence(reader, '2.3', 'all four fields of section 2.3');
    },
  },
  segmentFieldRule('speaker', 'a string', {
    title: 'speaker is a label of the form "Speaker <n>"',
    isWrong: ({ speaker }) => typeof speaker === 'string' && !/^Speaker \d+$/.test(speaker),
    expected: '"Speaker <n>"',
  }),
  segmentFieldRule('start_at', 'an ISO 8601 date-time', {
    title: 'start_at is an ISO 8601 date-time with at most millisecond precision',
    isWrong: ({ start_at }) => typeof start_at === 'string' && /[.,]\d{3}\d*[1-9]/.test(start_at),
    expected: 'at most three fractional digits',
  }),
  segmentFieldRule('end_at', 'an ISO 8601 date-time'),
  segmentFieldRule('text', 'a string'),
]);

const summaryRules = rulesOf('2.4', [
  {
    id: '2.4',
    title: 'Every summary has both fields',
    async check(reader) {
      await need(reader, ({ summary }) => isObject(summary), 'a summary');
      return structureEvidence(reader, '2.4', 'both fields of section 2.4');
    },
  },
  ...[
    ['quick_summary', 'a string'],
    ['key_takeaways', 'an array of strings'],
  ].map(([field = '', type = '']) => ({
    id: `2.4 ${field}`,
    title: `${field} is ${type}`,
    async check(reader: Reader) {
      const hasField = ({ summary }: MemoryValue) => isObject(summary) && Object.hasOwn(summary, field);
      await need(reader, hasField, `a summary with ${field}`);
      return structureEvidence(reader, `2.4 ${field}`, type);
    },
  })),
]);

/** Sections 2.2 to 2.4: transcript, segment, summary. */
export const partRules: readonly Rule[] = [...transcriptRules, ...segmentRules, ...summaryRules];

/** What a field of a segment has to be beyond its type. */
interface Form {
  title: string;
  isWrong(segment: MemoryValue): boolean;
  expected: string;
}

function segmentFieldRule(field: string, type: string, form?: Form): RuleRow {
  return {
    id: `2.3 ${field}`,
    title: form?.title ?? `${field} is ${type}`,
    async check(reader) {
      const hasField = (memory: MemoryValue) => segmentsOf(memory).some((segment) => Object.hasOwn(segment, field));
      const memories = await need(reader, hasField, `a segment with ${field}`);
      const broken = await structureEvidence(reader, `2.3 ${field}`, type);
      if (broken || form === undefined) return broken;
      const findings = memories.flatMap((at) =>
        segmentsOf(at.memory).flatMap((segment, index) =>
          form.isWrong(segment) ? [{ at, text: `transcript.segments.${index}.${field} has a different form` }] : [],
        ),
      );
      return evidenceOf(findings, form.expected);
    },
  };
}

/** Returns all memories. @throws SkippedError if the rule applies to none of them. */
async function need(reader: Reader, isSubject: (memory: MemoryValue) => boolean, what: string) {
  const memories = await reader.memories();
  if (!memories.some(({ memory }) => isSubject(memory))) throw new SkippedError(`no memory that was read has ${what}`);
  return memories;
}

function isBefore(instant: number | undefined, other: number | undefined): boolean {
  return instant !== undefined && other !== undefined && instant < other;
}
