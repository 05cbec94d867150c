/**
 * Replaces the client's advice to programmers by advice to users of the commands, which have other options.
 */
export function toCommandTerms(message: string): string {
  return translations.reduce((text, [advice, words]) => text.replace(advice, words), message);
}

const translations: readonly [advice: RegExp, words: string][] = [
  [/, or pass validation: 'warn' to read it all the same/, ''],
  [/ms of maxWait\b/, 'ms of --timeout'],
  [/Raise maxWait, or wait again later\./, 'Pass a longer --timeout, or wait again later.'],
  [/Raise (?:timeout|totalTimeout) if that is too short\./, 'Check the network, or try again later.'],
  [/Raise \w+Timeout of the undici Agent, or check the network\./, 'Check the network, or try again later.'],
  [/Use https:\/\/, or set allowInsecureHttp if the network is your own\./, 'Use https://.'],
  [/Pass an absolute one, or set auth: 'none'\./, 'Pass an absolute one.'],
  [/Use the apiKey option or the headers option instead\./, 'Pass --api-key env:NAME or file:PATH instead.'],
  [/because apiKey is empty/, 'because the key is empty'],
  [/or begin without a state\./, 'or pass another --state.'],
];
