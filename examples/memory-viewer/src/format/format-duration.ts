/** For reading: `45 s`, `5 min`, `2 h 47 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

/** For a player: `0:45`, `5:00`, `2:46:40`. */
export function formatPosition(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours, ...rest] = parts.map(String);
  const minutes = hours === '0' ? rest[0] : rest[0]?.padStart(2, '0');
  return `${hours === '0' ? '' : `${hours}:`}${minutes}:${rest[1]?.padStart(2, '0')}`;
}
