import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Application,
  type CommentDisplayPart,
  CommentTag,
  type Context,
  Converter,
  type DocumentationEntryPoint,
  JSX,
  MinimalSourceFile,
  normalizePath,
  type ProjectReflection,
} from 'typedoc';
import ts from 'typescript';
import { root, siteFolder, stageFolder } from './folders.ts';
import { publishedEntries } from './published-entries.ts';
import { writeSearch } from './search/write-search.ts';
import { type StagedDocuments, stageDocuments } from './stage-documents.ts';

/**
 * Builds the site into `output`: guides, decisions and the API reference of every published entry.
 *
 * @throws Error if TypeDoc reports a warning, for example a broken link or an export without a comment.
 */
export async function buildSite(output: string = siteFolder): Promise<void> {
  const application = await createApplication(stageDocuments());
  addSkipLink(application);
  application.converter.on(Converter.EVENT_RESOLVE_BEGIN, addReadmes);
  application.converter.on(Converter.EVENT_RESOLVE_BEGIN, listErrors);
  linkErrors(application);
  const project = await application.converter.convert(entryPoints(application));
  validatePackages(application, project);
  if (!hasProblems(application)) await application.generateDocs(project, output);
  if (!hasProblems(application)) return writeSearch(output);
  const { errorCount, warningCount } = application.logger;
  throw new Error(
    `Failed to build the site: TypeDoc reported problems (errors: ${errorCount}, warnings: ${warningCount}). Correct those that it lists above.`,
  );
}

function createApplication({ landing, groups, pages }: StagedDocuments): Promise<Application> {
  return Application.bootstrap({
    name: 'Memory Read',
    tsconfig: file('../tsconfig.json'),
    readme: landing,
    projectDocuments: pages,
    sortEntryPoints: false,
    groupOrder: [...groups, 'API reference', '*'],
    locales: { en: { kind_plural_module: 'API reference' } },
    // The repository has no public address yet, so the site must not link to one.
    disableSources: true,
    externalSymbolLinkMappings: { '@standard-schema/spec': { '*': 'https://standardschema.dev' } },
    validation: { notDocumented: true },
    packagesRequiringDocumentation: publishedEntries().map(({ name }) => name),
    // The standard defines this property.
    intentionallyNotDocumented: ['@memory-read/contract.Schema.~standard.__type.validate'],
    // The name of a property often explains it. Exports and functions need a comment.
    requiredToBeDocumented: ['Class', 'Interface', 'TypeAlias', 'Variable', 'Function', 'Method', 'Accessor'],
    markdownItLoader: addCodeToAnchors,
    customCss: file('look/style.css'),
    favicon: file('look/favicon.svg'),
    hideGenerator: true,
    lightHighlightTheme: 'github-light-high-contrast',
    darkHighlightTheme: 'github-dark-high-contrast',
    highlightLanguages: ['ts', 'tsx', 'diff', 'sh', 'json', 'toml', 'text', 'html', 'javascript'],
    navigation: { includeGroups: true, includeCategories: false, includeFolders: false },
    headings: { readme: false, document: false },
  });
}

interface MarkdownToken {
  readonly type: string;
  readonly content: string;
  children: MarkdownToken[] | null;
}

interface MarkdownParser {
  core: { ruler: { push(name: string, rule: (state: { tokens: MarkdownToken[] }) => void): void } };
}

/** TypeDoc makes the anchor of a heading from the children of its tokens and from text, so code gets a child. */
function addCodeToAnchors(parser: MarkdownParser): void {
  parser.core.ruler.push('code-in-anchors', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'code_inline') token.children = [{ type: 'text', content: token.content, children: null }];
    }
  });
}

const javaScriptObjects = 'https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects';

/** Links errors that a comment names without importing them, and those of JavaScript. */
function linkErrors({ converter }: Application): void {
  converter.addUnknownSymbolResolver(({ symbolReference }, { project }) => {
    const [name = ''] = (symbolReference?.path ?? []).map(({ path }) => path);
    if (/^(?:Type|Range)?Error$/.test(name)) return `${javaScriptObjects}/${name}`;
    const exported = (project.children ?? []).flatMap(({ children }) => children ?? []);
    const target = exported.find((child) => child.name === name && name.endsWith('Error'));
    // The type allows only addresses, but TypeDoc also accepts a page of the site.
    return target && { target: target as unknown as string };
  });
}

/** Typedoc writes a heading for each `@throws`. One list for all of them is shorter. */
function listErrors({ project }: Context): void {
  for (const { comment } of Object.values(project.reflections)) {
    const thrown = comment?.getTags('@throws') ?? [];
    if (!comment || thrown.length < 2) continue;
    const items = thrown.flatMap(({ content }): CommentDisplayPart[] => [{ kind: 'text', text: '\n- ' }, ...content]);
    const position = comment.blockTags.findIndex(({ name }) => name === '@throws');
    comment.removeTags('@throws');
    comment.blockTags.splice(position, 0, new CommentTag('@throws', items));
  }
}

/** Types that only this project uses, so that users need no name for them. */
const unnamedTypes: Record<string, string[]> = {
  '@memory-read/client': [
    'ErrorContext',
    'StatusErrorInit',
    'InvalidResponseErrorInit',
    'ConfigurationErrorInit',
    'ConnectionErrorInit',
    'MediaDownloadErrorInit',
    'MediaUnavailableErrorInit',
    'ProcessingTimeoutErrorInit',
  ],
  '@memory-read/server': ['Dated'],
  '@memory-read/fixtures': ['Cases'],
};

/**
 * Validates each package on its own, because TypeDoc checks for types that are not exported in the project's package
 * only.
 */
function validatePackages(application: Application, project: ProjectReflection): void {
  for (const { name, readme } of publishedEntries()) {
    if (!readme) continue;
    project.packageName = name;
    application.options.setValue('intentionallyNotExported', unnamedTypes[name] ?? []);
    application.validate(project);
  }
}

/** Adds a link that skips the navigation, for readers who use the keyboard. */
function addSkipLink({ renderer: { hooks } }: Application): void {
  hooks.on('body.begin', () => JSX.createElement('a', { class: 'skip-link', href: '#content' }, 'Skip to the content'));
  hooks.on('content.begin', () => JSX.createElement('div', { id: 'content', tabIndex: -1 }));
}

/** Names entries by their import paths, because TypeDoc would name them after their files. */
function entryPoints({ options, logger }: Application): DocumentationEntryPoint[] {
  const entries = publishedEntries();
  const sources = entries.map(({ source }) => join(root, source));
  const program = ts.createProgram(sources, options.getCompilerOptions(logger));
  return entries.map(({ name, source }) => {
    const sourceFile = program.getSourceFile(join(root, source));
    if (!sourceFile)
      throw new Error(`Failed to document ${name}: ${source} does not exist. Correct the exports of its package.json.`);
    return { displayName: name, program, sourceFile };
  });
}

/** Begins each package with its README, and resolves links to the README. */
function addReadmes({ project, converter }: Context): void {
  for (const { name, readme } of publishedEntries()) {
    const module = project.children?.find((child) => child.name === name);
    if (!readme || !module) continue;
    const path = normalizePath(join(stageFolder, readme));
    const text = new MinimalSourceFile(readFileSync(path, 'utf8'), path);
    module.readme = converter.parseRawComment(text, project.files).content;
    project.files.registerReflectionPath(path, module);
  }
}

function hasProblems({ logger }: Application): boolean {
  return logger.hasErrors() || logger.hasWarnings();
}

function file(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
