import { TextlintKernel } from '@textlint/kernel';
import markdownPlugin from '@textlint/textlint-plugin-markdown';
import { avoidWords, collectSentences, type Sentence } from './rules.ts';

/** Markdown that begins at a line of a file. */
export interface Prose {
  path: string;
  line: number;
  text: string;
}

export interface LanguageReport {
  /** `path:line  what is wrong`, with what to write instead. */
  problems: string[];
  /** Number of sentences with at least {@link shortest} words. */
  sentences: number;
  /** Sentences with more than {@link longest} words, the longest first. */
  long: (Sentence & { path: string })[];
}

/** Maximum words of a sentence. A few sentences may have more: see {@link mostLong}. */
export const longest = 25;

/** Minimum words of a sentence. Most cells of a table have fewer. */
const shortest = 4;

/** Share of the sentences that may be longer. */
export const mostLong = 0.03;

const kernel = new TextlintKernel();
const plugins = [
  { pluginId: 'markdown', plugin: 'default' in markdownPlugin ? markdownPlugin.default : markdownPlugin },
];

/** Reports each expression that is to be avoided, and counts the sentences of all texts together. */
export async function checkLanguage(
  texts: Iterable<Prose>,
  avoided: ReadonlyMap<string, string>,
): Promise<LanguageReport> {
  const report: LanguageReport = { problems: [], sentences: 0, long: [] };
  for (const { path, line, text } of texts) {
    const sentences: Sentence[] = [];
    const { messages } = await kernel.lintText(text, {
      ext: '.md',
      plugins: plugins as never,
      rules: [
        { ruleId: 'words', rule: avoidWords(avoided) },
        { ruleId: 'sentences', rule: collectSentences(sentences) },
      ],
    });
    for (const message of messages) {
      report.problems.push(`${path}:${line + message.loc.start.line - 1}  ${message.message}`);
    }
    report.sentences += sentences.filter(({ words }) => words >= shortest).length;
    for (const sentence of sentences) {
      if (sentence.words > longest) report.long.push({ ...sentence, path, line: line + sentence.line - 1 });
    }
  }
  report.long.sort((one, other) => other.words - one.words);
  return report;
}
