import { spawnSync } from 'node:child_process';

/** Whether `ffprobe` is in the `PATH`. */
export const hasFfprobe = spawnSync('ffprobe', ['-version']).status === 0;

/** A subtitle as FFmpeg reads it, times in milliseconds. */
export interface ProbedSubtitle {
  start: number;
  end: number;
  text: string;
}

/** Returns the subtitles that FFmpeg finds in a file. */
export function probeSubtitles(path: string): ProbedSubtitle[] {
  const args = ['-v', 'error', '-show_packets', '-show_data', '-of', 'json', path];
  const { status, stdout, stderr } = spawnSync('ffprobe', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0 || stderr !== '')
    throw new Error(`Failed to read ${path}: ffprobe reports ${stderr}. Correct the subtitles.`);
  const { packets } = JSON.parse(stdout) as { packets: { pts: number; duration: number; data?: string }[] };
  return packets.map(({ pts, duration, data = '' }) => ({ start: pts, end: pts + duration, text: decodeDump(data) }));
}

/** Lines such as `00000000: 486d 2e Hm.` */
function decodeDump(dump: string): string {
  const bytes = dump
    .split('\n')
    .map((line) => line.slice('00000000: '.length).split('  ')[0] ?? '')
    .join('')
    .replaceAll(' ', '');
  return Buffer.from(bytes, 'hex').toString('utf8');
}
