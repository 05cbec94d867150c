import { rangePage } from '../output/cursor.ts';
import { jsonLength } from '../output/json-length.ts';
import { localTimeIn } from '../output/local-time.ts';
import { encodeId } from '../output/shown-id.ts';
import { shownPeople } from '../output/shown-people.ts';
import { shownText } from '../output/shown-text.ts';
import type { NamedMemory } from '../sources/memory-source.ts';
import { object, schemas, type Tool, type ToolContext } from './tool.ts';

const MOST_MEMORIES = 50;
const LONGEST_PAGE = 22_000;

/** Lists memories by time. */
export const listMemories: Tool = {
  name: 'list_memories',
  title: 'List memories',
  description: 'Lists recordings, newest first.',
  input: object({
    since: schemas.since,
    until: schemas.until,
    time_zone: schemas.timeZone,
    limit: { type: 'integer', minimum: 1, maximum: MOST_MEMORIES, description: '20 by default' },
    cursor: schemas.cursor,
  }),
  output: object(
    {
      notice: schemas.notice,
      memories: {
        type: 'array',
        items: object(
          {
            id: schemas.text,
            title: schemas.text,
            url: schemas.text,
            started_at: schemas.text,
            local: schemas.text,
            duration_seconds: schemas.count,
            is_processing: schemas.flag,
            people: { type: 'array', items: schemas.text },
            summary: schemas.text,
          },
          ['id', 'title', 'url', 'started_at', 'duration_seconds'],
        ),
      },
      time_zone: schemas.text,
      total: schemas.count,
      unreadable: schemas.count,
      next_cursor: schemas.text,
    },
    ['notice', 'memories'],
  ),
  run: async (context, input, signal) => {
    const range = input.range(context);
    const limit = input.count('limit', { min: 1, max: MOST_MEMORIES }) ?? 20;
    const { since, until, after, write } = rangePage('list_memories', null, { ...range, cursor: input.cursor() });
    const page = await context.source.listMemories({ since, until, limit, after, signal });

    const toLocal = localTimeIn(range.timeZone);
    const memories: object[] = [];
    let size = 0;
    for (const listed of page.memories) {
      const shown = { ...describeMemory(context, listed), ...toLocal(listed.memory.started_at) };
      size += jsonLength(shown);
      if (memories.length > 0 && size > LONGEST_PAGE) break;
      memories.push(shown);
    }
    const isCut = memories.length < page.memories.length;
    const shorter = { since, until, limit: memories.length, after, signal };
    const { next } = isCut ? await context.source.listMemories(shorter) : page;
    return {
      memories,
      time_zone: range.timeZone,
      ...(page.total !== undefined && { total: page.total }),
      ...(page.unreadable && { unreadable: page.unreadable }),
      ...(next !== undefined && { next_cursor: write(next) }),
    };
  },
};

function describeMemory({ memoryUrl }: ToolContext, listed: NamedMemory) {
  const { memory } = listed;
  return {
    id: encodeId(memory.id),
    title: shownText(memory.name, 200),
    url: memoryUrl(memory.id),
    started_at: shownText(memory.started_at, 40),
    duration_seconds: memory.duration_seconds,
    ...(memory.is_processing && { is_processing: true }),
    ...shownPeople(listed),
    ...(memory.summary !== null && { summary: shownText(memory.summary.quick_summary, 200) }),
  };
}
