import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Application,
  type CommentDisplayPart,
  CommentTag,
  type Context,
  Converter,
  type DocumentationEntryPoint,
  MinimalSourceFile,
  normalizePath,
  type ProjectReflection,
} from 'typedoc';
import ts from 'typescript';
import { type StagedDocuments, stageDocuments } from './documents/stage-documents.ts';
import { writeMarkdown } from './documents/write-markdown.ts';
import { root, siteFolder, stageFolder } from './folders.ts';
import { publishedEntries, publishedVersion } from './published-entries.ts';
import { writeSearch } from './search/write-search.ts';
import { SiteRouter } from './theme/site-router.ts';
import { createSiteTheme } from './theme/site-theme.ts';
import { writeAssets } from './theme/write-assets.ts';

/**
 * Builds the site into `output`: guides, decisions and the API reference of every published entry.
 *
 * @throws Error if TypeDoc reports a warning, for example a broken link or an export without a comment.
 */
export async function buildSite(output: string = siteFolder): Promise<void> {
  const documents = stageDocuments();
  const application = await createApplication(documents);
  application.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => addReadmes(context, documents));
  application.converter.on(Converter.EVENT_RESOLVE_BEGIN, listErrors);
  linkErrors(application);
  const project = await application.converter.convert(entryPoints(application));
  validatePackages(application, project);
  if (!hasProblems(application)) await application.generateDocs(project, output);
  if (!hasProblems(application)) {
    writeMarkdown(documents, output);
    writeSearch(documents, output);
    return writeAssets(output);
  }
  const { errorCount, warningCount } = application.logger;
  throw new Error(
    `Failed to build the site: TypeDoc reported problems (errors: ${errorCount}, warnings: ${warningCount}). Correct those that it lists above.`,
  );
}

async function createApplication(documents: StagedDocuments): Promise<Application> {
  const application = await Application.bootstrap({
    name: 'Memory Read',
    tsconfig: file('../tsconfig.json'),
    readme: join(stageFolder, documents.home.path),
    projectDocuments: documents.groups.flatMap((group) => group.documents.map(({ path }) => join(stageFolder, path))),
    sortEntryPoints: false,
    includeHierarchySummary: false,
    router: 'site',
    theme: 'site',
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
    favicon: file('theme/favicon.svg'),
    lightHighlightTheme: 'github-light-high-contrast',
    darkHighlightTheme: 'github-dark-high-contrast',
    highlightLanguages: ['ts', 'tsx', 'diff', 'sh', 'json', 'toml', 'text', 'html', 'javascript', 'python', 'yaml'],
  });
  application.renderer.defineRouter('site', SiteRouter);
  application.renderer.defineTheme('site', createSiteTheme(documents, publishedVersion()));
  return application;
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
function addReadmes({ project, converter }: Context, { readmes }: StagedDocuments): void {
  for (const module of project.children ?? []) {
    const readme = readmes.get(module.name);
    if (!readme) continue;
    const path = normalizePath(join(stageFolder, readme.path));
    const text = new MinimalSourceFile(readme.markdown.replace(/^# .+\n+/, ''), path);
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
