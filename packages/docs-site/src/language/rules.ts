import type { TxtNode } from '@textlint/ast-node-types';
import type { TextlintRuleModule } from '@textlint/types';
import { SentenceSplitterSyntax, splitAST } from 'sentence-splitter';

export interface Sentence {
  text: string;
  words: number;
  line: number;
}

/** Returns a rule that adds each sentence of a text to `sentences` and reports nothing. */
export function collectSentences(sentences: Sentence[]): TextlintRuleModule {
  return ({ Syntax, getSource }) => {
    const collect = (node: TxtNode) => {
      for (const sentence of splitAST(node as never).children) {
        if (sentence.type !== SentenceSplitterSyntax.Sentence) continue;
        const text = getSource(sentence as never);
        const words = wordsIn(text);
        if (words > 0) sentences.push({ text, words, line: sentence.loc.start.line });
      }
    };
    return { [Syntax.Paragraph]: collect, [Syntax.TableCell]: collect };
  };
}

/** Counts a piece of code as one word, and a link as its label. */
function wordsIn(sentence: string): number {
  const read = sentence.replaceAll(/`[^`]*`/g, 'code').replaceAll(/\]\([^)]*\)/g, '');
  return read.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Returns a rule that reports the expressions to avoid and "is no" before a noun, except in code. */
export function avoidWords(words: ReadonlyMap<string, string>): TextlintRuleModule {
  return ({ Syntax, RuleError, report, getSource, locator }) => ({
    [Syntax.Str](node) {
      const text = getSource(node);
      for (const [avoided, word] of words) {
        const pattern = new RegExp(`(?<![\\p{L}-])${avoided.replaceAll(/\s+/g, '\\s+')}(?![\\p{L}-])`, 'giu');
        for (const { index, 0: found } of text.matchAll(pattern)) {
          const padding = locator.range([index, index + found.length]);
          report(node, new RuleError(`${JSON.stringify(found)} is to be avoided: use ${word}`, { padding }));
        }
      }
      for (const { index, 0: found } of text.matchAll(negatedNoun)) {
        const padding = locator.range([index, index + found.length]);
        report(node, new RuleError(`${JSON.stringify(found)} is to be avoided: use is not a`, { padding }));
      }
    },
  });
}

// Neither "there is no file" nor "it is no longer a file" matches.
const negatedNoun = /(?<!\bthere\s+)\b(?:is|are|was|were)\s+no\s+(?!(?:longer|more|less)\b)\p{L}+/giu;
