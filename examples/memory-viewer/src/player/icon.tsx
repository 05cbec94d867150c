const paths = {
  play: 'M8 5.5v13l10.5-6.5z',
  pause: 'M7.5 5.5h3v13h-3zM13.5 5.5h3v13h-3z',
  back: 'M11 7 6 12l5 5M6 12h8a4 4 0 0 1 0 8h-1',
  captions: 'M4 6.5h16v11H4zM10.5 10.8a2 2 0 1 0 0 2.4M16.5 10.8a2 2 0 1 0 0 2.4',
  sound: 'M6 10v4M10 7v10M14 9v6M18 11v2',
  full: 'M5 9V5h4M15 5h4v4M19 15v4h-4M9 19H5v-4',
} as const;

/** A sign within a button, which has the words. */
export function Icon({ name }: { name: keyof typeof paths }) {
  const isSolid = name === 'play' || name === 'pause';
  return (
    <svg viewBox="0 0 24 24" className={isSolid ? 'icon solid' : 'icon'} aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
