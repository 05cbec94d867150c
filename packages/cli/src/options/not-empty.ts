import { usageError } from '../terminal/command-error.ts';

/** Reads the text of an option as it is; an empty one, as an unset variable of the shell leaves it, is wrong usage. */
export function notEmpty(option: string): (text: string) => string {
  return (text) => {
    if (text !== '') return text;
    throw usageError(`${option}: because it is empty. Pass a value, or leave the option out.`);
  };
}
