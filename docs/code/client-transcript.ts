// #region stored
import { type TranscriptSource, toVtt } from '@memory-read/client/transcript';

const memory: TranscriptSource = {
  started_at: '2026-08-20T10:00:00Z',
  transcript: {
    segments: [
      { speaker: 'Speaker 1', start_at: '2026-08-20T10:00:01.250Z', end_at: '2026-08-20T10:00:02Z', text: 'Shall we' },
      { speaker: 'Speaker 1', start_at: '2026-08-20T12:00:02+02:00', end_at: '2026-08-20T10:00:03', text: 'start?' },
      { speaker: 'Speaker 2', start_at: '2026-08-20T10:00:04Z', end_at: '2026-08-20T10:00:04Z', text: 'Yes & <now>!' },
    ],
  },
};
console.log(toVtt(memory));

// #endregion

import {
  isUnspaced,
  joinTexts,
  normalizeTranscript,
  passages,
  renameSpeakers,
  speakers,
  storedSegments,
  toMarkdown,
  toSrt,
  toText,
  turns,
} from '@memory-read/client/transcript';

// #region to-srt
console.log(toSrt(memory));
// #endregion

// #region stored-cues
console.log(toSrt(memory, { cues: 'stored' }));
// #endregion

// #region to-vtt
const trackUrl = URL.createObjectURL(new Blob([toVtt(memory)], { type: 'text/vtt' }));
// #endregion
console.log(trackUrl.split(':')[0]);

// #region to-text
console.log(toText(memory));
// #endregion

// #region to-markdown
console.log(toMarkdown(memory, { timestamps: true }));
// #endregion

// #region turns
for (const { speaker, start, text } of turns(memory)) console.log(`${speaker}, after ${start} ms: ${text}`);
// #endregion

// #region speakers
for (const { speaker, duration } of speakers(memory)) console.log(`${speaker} speaks for ${duration} ms`);
// #endregion

// #region rename-speakers
const named = renameSpeakers(memory, { 'Speaker 1': 'Ada', 'Speaker 2': 'Grace' });
console.log(toText(named, { timestamps: true }));
// #endregion

// #region normalize-transcript
const { cues, warnings } = normalizeTranscript(memory);
console.log(`${cues.length} cues, the first after ${cues[0]?.start} ms`);
for (const { kind, segment } of warnings) console.warn(`${kind}: segment ${segment}`);
// #endregion

URL.revokeObjectURL(trackUrl);

// #region join-texts
console.log(joinTexts(['来週のプロ', 'ジェクト会議は木曜日です。'])); // 来週のプロジェクト会議は木曜日です。
// #endregion

// #region unspaced
console.log(isUnspaced('会'), isUnspaced('é')); // true false
// #endregion

// #region passages
for (const { speaker, text, segments } of passages(memory)) console.log(`${segments.first}: ${speaker}: ${text}`);
// #endregion

// #region stored-segments
console.log(storedSegments(memory).map(({ speaker }) => speaker));
// #endregion
