import type { ListedMemory } from '@memory-read/client';
import { useState } from 'react';
import { useViewer } from '../viewer-context.ts';

/** The preview of a memory, or a sign for one that has none. Its URL may have expired before it was scrolled to. */
export function PreviewImage({ memory }: { memory: ListedMemory }) {
  const { client } = useViewer();
  const [fresh, setFresh] = useState<string | null>(null);
  const [isUnconfirmed, setIsUnconfirmed] = useState(false);
  const [isGone, setIsGone] = useState(false);
  const url = fresh ?? memory.preview_image_url;

  const renew = async () => {
    const media = isUnconfirmed ? null : await client.mediaUrl(memory.id, 'preview_image').catch(() => null);
    setIsUnconfirmed(true);
    if (media === null) setIsGone(true);
    else setFresh(media.url);
  };

  if (url === null || isGone) return <NoPreview hasVideo={memory.video_url !== null} />;
  const confirmUrl = () => setIsUnconfirmed(false);
  return (
    <img
      className="preview"
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      onLoad={confirmUrl}
      onError={() => void renew()}
    />
  );
}

function NoPreview({ hasVideo }: { hasVideo: boolean }) {
  const path = hasVideo ? 'M5 6h9v12H5zM14 10l5-3v10l-5-3z' : 'M6 10v4M10 6v12M14 9v6M18 11v2';
  return (
    <span className="preview preview-none">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} />
      </svg>
    </span>
  );
}
