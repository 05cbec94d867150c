import { expect, test } from 'vitest';
import { useMediaPage } from './use-chromium.ts';

const page = useMediaPage();

test.each(['audio', 'video'] as const)(
  'the sample %s plays in Chromium from start to end, with sound',
  async (kind) => {
    const { duration, currentTime } = await page().evaluate(playToTheEnd, kind);
    expect(duration).toBeCloseTo(2, 1);
    expect(currentTime).toBeCloseTo(2, 1);
    expect(await page().evaluate(loudestSample, `/${kind}`)).toBeGreaterThan(0.2);
  },
);

test('seeking in the sample video shows a different picture at each position', async () => {
  const moments = await page().evaluate(picturesAt, [1.5, 0.1, 1.0]);

  expect(moments.map(({ currentTime }) => currentTime)).toEqual([1.5, 0.1, 1.0]);
  expect(moments.every(({ seekableTo }) => Math.abs(seekableTo - 2) < 0.1)).toBe(true);
  expect(moments.every(({ brightness }) => brightness > 60)).toBe(true);
  expect(new Set(moments.map(({ brightColumn }) => brightColumn)).size).toBe(3);
});

test('the sample preview image is shown in Chromium, down to its last pixel', async () => {
  const { size, lastPixel } = await page().evaluate(async () => {
    const image = new Image();
    image.src = '/preview_image';
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    return { size: [width, height], lastPixel: [...context.getImageData(width - 1, height - 1, 1, 1).data] };
  });
  expect(size).toEqual([320, 180]);
  expect(lastPixel).toEqual([0x27, 0x67, 0x49, 0xff]); // the green of the hill
});

// The functions below run inside Chromium, so they cannot use variables of this module.

async function playToTheEnd(kind: 'audio' | 'video') {
  const player = document.createElement(kind);
  player.src = `/${kind}`;
  player.playbackRate = 4;
  await new Promise<void>((resolve, reject) => {
    player.onended = () => resolve();
    player.onerror = () => reject(new Error(player.error?.message));
    player.play().catch(reject);
  });
  return { duration: player.duration, currentTime: player.currentTime };
}

async function loudestSample(path: string) {
  const response = await fetch(path);
  const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(await response.arrayBuffer());
  return sound.getChannelData(0).reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
}

/** Returns the brightest column of the picture, which is the position of the sun. */
async function picturesAt(times: number[]) {
  const video = document.createElement('video');
  video.src = '/video';
  await new Promise((resolve, reject) => {
    video.onloadeddata = resolve;
    video.onerror = reject;
  });
  const pictures = [];
  for (const time of times) {
    // `seeked` comes before the picture of the new position can be drawn.
    const shown = new Promise<void>((resolve) => {
      const resolveAtTime: VideoFrameRequestCallback = (_, { mediaTime }) =>
        Math.abs(mediaTime - time) < 0.1 ? resolve() : video.requestVideoFrameCallback(resolveAtTime);
      video.requestVideoFrameCallback(resolveAtTime);
    });
    await new Promise((resolve) => {
      video.onseeked = resolve;
      video.currentTime = time;
    });
    await shown;
    const context = new OffscreenCanvas(16, 1).getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(video, 0, 0, 16, 1);
    const { data } = context.getImageData(0, 0, 16, 1);
    const reds = data.filter((_, index) => index % 4 === 0);
    pictures.push({
      currentTime: video.currentTime,
      seekableTo: video.seekable.end(0),
      brightness: reds.reduce((sum, red) => sum + red, 0) / 16,
      brightColumn: reds.indexOf(Math.max(...reds)),
    });
  }
  return pictures;
}
