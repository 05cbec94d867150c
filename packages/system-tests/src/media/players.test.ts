import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sampleMedia } from '@memory-read/fixtures';
import { openMirror } from '@memory-read/mirror';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { mediaFrom } from '@memory-read/test-kit/memory-service';
import { sampleMemory, sampleRecord } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { openClient } from '../mirror/open-client.ts';

const kinds = ['audio', 'video'] as const;

test.runIf(isInstalled('mpv')).each(kinds)(
  'mpv plays the %s of an export with the subtitles that are beside it, and finds none of another memory',
  async (kind) => {
    const folder = makeFolder();
    const { contentType } = sampleMedia(kind);
    const { transcript } = sampleMemory();
    const media = { [kind]: { object_key: `${kind}.bin`, content_type: contentType } };
    const records = ['mem_1', 'mem_2'].map((id) => sampleRecord({ id, name: `Talk ${id}`, media, transcript }));
    const { client } = await openClient(records, { source: mediaFrom(() => sampleMedia(kind).bytes) });
    const mirror = await openMirror({ folder: join(folder, 'mirror') });
    await mirror.sync(client, { media: true });
    const exports = join(folder, 'talks');
    await mirror.exportFiles(exports, { formats: ['srt'], media: true });
    await mirror.close();

    const played = readdirSync(exports).filter((name) => !/\.srt$|^\./.test(name));
    expect(played).toHaveLength(2);
    for (const name of played) {
      // A file is data: without `--`, a name could be an option.
      const args = ['--no-config', '--vo=null', '--ao=null', '--frames=1', '--length=0.1', '--', join(exports, name)];
      const { status, stdout } = spawnSync('mpv', args, { encoding: 'utf8', env: { ...process.env, HOME: folder } });
      expect(status, stdout).toBe(0);
      const subtitles = stdout.split('\n').filter((line) => /\.srt'|subrip/.test(line));
      expect(subtitles, stdout).toHaveLength(1);
      expect(subtitles[0]).toContain(name.replace(/\.\w+$/, '.srt'));
    }
  },
);
