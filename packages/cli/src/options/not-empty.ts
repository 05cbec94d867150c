import { usageError } from '../terminal/command-error.ts';

/** Rejects an empty value, which an unset shell variable leaves. */
export function notEmpty(option: string): (text: string) => string {
  return (text) => {
    if (text !== '') return text;
    throw usageError(`${option}: the value is empty. Pass a value, or leave out the option.`);
  };
}
