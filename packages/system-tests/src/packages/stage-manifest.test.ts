import { expect, test } from 'vitest';
import { stageManifest } from './stage-manifest.ts';

const manifest = { files: ['dist'], exports: { '.': './dist/index.js' } };

test('names the repository in the manifest that a workflow packs, as provenance requires', () => {
  const environment = { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'ada/memories' };
  expect(stageManifest(manifest, 'client', environment).repository).toEqual({
    type: 'git',
    url: 'git+https://git.example/ada/memories.git',
    directory: 'packages/client',
  });
});
