import type { CliProcess } from './cli-process.ts';
import { rootAdvice } from './root-advice.ts';

/**
 * Replaces the client's advice to programmers with advice to users of the commands, which have other options.
 */
export function toCommandTerms(process: CliProcess, message: string): string {
  const advised = message.replace(wrongRoot, (advice) => rootAdvice(process) ?? advice);
  return translations.reduce((text, [advice, words]) => text.replace(advice, words), advised);
}

const wrongRoot = /Check [^:]+: it is probably wrong\. Pass the root of the API, without \/v1\./;

const translations: readonly [advice: RegExp, words: string][] = [
  [/, or pass validation: '(?:warn' to accept it|skip' to read the other memories)/, ''],
  [
    /^Failed to create the client: mediaOrigins is .+$/,
    'Failed to read --media-origin: the value is not an origin. Pass one such as https://media.example.com, without a path.',
  ],
  [/or add the origin to mediaOrigins\./, 'or pass it with --media-origin.'],
  [/^Failed to read name: /, 'Failed to read --name: '],
  [/\bmaxWait \(/, '--timeout ('],
  // The cause follows, in these terms.
  [/(: (?:no poll succeeded|it was not processed) within \d+ ms\.) Failed to [\s\S]*$/, '$1'],
  [/Raise maxWait, or wait again later\./, 'Pass a longer --timeout, or wait again later.'],
  [/Raise (?:timeout|totalTimeout) if that is too short\./, 'Check the network, or try again later.'],
  [/Check the network, or raise \w+Timeout of the undici Agent\./, 'Check the network, or try again later.'],
  [
    /Use https:\/\/, or set allowInsecureHttp if you trust the network\./,
    'Use https://, or pass --allow-insecure-http in a network you trust.',
  ],
  [/Pass an absolute URL, or set auth: 'none'\./, 'Pass an absolute URL.'],
  [/Use the apiKey option or the headers option instead\./, 'Pass --api-key env:NAME or file:PATH instead.'],
  [/Check the apiKey option\./, 'Check --api-key or MEMORY_API_KEY.'],
  [/\b(check) baseUrl\b/i, '$1 the base URL'],
  [/: baseUrl (?=(?:is|has|does|would|contains) )/, ': the base URL '],
  [/the API key from the apiKey option/, 'the API key'],
  [/\bmaxResponseBytes \((\d+ bytes?)\)/, '$1'],
  [/, or raise maxResponseBytes/, ''],
  [/apiKey is empty/, 'the key is empty'],
];
