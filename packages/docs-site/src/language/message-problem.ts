/** Returns the rule that the message of an error breaks: it reads `Failed to X: Y. Do Z.` */
export function messageProblem(message: string): string | undefined {
  const [, reason] = /^Failed to (?:[^:\n"]|:(?! )|"(?:\\.|[^"\\\n])*")+: (\S[\s\S]*)$/.exec(message) ?? [];
  if (reason === undefined) return 'It does not begin with "Failed to …: "';
  if (/\bbecause\b/.test(message)) return 'It says "because"';
  if (!reason.endsWith('.')) return 'It does not end with a full stop';
  if (!/[.)"'\]] [A-Z]/.test(reason)) return 'It does not say what to do';
  return undefined;
}
