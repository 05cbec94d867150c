/** Names by speaker label, as a record or a map. */
export type SpeakerNames = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

/** Returns the names as a map. A plain object would find inherited properties for labels such as `constructor`. */
export function namesByLabel(names: SpeakerNames = {}): ReadonlyMap<string, string> {
  return isMap(names) ? names : new Map(Object.entries(names));
}

/** A map of another realm is not an instance of this realm's `Map`. */
function isMap(names: SpeakerNames): names is ReadonlyMap<string, string> {
  return typeof names.get === 'function';
}
