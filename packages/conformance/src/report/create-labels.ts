/** Functions that replace the names of options in texts of the run by those of the caller. */
export interface Labels {
  label(option: string): string;
  /** Replaces the names of keys in the reason of a skipped rule. */
  labelReason(text: string): string;
  /** Replaces the names of keys in the description of a request, where they are in braces. An id stays the same. */
  labelRequest(text: string): string;
}

export function createLabels(labels: Partial<Record<string, string>>): Labels {
  const known = new Map(Object.entries(labels));
  const label = (option: string) => known.get(option) ?? option;
  return {
    label,
    labelReason: (text) => text.replace(/\b(?:apiKey|\w+ApiKey)\b/g, label),
    labelRequest: (text) => text.replace(/\{(\w+)\}/g, (_match, option: string) => `{${label(option)}}`),
  };
}
